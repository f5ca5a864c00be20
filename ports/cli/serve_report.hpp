// SPDX-License-Identifier: BSD-3-Clause
// What `lfn serve` tells: a line for each connection that is over, and the sums at the end.
#pragma once

#include <map>
#include <string>

#include "ports/cli/network_host.hpp"
#include "ports/services/session.hpp"

namespace lfn::cli {

/// What one service has done.
struct Tally {
    std::uint64_t connections = 0, failed = 0, octets_received = 0, octets_sent = 0;
};
/// By the names of the services.
using Tallies = std::map<std::string, Tally>;

/// Of one connection.
struct Served {
    std::uint64_t octets_received = 0, octets_sent = 0;
    double seconds = 0;
    std::string remark, failure;
};
Served served_by(const services::Session& session);

std::string served_text(const std::string& service, const Served& served);
std::string serve_text(const Tallies& tallies, const NetworkHost& network);
std::string serve_json(const Tallies& tallies, const NetworkHost& network);
/// What the HTTP server shows of itself.
std::string status_text(const Tallies& tallies, const NetworkHost& network);

}  // namespace lfn::cli
