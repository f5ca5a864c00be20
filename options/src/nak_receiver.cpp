// SPDX-License-Identifier: BSD-3-Clause
// The table of holes. What falls due when, and what a fill teaches, is in nak_timing.cpp.
#include "lfn/nak_receiver.h"

#include <algorithm>

#include "contract.hpp"
#include "lfn/seq.hpp"
#include "nak_timing.hpp"

using lfn::Answer;
using lfn::earlier_of;
using lfn::later_of;
using lfn::Seq;

namespace {

static_assert(LFN_NAK_HOLES >= 1 && LFN_NAK_HOLES <= UINT16_MAX);

// The next naming of a hole: from which octet, and not before when.
struct Naming {
    bool possible;
    Seq from;
    Seq due_ms;
};

bool fully_named(const lfn_hole& hole) {
    return hole.named_to == hole.end;
}

lfn_hole new_hole(Seq start, Seq end, Seq now_ms, uint32_t delay_ms) {
    lfn_hole hole{};
    hole.start = hole.named_to = start.value();
    hole.end = end.value();
    hole.opened_ms = now_ms.value();
    hole.due_ms = (now_ms + delay_ms).value();
    return hole;
}

void remove_holes(lfn_nak_receiver& r, size_t first, size_t n) {
    std::copy(r.holes + first + n, r.holes + r.count, r.holes + first);
    r.count = static_cast<uint16_t>(r.count - n);
}

void insert_hole(lfn_nak_receiver& r, size_t at, const lfn_hole& hole) {
    std::copy_backward(r.holes + at, r.holes + r.count, r.holes + r.count + 1);
    r.holes[at] = hole;
    ++r.count;
}

enum class Price { a_named_hole, any_hole };

// Makes sure that an entry is free, if need be by forgetting the newest hole whose index is at least `first`.
bool make_room(lfn_nak_receiver& r, size_t first, Price price) {
    if (r.count < LFN_NAK_HOLES) return true;
    for (size_t i = r.count; i-- > first && r.mode == LFN_NAK_EVERY_GAP;) {
        if (!fully_named(r.holes[i])) continue;
        remove_holes(r, i, 1);
        return true;
    }
    if (price != Price::any_hole || r.count <= first) return false;
    --r.count;
    return true;
}

void open_hole(lfn_nak_receiver& r, Seq start, Seq end, Seq now_ms) {
    if (!make_room(r, 1, Price::a_named_hole)) return;
    insert_hole(r, r.count, new_hole(start, end, now_ms, lfn::nak_reordering_delay_ms(r)));
}

// Data lies above the left edge, so what begins there is missing, whether or not it is still in the table.
void find_left_edge_again(lfn_nak_receiver& r, Seq now_ms) {
    const Seq edge(r.rcv_nxt);
    if (!edge.before(Seq(r.highest)) || (r.count != 0 && r.holes[0].start == r.rcv_nxt)) return;
    const Seq limit(r.count != 0 ? r.holes[0].start : r.highest);
    const bool fell_short = r.guess_octets != 0 && r.guess_end == r.rcv_nxt;
    r.guess_octets = fell_short ? std::min(r.guess_octets * 2, uint32_t{1} << 24) : std::max(r.segment_max, 1U);
    const uint32_t octets = std::min(r.guess_octets, limit.offset_from(edge));
    r.guess_end = (edge + octets).value();
    make_room(r, 0, Price::any_hole);
    lfn_hole hole = new_hole(edge, edge + octets, now_ms, 0);
    hole.found_again = true;
    insert_hole(r, 0, hole);
}

void trim_start(lfn_hole& hole, Seq start) {
    hole.start = start.value();
    hole.named_to = later_of(Seq(hole.named_to), start).value();
}

void trim_end(lfn_hole& hole, Seq end) {
    hole.end = end.value();
    hole.named_to = earlier_of(Seq(hole.named_to), end).value();
}

// Takes [from, to), which overlaps it, out of hole i. Returns the index of the first hole above `to`.
size_t cut(lfn_nak_receiver& r, size_t i, Seq from, Seq to) {
    lfn_hole& hole = r.holes[i];
    const bool keeps_start = Seq(hole.start).before(from);
    const bool keeps_end = to.before(Seq(hole.end));
    if (!keeps_start && !keeps_end) {
        remove_holes(r, i, 1);
        return i;
    }
    if (keeps_start && keeps_end && make_room(r, i + 1, Price::any_hole)) {
        lfn_hole upper = hole;
        trim_start(upper, to);
        insert_hole(r, i + 1, upper);
    }
    if (keeps_start) {
        trim_end(hole, from);
    } else {
        trim_start(hole, to);
    }
    return i + 1;
}

// [from, to) has arrived and begins below `highest`. Returns the latest NAK that it certainly answers.
Answer fill(lfn_nak_receiver& r, Seq from, Seq to, Seq now_ms) {
    Answer latest;
    size_t i = 0;
    while (i < r.count && Seq(r.holes[i].start).before(to)) {
        lfn_hole& hole = r.holes[i];
        if (!from.before(Seq(hole.end))) {
            ++i;
            continue;
        }
        const Answer answer = lfn::nak_judge_fill(r, hole, later_of(from, Seq(hole.start)), now_ms);
        if (answer.known && !(latest.known && answer.named_ms.before(latest.named_ms))) latest = answer;
        i = cut(r, i, from, to);
    }
    return latest;
}

// Strictly left-edge, a part not yet named waits until the edge has passed the part that was.
Naming next_naming(const lfn_nak_receiver& r, const lfn_hole& hole) {
    const Seq start(hole.start);
    const bool wait_for_edge = r.mode == LFN_NAK_LEFT_EDGE && hole.named_to != hole.start;
    if (hole.times == 0) return {true, start, Seq(hole.due_ms)};
    if (fully_named(hole) || wait_for_edge) return {r.renak, start, Seq(hole.due_ms)};
    return {true, Seq(hole.named_to), Seq(hole.opened_ms)};
}

size_t nameable_holes(const lfn_nak_receiver& r) {
    if (r.mode == LFN_NAK_EVERY_GAP) return r.count;
    const bool holds_edge = r.count != 0 && r.holes[0].start == r.rcv_nxt;
    return r.mode == LFN_NAK_LEFT_EDGE && holds_edge ? 1 : 0;
}

uint8_t segments_for(uint32_t octets, uint16_t mss) {
    return static_cast<uint8_t>(std::min<uint32_t>((octets - 1) / mss + 1, LFN_NAK_SEGMENTS_MAX));
}

// Names [from, end) in pieces of at most 255 segments; returns how many.
size_t name_in_pieces(Seq from, Seq end, uint16_t mss, lfn_nak* out, size_t max) {
    size_t n = 0;
    while (n < max && from.before(end)) {
        out[n].seq = from.value();
        out[n].segments = segments_for(end.offset_from(from), mss);
        from = from + uint32_t{out[n].segments} * mss;
        ++n;
    }
    return n;
}

lfn_hole* hole_holding(lfn_nak_receiver& r, uint32_t seq) {
    lfn_hole* const end = r.holes + r.count;
    lfn_hole* const hole =
        std::find_if(r.holes, end, [&](const lfn_hole& h) { return lfn_seq_between(h.start, seq, h.end); });
    return hole == end ? nullptr : hole;
}

void count_naming(lfn_hole& hole, uint8_t inherited_backoff) {
    if (hole.times == 0) {
        hole.backoff = inherited_backoff;
    } else if (hole.backoff < LFN_NAK_TIMES_MAX - 1) {
        ++hole.backoff;
    }
    if (hole.times != UINT8_MAX) ++hole.times;
}

// A naming begins at the hole's start, for the first time or again, or goes on where the last piece ended.
void mark_named(lfn_nak_receiver& r, lfn_hole& hole, Seq from, Seq to, Seq now_ms) {
    const bool begins = from == Seq(hole.start);
    const bool again = begins && hole.named_to != hole.start;
    if (!begins && from != Seq(hole.named_to)) return;
    if (begins) hole.answered = false;
    if (hole.times == 0 || again) count_naming(hole, r.backoff);
    hole.named_to = earlier_of(to, Seq(hole.end)).value();
    hole.named_ms = now_ms.value();
    hole.due_ms = (now_ms + lfn::nak_interval_ms(r, hole.backoff)).value();
}

}  // namespace

