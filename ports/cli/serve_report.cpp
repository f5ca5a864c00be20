// SPDX-License-Identifier: BSD-3-Clause
#include "ports/cli/serve_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ports/cli/ip_address.hpp"
#include "ports/cli/units.hpp"

namespace lfn::cli {

namespace {

using Json = nlohmann::ordered_json;

std::string tallies_text(const Tallies& tallies) {
    std::string text;
    for (const auto& [service, tally] : tallies) {
        text += fmt::format("{:<8} {} connections, {} failed, {} bytes in, {} out\n", service,
                            format_count(tally.connections), format_count(tally.failed),
                            format_count(tally.octets_received), format_count(tally.octets_sent));
    }
    return text;
}

}  // namespace

Served served_by(const services::Session& session) {
    return {session.octets_received(), session.octets_sent(), seconds_of(session.ended() - session.began()),
            session.remark(), session.failure()};
}

std::string served_text(const std::string& service, const Served& served) {
    const auto octets = static_cast<double>(std::max(served.octets_received, served.octets_sent));
    return fmt::format(
        "{:<8} {} in, {} out, {:.3f} s, {:.3f} MB/s{}{}\n", service, format_count(served.octets_received),
        format_count(served.octets_sent), served.seconds, served.seconds > 0 ? octets / served.seconds / 1e6 : 0.0,
        served.remark.empty() ? "" : ", " + served.remark, served.failure.empty() ? "" : "; failed: " + served.failure);
}

std::string serve_text(const Tallies& tallies, const NetworkHost& network) {
    std::string text =
        tallies_text(tallies) + fmt::format("{}: {} frames in, {} out", network.name(),
                                            format_count(network.frames_in()), format_count(network.frames_out()));
    if (const TapPortCounters* tap = network.tap_counters()) {
        text += fmt::format("; {} batches in, {} ACKs thinned, {} lost", format_count(tap->batches_in),
                            format_count(tap->acks_thinned), format_count(tap->frames_lost));
    }
    return text + "\n";
}

std::string serve_json(const Tallies& tallies, const NetworkHost& network) {
    Json services = Json::object();
    for (const auto& [service, tally] : tallies) {
        services[service] = {{"connections", tally.connections},
                             {"failed", tally.failed},
                             {"bytes_received", tally.octets_received},
                             {"bytes_sent", tally.octets_sent}};
    }
    Json json = {{"address", format_address(network.address())},
                 {"interface", network.name()},
                 {"services", services},
                 {"frames_in", network.frames_in()},
                 {"frames_out", network.frames_out()}};
    if (const TapPortCounters* tap = network.tap_counters()) {
        json["batches_in"] = tap->batches_in;
        json["acks_thinned"] = tap->acks_thinned;
        json["frames_lost"] = tap->frames_lost;
    }
    return json.dump(2) + "\n";
}

std::string status_text(const Tallies& tallies, const NetworkHost& network) {
    return fmt::format("{} at {}, MTU {}\n", network.name(), format_address(network.address()), network.mtu()) +
           tallies_text(tallies);
}

}  // namespace lfn::cli
