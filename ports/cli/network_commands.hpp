// SPDX-License-Identifier: BSD-3-Clause
// The commands of `lfn` that meet real networks.
#pragma once

#include "ports/cli/commands.hpp"

namespace lfn::cli {

void add_serve(CLI::App& program, Run& run);
void add_get(CLI::App& program, Run& run);
void add_put(CLI::App& program, Run& run);
void add_bridge(CLI::App& program, Run& run);
void add_compare(CLI::App& program, Run& run);

}  // namespace lfn::cli
