// SPDX-License-Identifier: BSD-3-Clause
// The commands of `lfn` that meet real networks.
#pragma once

#include "ports/cli/commands.hpp"

namespace lfn::cli {

void add_serve(Command& program, Run& run);
void add_get(Command& program, Run& run);
void add_put(Command& program, Run& run);
void add_bridge(Command& program, Run& run);
void add_compare(Command& program, Run& run);

}  // namespace lfn::cli
