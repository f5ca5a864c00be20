// SPDX-License-Identifier: BSD-3-Clause
#include <nlohmann/json.hpp>

#include "ports/cli/cards.hpp"
#include "ports/cli/tcp_options.hpp"

namespace lfn::cli {

namespace {

using Json = nlohmann::ordered_json;

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

Json end(const lab::CardEndReport& report, const HostProfile* host) {
    Json work = Json::object();
    for (std::size_t i = 0; i < work_count; ++i) {
        work[std::string(name_of(static_cast<Work>(i)))] = seconds_of(report.work[i]);
    }
    return {{"host", host != nullptr ? host->name : "ideal"},
            {"card", counts(report.card)},
            {"driver", counts(report.driver)},
            {"lost_frames", report.lost},
            {"stack_refusals", report.stack_refusals},
            {"port_accesses", report.port_accesses},
            {"work_seconds", work}};
}

}  // namespace

std::string card_json(const TransferRequest& request, const CardRequest& cards, const lab::CardTransferReport& report,
                      double wall_seconds) {
    const lab::CardTransferOptions& transfer = cards.transfer;
    Json json = {{"card", name_of(transfer.card)},
                 {"failure", report.failure.empty() ? Json(nullptr) : Json(report.failure)},
                 {"virtual_seconds", report.seconds},
                 {"wall_seconds", wall_seconds},
                 {"lost_frames", report.lost()},
                 {"a_to_b", flow(report.forward, transfer.octets)},
                 {"b_to_a", flow(report.backward, transfer.octets_back)},
                 {"a", end(report.ends[0], transfer.hosts[0])},
                 {"b", end(report.ends[1], transfer.hosts[1])},
                 {"wire", counts(report.wire)},
                 {"wire_load", report.wire_load},
                 {"seed", transfer.seed},
                 {"settings",
                  {{"window_bytes", transfer.window},
                   {"mss", transfer.mss != 0 ? Json(transfer.mss) : Json(nullptr)},
                   {"nak", nak_name(request.transfer.tcp)},
                   {"stations", transfer.wire.stations},
                   {"background", transfer.wire.background},
                   {"frame_error_rate", transfer.wire.frame_error_rate}}}};
    return json.dump(2);
}

}  // namespace lfn::cli
