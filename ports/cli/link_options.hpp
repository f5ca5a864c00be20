// SPDX-License-Identifier: BSD-3-Clause
// The emulated link of commands in real time, as they are asked for one.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "emulators/link/path.hpp"
#include "ports/bridge/bridge.hpp"

namespace lfn::cli {

/// --link, --ber, --rate, --rtt, --queue, --ecn-mark, --seed. Sets `link` to t1-satellite, the default.
void add_link_options(CLI::App& command, const std::shared_ptr<const LinkProfile*>& link,
                      const std::shared_ptr<PathOptions>& path);

/// --when-full; the default is what `when_full` has.
void add_when_full(CLI::App& command, const std::shared_ptr<WhenFull>& when_full);

}  // namespace lfn::cli
