// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <nlohmann/json.hpp>

#include "lfn/big_window.h"
#include "ports/cli/tcp_options.hpp"
#include "ports/cli/transfer_report.hpp"

namespace lfn::cli {

namespace {

using Json = nlohmann::ordered_json;

Json or_null(bool known, double value) {
    return known ? Json(value) : Json(nullptr);
}

Json text_or_null(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

Json frames(const FrameCount& count) {
    return {{"frames", count.frames}, {"bytes", count.octets}};
}

Json direction(const lab::PathReport& path) {
    Json lost = Json::object();
    for (std::size_t i = 0; i < drop_cause_count; ++i) {
        lost[std::string(name_of(static_cast<DropCause>(i)))] = frames(path.counters.dropped_by_cause[i]);
    }
    return {{"sent", frames(path.counters.in)},       {"lost_by_cause", lost},
            {"marked", frames(path.counters.marked)}, {"segments", path.segments},
            {"payload_bytes", path.payload_octets},   {"lost_payload_bytes", path.lost_octets}};
}

std::string window_rule_name(std::uint8_t rule) {
    if (rule == LFN_WINDOW_BC) return "rfc1106";
    return rule == LFN_WINDOW_RFC7323 ? "rfc7323" : "16-bit";
}

// RFC 3390 unless segments are given, as RFC 6928 has them.
unsigned initial_window_octets(const lfn_tcp_settings& tcp, unsigned mss) {
    constexpr unsigned rfc3390_octets = 4380;
    if (tcp.initial_window > 0) return tcp.initial_window * mss;
    return std::min(4 * mss, std::max(2 * mss, rfc3390_octets));
}

Json settings(const TransferRequest& request) {
    const lab::TransferOptions& transfer = request.transfer;
    const LinkProfile& link = *transfer.link;
    const lfn_tcp_settings& tcp = transfer.tcp;
    return {{"link", link.name},
            {"rate_bits_per_second", transfer.rate_bps.value_or(link.rate_bps.value)},
            {"round_trip_seconds", seconds_of(transfer.round_trip.value_or(2 * link.one_way_delay.value))},
            {"jitter_seconds", seconds_of(transfer.jitter)},
            {"reorder", transfer.reorder},
            {"bit_error_rate", transfer.bit_error_rate.value_or(link.bit_error_rate.value)},
            {"window_bytes", transfer.window},
            {"mss", transfer.mss},
            {"bytes", transfer.octets},
            {"big_window", tcp.big_window},
            {"nak", nak_name(tcp)},
            {"dup_acks", dup_acks_name(tcp)},
            {"loss_policy", loss_policy_name(tcp)},
            {"slow_start", tcp.slow_start_rate},
            {"initial_window", tcp.initial_window > 0 ? Json(tcp.initial_window) : Json(nullptr)},
            {"initial_window_bytes", initial_window_octets(tcp, transfer.mss)},
            {"sack", tcp.sack},
            {"timestamps", tcp.timestamps},
            {"isolated", tcp.isolated},
            {"tail_probe", tcp.tail_probe},
            {"ecn", tcp.ecn},
            {"rto_margin_ms", tcp.rto_margin_ms},
            {"wire", wire_name(tcp)},
            {"peer", request.peer_is_lwip ? "lwip" : "lfn"},
            {"reverse", request.reverse}};
}

void add_measures(Json& json, const TransferRequest& request, const lab::TransferReport& report, double wall_seconds) {
    const bool limited = request.transfer.rate_bps.value_or(request.transfer.link->rate_bps.value) > 0;
    const bool instant = report.seconds <= 0 && report.delivered_octets > 0;
    json["goodput_bytes_per_second"] = or_null(!instant, report.goodput);
    json["ceiling_bytes_per_second"] = or_null(limited, report.ceiling);
    json["efficiency"] = or_null(limited, report.efficiency());
    json["intact"] = report.intact;
    json["failure"] = text_or_null(report.failure);
    json["delivered_bytes"] = report.delivered_octets;
    json["sent_digest"] = report.sent_digest;
    json["received_digest"] = report.received_digest;
    json["virtual_seconds"] = report.seconds;
    json["over_seconds"] = or_null(report.over_seconds > 0, report.over_seconds);
    json["wall_seconds"] = wall_seconds;
}

void add_recovery(Json& json, const TransferRequest& request, const lab::TransferReport& report) {
    const bool sender_tells = !(request.peer_is_lwip && request.reverse);
    const lfn_tcp_info& ours = request.reverse ? report.receiver : report.sender;
    json["packets"] = report.packets();
    json["lost_bytes"] = report.forward.lost_octets;
    json["retransmitted_bytes"] = report.forward.retransmitted_octets;
    json["retransmitted_segments"] = report.forward.retransmitted_segments;
    json["rtos"] = sender_tells ? Json(report.sender.rtos) : Json(nullptr);
    json["tail_probes"] = sender_tells ? Json(report.sender.probes) : Json(nullptr);
    json["window_reductions"] = sender_tells ? Json(report.sender.window_reductions) : Json(nullptr);
    json["paws_refused"] = report.sender.paws_refused + report.receiver.paws_refused;
    json["naks_sent"] = report.receiver.naks_sent;
    json["naks_received"] = report.sender.naks_received;
    json["naks_honoured"] = report.sender.naks_honoured;
    json["naks_refused"] = report.sender.naks_refused;
    json["nak_agreed"] = ours.nak_agreed;
    json["ecn_agreed"] = ours.ecn_agreed;
    json["ecn_reductions"] = sender_tells ? Json(report.sender.ecn_reductions) : Json(nullptr);
    json["window_rule"] = window_rule_name(ours.window_rule);
}

}  // namespace

std::string transfer_json(const TransferRequest& request, const lab::TransferReport& report, double wall_seconds) {
    Json json;
    add_measures(json, request, report, wall_seconds);
    add_recovery(json, request, report);
    json["forward"] = direction(report.forward);
    json["backward"] = direction(report.backward);
    json["competitors"] = Json::array();
    for (const lab::SharedFlowReport& flow : report.competitors) {
        json["competitors"].push_back({{"goodput_bytes_per_second", flow.measured_goodput},
                                       {"share", flow.share},
                                       {"delivered_bytes", flow.octets},
                                       {"intact", flow.intact}});
    }
    json["seed"] = request.transfer.seed;
    json["settings"] = settings(request);
    if (!request.pcap.empty()) {
        json["captures"] = {{"sender", request.transfer.sender_capture},
                            {"receiver", request.transfer.receiver_capture}};
    }
    return json.dump(2);
}

}  // namespace lfn::cli
