// SPDX-License-Identifier: BSD-3-Clause
// The commands of `lfn`. Each adds its subcommand to the program and, when it is the one that was called, leaves what
// is to be run in `run`: a function that returns the exit status.
#pragma once

#include <functional>
#include <string>

#include "ports/cli/command_line.hpp"

namespace lfn::cli {

using Run = std::function<int()>;

void add_transfer(Command& program, Run& run);
void add_reproduce(Command& program, Run& run);
void add_links(Command& program, Run& run);
void add_sweep(Command& program, Run& run);
void add_policies(Command& program, Run& run);

/// The names of all link profiles, "a, b, c".
std::string link_names();

}  // namespace lfn::cli
