// SPDX-License-Identifier: BSD-3-Clause
#include "ports/cli/compare_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lfn/loss_policy.h"
#include "ports/cli/units.hpp"

namespace lfn::cli {

namespace {

using compare::Conditions;
using compare::RowResult;
using compare::Tcp;
using Json = nlohmann::ordered_json;

double bit_error_rate_of(const Conditions& conditions) {
    return conditions.path.bit_error_rate.value_or(conditions.link->bit_error_rate.value);
}

// How losses are told to the sender: SACK, NAK between two of ours, or not at all.
std::string_view tells_losses(const compare::RowSpec& spec, const Conditions& conditions) {
    const bool naks = spec.sender == Tcp::lfn && spec.receiver == Tcp::lfn && conditions.tcp.nak_mode != 0;
    if (naks) return "NAK";
    return spec.sack ? "SACK" : "-";
}

std::string head(const CompareReport& report) {
    const Conditions& conditions = report.conditions;
    const BridgeReport link = report.rows.empty() ? BridgeReport{} : report.rows.front().link;
    const std::uint64_t rate_bps = conditions.path.rate_bps.value_or(conditions.link->rate_bps.value);
    const Duration one_way = conditions.path.one_way_delay.value_or(conditions.link->one_way_delay.value);
    return fmt::format(
        "{} over {}: {}, {} round trip, bit error rate {}, a queue of {} frames that {}, MTU {}, seed {}\n"
        "lfn: window {}, {}, slow start {}, RTO margin {} ms; {} transfers, {} at once\n\n",
        format_bytes(conditions.octets), conditions.link->name, format_rate(rate_bps), format_milliseconds(2 * one_way),
        format_error_rate(bit_error_rate_of(conditions)), link.queue_frames,
        conditions.when_full == WhenFull::hold ? "holds the sender up" : "drops", conditions.mtu, conditions.path.seed,
        format_window(conditions.tcp.receive_window),
        conditions.tcp.loss_policy == LFN_LOSS_NOISE ? "losses taken for noise" : "losses taken for congestion",
        conditions.tcp.slow_start_rate, conditions.tcp.rto_margin_ms, report.rows.size() + report.unfinished,
        report.at_once);
}

std::string verdict(const RowResult& row) {
    if (!row.failure.empty()) return "failed: " + row.failure;
    if (row.intact) return "equal";
    return fmt::format("cut off after {} bytes, not compared", format_count(row.octets));
}

std::string row_text(const RowResult& row, const Conditions& conditions, double ceiling) {
    const std::string share = ceiling > 0 ? fmt::format("{:.1f} %", 100 * row.goodput_bytes_s / ceiling) : "-";
    return fmt::format("{:<8}{:<8}{:<9}{:<7}{:>8.1f} kB/s{:>9}{:>9.1f} s{:>8}   {}\n", name_of(row.spec.sender),
                       name_of(row.spec.receiver), row.spec.control.empty() ? "-" : row.spec.control,
                       tells_losses(row.spec, conditions), row.goodput_bytes_s / 1e3, share, seconds_of(row.duration),
                       format_count(row.sent.retransmitted_segments), verdict(row));
}

// The delay that the worst of the links kept at the median: whether the measurement disturbed itself.
std::string kept_text(const std::vector<RowResult>& rows) {
    const auto off = [](const RowResult& row) { return row.link.delay.p50 - row.link.profile_delay; };
    const auto worst = std::max_element(rows.begin(), rows.end(),
                                        [&](const RowResult& a, const RowResult& b) { return off(a) < off(b); });
    if (worst == rows.end()) return {};
    return fmt::format("the links kept their delay of {} within {:.3f} ms at the median\n",
                       format_milliseconds(worst->link.profile_delay), seconds_of(off(*worst)) * 1e3);
}

Json row_json(const RowResult& row, const Conditions& conditions, double ceiling) {
    const auto lost = [&](DropCause cause) { return row.link.counters.dropped(cause).frames; };
    return {{"from", name_of(row.spec.sender)},
            {"to", name_of(row.spec.receiver)},
            {"control", row.spec.control.empty() ? Json(nullptr) : Json(row.spec.control)},
            {"losses_told_by", tells_losses(row.spec, conditions)},
            {"bytes", row.octets},
            {"seconds", seconds_of(row.duration)},
            {"goodput_bytes_per_second", row.goodput_bytes_s},
            {"share_of_ceiling", ceiling > 0 ? Json(row.goodput_bytes_s / ceiling) : Json(nullptr)},
            {"retransmitted_segments", row.sent.retransmitted_segments},
            {"mss", row.sent.mss},
            {"lost_to_bit_errors", lost(DropCause::bit_error)},
            {"lost_to_the_queue", lost(DropCause::queue_full)},
            {"digest", row.intact ? Json(row.sent.digest) : Json(nullptr)},
            {"intact", row.intact},
            {"cut_off", row.failure.empty() && !row.intact},
            {"failure", row.failure.empty() ? Json(nullptr) : Json(row.failure)},
            {"delay_seconds_p50", seconds_of(row.link.delay.p50)}};
}

}  // namespace

std::string compare_text(const CompareReport& report) {
    const double ceiling = compare::ceiling_bytes_s(report.conditions);
    std::string text = head(report);
    text += fmt::format("{:<8}{:<8}{:<9}{:<7}{:>13}{:>9}{:>11}{:>8}   {}\n", "from", "to", "control", "told by",
                        "goodput", "ceiling", "time", "resent", "digest");
    for (const RowResult& row : report.rows) text += row_text(row, report.conditions, ceiling);
    if (ceiling > 0) text += fmt::format("\nthe ceiling is {:.1f} kB/s; ", ceiling / 1e3);
    return text + kept_text(report.rows);
}

std::string compare_json(const CompareReport& report) {
    const Conditions& conditions = report.conditions;
    const double ceiling = compare::ceiling_bytes_s(conditions);
    Json rows = Json::array();
    for (const RowResult& row : report.rows) rows.push_back(row_json(row, conditions, ceiling));
    return Json{{"link", conditions.link->name},
                {"bit_error_rate", bit_error_rate_of(conditions)},
                {"seed", conditions.path.seed},
                {"mtu", conditions.mtu},
                {"when_full", conditions.when_full == WhenFull::hold ? "hold" : "drop"},
                {"bytes", conditions.octets},
                {"ceiling_bytes_per_second", ceiling > 0 ? Json(ceiling) : Json(nullptr)},
                {"at_once", report.at_once},
                {"unfinished", report.unfinished},
                {"rows", rows}}
        .dump(2);
}

}  // namespace lfn::cli