void lfn_nak_receiver_init(struct lfn_nak_receiver* r, enum lfn_nak_mode mode, bool renak, uint32_t rcv_nxt) {
    *r = lfn_nak_receiver{};
    r->mode = static_cast<uint8_t>(mode);
    r->renak = renak;
    r->rcv_nxt = r->highest = rcv_nxt;
}

void lfn_nak_receiver_segment(struct lfn_nak_receiver* r, uint32_t seq, uint32_t end, uint32_t now_ms) {
    const Seq from(seq);
    const Seq to(end);
    const Seq highest(r->highest);
    if (r->mode == LFN_NAK_OFF || !from.before(to) || !Seq(r->rcv_nxt).before(to)) return;
    r->segment_max = std::max(r->segment_max, to.offset_from(from));
    if (from.before(highest)) {
        lfn::nak_apply_order(*r, fill(*r, from, to, Seq(now_ms)), Seq(now_ms));
    } else if (from.after(highest)) {
        open_hole(*r, highest, from, Seq(now_ms));
    }
    r->highest = later_of(to, highest).value();
}

void lfn_nak_receiver_advance(struct lfn_nak_receiver* r, uint32_t rcv_nxt, uint32_t now_ms) {
    const Seq edge(rcv_nxt);
    if (edge.before(Seq(r->rcv_nxt))) return;
    r->rcv_nxt = rcv_nxt;
    r->highest = later_of(Seq(r->highest), edge).value();
    size_t passed = 0;
    while (passed < r->count && !edge.before(Seq(r->holes[passed].end))) ++passed;
    if (passed != 0) remove_holes(*r, 0, passed);
    if (r->count != 0 && Seq(r->holes[0].start).before(edge)) trim_start(r->holes[0], edge);
    find_left_edge_again(*r, Seq(now_ms));
}

