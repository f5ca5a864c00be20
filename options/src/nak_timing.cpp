// SPDX-License-Identifier: BSD-3-Clause
#include "nak_timing.hpp"

#include <algorithm>

#include "smoothed_rtt.hpp"

namespace lfn {

namespace {

constexpr std::uint32_t margin_floor_ms = 10;  // a timer's and a driver's unevenness on a short path (guess)

std::uint32_t round_trip_ms(const lfn_nak_receiver& r) {
    return r.has_rtt ? r.srtt_x8 / 8 : LFN_NAK_INITIAL_MS;
}

// The eighth of srtt keeps a run of equal samples from closing the margin: 580 ms then leaves 72 ms.
std::uint32_t margin_ms(const lfn_nak_receiver& r) {
    return std::max({r.rttvar_x4, r.srtt_x8 / 64, margin_floor_ms});
}

void take_sample(lfn_nak_receiver& r, std::uint32_t rtt_ms) {
    smooth_rtt(r.has_rtt, rtt_ms, r.srtt_x8, r.rttvar_x4);
    r.min_rtt_ms = r.has_rtt ? std::min(r.min_rtt_ms, rtt_ms) : rtt_ms;
    r.has_rtt = true;
    r.backoff = 0;
}

// A fill came too soon to be an answer. Returns false if reordering cannot explain it: with the delay at its longest,
// it is the round trip that has become shorter.
bool blame_reordering(lfn_nak_receiver& r, const lfn_hole& hole, bool named, Seq now_ms) {
    r.clean_fills = 0;
    const bool first = r.delay_quarters == 0;
    if (!first && (!named || !Seq(hole.named_ms).after(Seq(r.delay_since_ms)))) return true;
    if (first || (nak_reordering_delay_ms(r) < round_trip_ms(r) && r.delay_quarters != UINT8_MAX)) {
        ++r.delay_quarters;
        r.delay_since_ms = now_ms.value();
        return true;
    }
    r.has_rtt = false;
    r.delay_quarters = 0;
    return false;
}

void count_clean_fill(lfn_nak_receiver& r) {
    if (r.delay_quarters == 0) return;
    if (++r.clean_fills < LFN_NAK_CLEAN_FILLS) return;
    r.clean_fills = 0;
    --r.delay_quarters;
}

bool named_before(const lfn_hole& hole, const Answer& answer) {
    const Seq named_ms(hole.named_ms);
    return named_ms == answer.named_ms ? Seq(hole.start).before(answer.at) : named_ms.before(answer.named_ms);
}

}  // namespace

std::uint32_t nak_interval_ms(const lfn_nak_receiver& r, unsigned doublings) {
    const std::uint64_t base_ms = r.has_rtt ? std::uint64_t{round_trip_ms(r)} + margin_ms(r) : LFN_NAK_INITIAL_MS;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(base_ms << doublings, LFN_NAK_INTERVAL_MAX_MS));
}

std::uint32_t nak_reordering_delay_ms(const lfn_nak_receiver& r) {
    const std::uint32_t quarter_ms = std::max((r.has_rtt ? r.min_rtt_ms : LFN_NAK_INITIAL_MS) / 4, std::uint32_t{1});
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(std::uint64_t{quarter_ms} * r.delay_quarters, round_trip_ms(r)));
}

Answer nak_judge_fill(lfn_nak_receiver& r, lfn_hole& hole, Seq at, Seq now_ms) {
    if (hole.found_again) return {};
    if (hole.times > 1) {
        // Karn: which naming was answered is unknown, so the longer wait stays in force until a clear sample.
        r.backoff = std::max(r.backoff, hole.backoff);
        return {};
    }
    const bool named = hole.times == 1 && at.before(Seq(hole.named_to));
    const std::uint32_t since_ms = now_ms.offset_from(Seq(named ? hole.named_ms : hole.opened_ms));
    const bool too_soon = since_ms < round_trip_ms(r) / 2 && (r.has_rtt || !named);
    if (too_soon && blame_reordering(r, hole, named, now_ms)) return {};
    if (!named) return {};
    if (!hole.answered) {
        take_sample(r, since_ms);
        count_clean_fill(r);
        hole.answered = true;
    }
    return {true, Seq(hole.named_ms), at};
}

void nak_apply_order(lfn_nak_receiver& r, const Answer& answer, Seq now_ms) {
    if (!answer.known || !r.renak) return;
    const Seq overtaken_due = now_ms + nak_reordering_delay_ms(r);
    const Seq coming_due = now_ms + margin_ms(r);
    for (std::uint16_t i = 0; i < r.count; ++i) {
        lfn_hole& hole = r.holes[i];
        if (hole.times == 0) continue;
        const Seq due(hole.due_ms);
        if (!named_before(hole, answer)) {
            hole.due_ms = later_of(due, coming_due).value();
        } else if (hole.times < LFN_NAK_TIMES_MAX) {
            hole.due_ms = earlier_of(due, overtaken_due).value();
        }
    }
}

}  // namespace lfn

void lfn_nak_receiver_hint_rtt(struct lfn_nak_receiver* r, uint32_t rtt_ms) {
    if (!r->has_rtt) lfn::take_sample(*r, rtt_ms);
}

uint32_t lfn_nak_receiver_srtt_ms(const struct lfn_nak_receiver* r) {
    return r->has_rtt ? r->srtt_x8 / 8 : 0;
}
