// SPDX-License-Identifier: BSD-3-Clause
#include <nlohmann/json.hpp>

#include "ports/cli/cards.hpp"
#include "ports/cli/tcp_options.hpp"
#include "ports/lab/card_host.hpp"

namespace lfn::cli {

namespace {

using Json = nlohmann::ordered_json;
using lab::or_ideal;

Json counts(const std::vector<lab::NamedCount>& list) {
    Json json = Json::object();
    for (const lab::NamedCount& count : list) json[std::string(count.name)] = count.value;
    return json;
}

Json flow(const lab::CardFlowReport& report, std::uint64_t wanted) {
    if (wanted == 0) return nullptr;
    return {{"intact", report.intact},
            {"delivered_bytes", report.octets},
            {"goodput_bytes_per_second", report.goodput},
            {"virtual_seconds", report.seconds},
            {"sent_digest", report.sent_digest},
            {"received_digest", report.received_digest},
            {"segments", report.segments},
            {"retransmitted_segments", report.sender.retransmitted_segments},
            {"rtos", report.sender.rtos},
            {"naks_sent", report.receiver.naks_sent},
            {"naks_honoured", report.sender.naks_honoured}};
}

Json work(const std::array<Duration, work_count>& spent) {
    Json json = Json::object();
    for (std::size_t i = 0; i < work_count; ++i) {
        json[std::string(name_of(static_cast<Work>(i)))] = seconds_of(spent[i]);
    }
    return json;
}

Json port_json(const lab::CardPortReport& report, lab::NicKind kind) {
    return {{"kind", name_of(kind)},
            {"card", counts(report.card)},
            {"driver", counts(report.driver)},
            {"lost_frames", report.lost},
            {"port_accesses", report.port_accesses}};
}

Json end(const lab::CardEndReport& report, lab::NicKind kind, const HostProfile* host) {
    Json json = {{"host", or_ideal(host).name}};
    json.update(port_json(report, kind));
    json["stack_refusals"] = report.stack_refusals;
    json["work_seconds"] = work(report.work);
    return json;
}

Json gateway(const lab::CardTransferReport& report, const lab::CardTransferOptions& transfer) {
    if (!report.router) return nullptr;
    const lab::CardRouter::Counters& c = report.router->counters;
    return {{"host", or_ideal(transfer.router).name},
            {"forwarded", c.forwarded},
            {"malformed", c.malformed},
            {"not_routed", c.not_routed},
            {"expired", c.expired},
            {"too_long", c.too_long},
            {"queue_full", c.queue_full},
            {"towards_a", port_json(report.router->ports[0], transfer.cards[0])},
            {"towards_b", port_json(report.router->ports[1], transfer.cards[1])},
            {"work_seconds", work(report.router->work)}};
}

Json wires(const lab::CardTransferReport& report) {
    Json json = Json::array();
    for (const lab::CardWireReport& wire : report.wires) {
        json.push_back({{"cards", name_of(wire.kind)}, {"load", wire.load}, {"counters", counts(wire.counters)}});
    }
    return json;
}

}  // namespace

std::string card_json(const TransferRequest& request, const CardRequest& cards, const lab::CardTransferReport& report,
                      double wall_seconds) {
    const lab::CardTransferOptions& transfer = cards.transfer;
    Json json = {{"failure", report.failure.empty() ? Json(nullptr) : Json(report.failure)},
                 {"virtual_seconds", report.seconds},
                 {"wall_seconds", wall_seconds},
                 {"lost_frames", report.lost()},
                 {"a_to_b", flow(report.forward, transfer.octets)},
                 {"b_to_a", flow(report.backward, transfer.octets_back)},
                 {"a", end(report.ends[0], transfer.cards[0], transfer.hosts[0])},
                 {"b", end(report.ends[1], transfer.cards[1], transfer.hosts[1])},
                 {"gateway", gateway(report, transfer)},
                 {"wires", wires(report)},
                 {"seed", transfer.seed},
                 {"settings",
                  {{"window_bytes", transfer.window},
                   {"mss", transfer.mss != 0 ? Json(transfer.mss) : Json(nullptr)},
                   {"nak", nak_name(request.transfer.tcp)},
                   {"stations", transfer.wire.stations},
                   {"background", transfer.wire.background},
                   {"frame_error_rate", transfer.wire.frame_error_rate}}}};
    if (!request.pcap.empty()) json["captures"] = {{"a", transfer.captures[0]}, {"b", transfer.captures[1]}};
    return json.dump(2);
}

}  // namespace lfn::cli