bool lfn_nak_receiver_next(struct lfn_nak_receiver* r, uint32_t seq, uint32_t end, uint32_t rcv_nxt) {
    const bool expected = r->count == 0 && seq == r->rcv_nxt && seq == r->highest && end == rcv_nxt;
    if (!expected || !Seq(seq).before(Seq(end))) return false;
    r->segment_max = std::max(r->segment_max, end - seq);
    r->rcv_nxt = r->highest = rcv_nxt;
    return true;
}

size_t lfn_nak_receiver_collect(const struct lfn_nak_receiver* r, uint16_t mss, uint32_t now_ms, struct lfn_nak* out,
                                size_t max) {
    lfn::require(mss != 0);
    if (r->mode == LFN_NAK_LEFT_EDGE) max = std::min<size_t>(max, 1);
    const size_t holes = nameable_holes(*r);
    size_t n = 0;
    for (size_t i = 0; i < holes && n < max; ++i) {
        const Naming naming = next_naming(*r, r->holes[i]);
        if (!naming.possible || Seq(now_ms).before(naming.due_ms)) continue;
        n += name_in_pieces(naming.from, Seq(r->holes[i].end), mss, out + n, max - n);
    }
    return n;
}

void lfn_nak_receiver_sent(struct lfn_nak_receiver* r, const struct lfn_nak* naks, size_t n, uint16_t mss,
                           uint32_t now_ms) {
    for (size_t i = 0; i < n; ++i) {
        lfn_hole* const hole = hole_holding(*r, naks[i].seq);
        const Seq from(naks[i].seq);
        if (hole) mark_named(*r, *hole, from, from + uint32_t{naks[i].segments} * mss, Seq(now_ms));
    }
}

bool lfn_nak_receiver_next_ms(const struct lfn_nak_receiver* r, uint32_t now_ms, uint32_t* delay_ms) {
    const Seq now(now_ms);
    const size_t holes = nameable_holes(*r);
    bool any = false;
    for (size_t i = 0; i < holes; ++i) {
        const Naming naming = next_naming(*r, r->holes[i]);
        if (!naming.possible) continue;
        const uint32_t wait_ms = naming.due_ms.after(now) ? naming.due_ms.offset_from(now) : 0;
        *delay_ms = any ? std::min(*delay_ms, wait_ms) : wait_ms;
        any = true;
    }
    return any;
}
