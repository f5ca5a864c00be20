// SPDX-License-Identifier: BSD-3-Clause
// The TCP settings that the commands offer alike, and their names in what is printed.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "lfn/tcp_options.h"
#include "lfn/tcp_settings.h"

namespace lfn::cli {

using TcpSettings = std::shared_ptr<lfn_tcp_settings>;

/// --nak, --big-window, --wire. All of RFC 1106 is on unless it is switched off.
void add_rfc1106_options(CLI::App& command, const TcpSettings& tcp, lfn_wire standard_wire);
/// --dup-acks, --loss-policy, --slow-start, --initial-window, --sack, --tail-probe, --rto-margin.
void add_recovery_options(CLI::App& command, const TcpSettings& tcp);
/// --timestamps and --isolated. `emulated`: the path is a link of ours, which brings nothing back that it lost.
void add_safety_options(CLI::App& command, const TcpSettings& tcp, bool emulated);

/// As on the command line.
std::string nak_name(const lfn_tcp_settings& tcp);
std::string dup_acks_name(const lfn_tcp_settings& tcp);
std::string loss_policy_name(const lfn_tcp_settings& tcp);
std::string wire_name(const lfn_tcp_settings& tcp);

}  // namespace lfn::cli
