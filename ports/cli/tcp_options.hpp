// SPDX-License-Identifier: BSD-3-Clause
// The TCP settings that the commands offer alike, and their names in what is printed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "lfn/tcp_options.h"
#include "lfn/tcp_settings.h"
#include "ports/cli/command_line.hpp"

namespace lfn::cli {

using TcpSettings = std::shared_ptr<lfn_tcp_settings>;

/// --nak, --big-window, --wire. All of RFC 1106 is on unless it is switched off.
void add_rfc1106_options(Command& command, const TcpSettings& tcp, lfn_wire standard_wire);
/// What the options of recovery are unless they are given.
struct RecoveryDefaults {
    bool noise = false;  ///< the loss policy; else congestion
    std::uint8_t slow_start_rate = 1;
    std::uint8_t initial_window = 0;
    std::optional<bool> sack = false;  ///< nothing: the command has no --sack
    bool tail_probe = false;
    std::uint32_t rto_margin_ms = 0;
};
/// On a real network: what RFC 6928, RFC 2018 and RFC 8985 7 recommend, and Linux does.
inline constexpr RecoveryDefaults real_network = {.initial_window = 10, .sack = true, .tail_probe = true};

/// --dup-acks, --loss-policy, --slow-start, --initial-window, --sack, --tail-probe, --ecn, --rto-margin.
void add_recovery_options(Command& command, const TcpSettings& tcp, const RecoveryDefaults& defaults = {});
/// --timestamps and --isolated. `emulated`: the path is a link of ours, which brings nothing back that it lost.
void add_safety_options(Command& command, const TcpSettings& tcp, bool emulated);
/// --keepalive.
void add_keepalive_option(Command& command, const TcpSettings& tcp);
/// --window: receive window and send buffer.
void add_window_option(Command& command, const TcpSettings& tcp, std::uint64_t standard);

/// As on the command line.
std::string nak_name(const lfn_tcp_settings& tcp);
std::string dup_acks_name(const lfn_tcp_settings& tcp);
std::string loss_policy_name(const lfn_tcp_settings& tcp);
std::string wire_name(const lfn_tcp_settings& tcp);

}  // namespace lfn::cli
