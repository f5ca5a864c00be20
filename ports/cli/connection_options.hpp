// SPDX-License-Identifier: BSD-3-Clause
// lfn_tcp_settings as flags.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "lfn/tcp_settings.h"

namespace lfn::cli {

/// What the TCP settings are unless they are given.
struct TcpDefaults {
    std::uint64_t window = 1U << 20;
    bool noise = false;  ///< the loss policy
    std::uint8_t slow_start_rate = 1;
    std::uint32_t rto_margin_ms = 0;
};
/// --window, --big-window, --nak, --wire, --initial-window and the rest of lfn_tcp_settings, but for --sack.
void add_tcp_options(CLI::App& command, const std::shared_ptr<lfn_tcp_settings>& tcp, const TcpDefaults& defaults = {});
/// Whether SACK is permitted, which is for the commands with one connection to say.
void add_sack_option(CLI::App& command, const std::shared_ptr<lfn_tcp_settings>& tcp);

}  // namespace lfn::cli
