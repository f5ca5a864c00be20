// SPDX-License-Identifier: BSD-3-Clause
// The commands of `lfn`. Each adds its subcommand to the program and, when it is the one that was called, leaves what
// is to be run in `run`: a function that returns the exit status.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace lfn::cli {

inline constexpr int exit_ok = 0;
inline constexpr int exit_failed = 1;     ///< a transfer failed, or data arrived that differ from those sent
inline constexpr int exit_bad_input = 2;  ///< the command line cannot be carried out

using Run = std::function<int()>;

void add_transfer(CLI::App& program, Run& run);
void add_reproduce(CLI::App& program, Run& run);
void add_links(CLI::App& program, Run& run);
void add_sweep(CLI::App& program, Run& run);
void add_policies(CLI::App& program, Run& run);

/// The names of all link profiles, "a, b, c".
std::string link_names();

}  // namespace lfn::cli
