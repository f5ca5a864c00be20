// SPDX-License-Identifier: BSD-3-Clause
// The emulated link of commands in real time, as they are asked for one.
#pragma once

#include <memory>

#include "emulators/link/path.hpp"
#include "ports/bridge/bridge.hpp"
#include "ports/cli/command_line.hpp"

namespace lfn::cli {

/// --link, --ber, --rate, --rtt, --queue, --ecn-mark, --seed. Sets `link` to t1-satellite, the default.
void add_link_options(Command& command, const std::shared_ptr<const LinkProfile*>& link,
                      const std::shared_ptr<PathOptions>& path);

/// --when-full; the default is what `when_full` has.
void add_when_full(Command& command, const std::shared_ptr<WhenFull>& when_full);

}  // namespace lfn::cli
