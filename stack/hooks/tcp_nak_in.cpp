// SPDX-License-Identifier: BSD-3-Clause
// The sender's side of option A: segments that are named go out again, before new data, once per round trip.
#include "lwip/pbuf.h"
#include "lwip/sys.h"
#include "tcp_state.hpp"

namespace {

bool may_resend(const lfn::TcpState& state, const tcp_seg* seg, u32_t now) {
    if (lfn::busy(seg)) return false;
    const bool before = (seg->flags & TF_SEG_LFN_RESENT) != 0;
    return lfn_nak_may_resend(before, seg->lfn_sent_ms, now, lfn_rto_srtt_ms(&state.rto));
}

// Puts the segment at its place in the unsent queue, which is sorted: before new data. The search begins at `place`;
// the next segment's may begin where it is returned.
tcp_seg** requeue(tcp_pcb* pcb, tcp_seg* seg, tcp_seg** place) {
    while (*place != nullptr && TCP_SEQ_LT(lfn::seq_of(*place), lfn::seq_of(seg))) place = &(*place)->next;
    seg->next = *place;
    *place = seg;
    LFN_TCP_SET_TAIL_IF(seg->next == nullptr, pcb, unsent, seg);
#if TCP_OVERSIZE
    if (seg->next == nullptr) pcb->unsent_oversize = 0;
#endif
    if (pcb->rttest != 0 && TCP_SEQ_LEQ(lfn::seq_of(seg), pcb->rtseq)) pcb->rttest = 0;  // Karn
    return &seg->next;
}

// The last segment that was named for the first time; null: there was none.
struct Fresh {
    const tcp_seg* seg = nullptr;
    u32_t sent_ms = 0;
};

void mark_named(lfn::TcpState& state, tcp_seg* seg, u32_t now, Fresh& fresh) {
    if ((seg->flags & TF_SEG_LFN_RESENT) == 0) {
        fresh = {seg, seg->lfn_sent_ms};
        state.lost += seg->len;
    }
    state.resent += seg->len;
    seg->flags |= TF_SEG_LFN_RESENT;
    seg->lfn_sent_ms = now;
}

// A hole is named when the segment behind it arrives, so that one's round trip is known; if the hole's last segment is
// a full one, for a count that was rounded up reaches beyond the one that arrived. A NAK proves nothing, so no round
// trip is believed to be shorter for one.
void measure(tcp_pcb* pcb, lfn::TcpState& state, const Fresh& lost, const tcp_seg* behind, u32_t now) {
    if (lost.seg == nullptr || behind == nullptr || (behind->flags & TF_SEG_LFN_RESENT) != 0) return;
    if (lost.seg->len != lfn::segment_unit(pcb, state) && behind->lfn_sent_ms != lost.sent_ms) return;
    const u32_t rtt_ms = LWIP_MAX(now - behind->lfn_sent_ms, lfn_path_floor_ms(&state.path));
    lfn::rtt_measured(pcb, state, lfn::seq_of(behind), rtt_ms);
}

// Requeues what starts in [from, to), and what `from` lies in. Returns whether there was anything.
bool requeue_range(tcp_pcb* pcb, lfn::TcpState& state, u32_t from, u32_t to, u32_t now) {
    bool any = false;
    Fresh fresh;
    lfn::FlightPlace at = lfn::flight_find(pcb, state, from);
    tcp_seg** place = &pcb->unsent;
    while (*at.link != nullptr && TCP_SEQ_LT(lfn::seq_of(*at.link), to)) {
        tcp_seg* seg = *at.link;
        if (TCP_SEQ_GT(lfn::end_of(seg), from) && may_resend(state, seg, now)) {
            mark_named(state, seg, now, fresh);
            lfn::flight_take(pcb, state.flight, at);
            place = requeue(pcb, seg, place);
            lfn::spare_note(pcb, state, seg, now);
            any = true;
        } else {
            lfn::flight_advance(state.flight, at);
        }
    }
    measure(pcb, state, fresh, *at.link, now);
    return any;
}

}  // namespace

bool lfn::nak_honour(tcp_pcb* pcb, TcpState& state, const lfn_nak& nak, u32_t now) {
    u32_t from = 0;
    u32_t to = 0;
    const u16_t unit = segment_unit(pcb, state);
    if (lfn_nak_clip(&nak, pcb->lastack, pcb->snd_nxt, unit, &from, &to) != LFN_NAK_HONOUR) {
        ++state.counters.naks_refused;
        return false;
    }
    if (TCP_SEQ_LT(state.seen, to)) state.seen = to;
    return requeue_range(pcb, state, from, to, now);
}

void lfn::send_again(tcp_pcb* pcb, TcpState& state, FlightPlace& place) {
    requeue(pcb, flight_take(pcb, state.flight, place), &pcb->unsent);
}

bool lfn::tail_resend(tcp_pcb* pcb, TcpState& state) {
    if (pcb->unacked == nullptr) return false;
    tcp_seg* tail = LFN_TCP_TAIL(pcb, unacked, pcb->unacked);
    if (busy(tail) || end_of(tail) - pcb->lastack > lfn_tcp_usable(pcb)) return false;
    FlightPlace at = flight_find(pcb, state, seq_of(tail));
    while (*at.link != tail) flight_advance(state.flight, at);
    send_again(pcb, state, at);
    spare_note(pcb, state, tail, sys_now());
    return true;
}

namespace {

// What the loss means.
bool congested(const tcp_pcb* pcb, lfn::TcpState& state) {
    if (state.settings.loss_policy != LFN_LOSS_AUTO) return state.settings.loss_policy == LFN_LOSS_CONGESTION;
    if (lfn_path_congested(&state.path, state.lost, pcb->snd_nxt - pcb->lastack)) return true;
    if (!TCP_SEQ_LT(pcb->lastack, state.kept_until)) {
        ++state.counters.losses_kept;
        state.kept_until = pcb->snd_nxt;
    }
    return false;
}

}  // namespace

bool lfn::window_reduce(tcp_pcb* pcb, TcpState& state) {
    lfn_congestion congestion = {pcb->cwnd, pcb->ssthresh};
    const u32_t flight = LWIP_MIN(pcb->cwnd, pcb->snd_nxt - pcb->lastack);  // more than cwnd has left the path already
    const u32_t left = state.settings.loss_policy == LFN_LOSS_AUTO ? lfn_path_reduced(&state.path, flight) : flight / 2;
    if (!lfn_loss_reduce(&congestion, left, pcb->mss, pcb->lastack, pcb->snd_nxt, &state.recover, &state.in_recovery)) {
        return false;
    }
    lfn_ecn_reduced(&state.ecn, pcb->snd_nxt);
    pcb->bytes_acked = 0;
    ++state.counters.window_reductions;
    pcb->cwnd = congestion.cwnd;
    pcb->ssthresh = congestion.ssthresh;
    return true;
}

void lfn::nak_taken(tcp_pcb* pcb, TcpState& state) {
    const u32_t cwnd = pcb->cwnd;
    const u32_t ssthresh = pcb->ssthresh;
    if (congested(pcb, state) && window_reduce(pcb, state)) state.undo = {true, cwnd, ssthresh, state.seen, sys_now()};
    tcp_rtime_start(pcb);  // the path works, and what was lost is on its way: no timeout before its round trip is over
}

namespace {

// Returns whether something is sent again.
bool take_naks(tcp_pcb* pcb, lfn::TcpState& state, u32_t now) {
    state.counters.naks_received += state.rx.nak_count;
    if (state.settings.nak_mode == LFN_NAK_OFF) {
        state.counters.naks_refused += state.rx.nak_count;
        return false;
    }
    state.nak_agreed = true;  // the peer has shown that it names holes
    bool any = false;
    for (u8_t i = 0; i < state.rx.nak_count; ++i) {
        if (!lfn::nak_honour(pcb, state, state.rx.naks[i], now)) continue;
        ++state.counters.naks_honoured;
        any = true;
    }
    return any;
}

}  // namespace

namespace {

// All that was named when the window came down has arrived. If that took less than a round trip it was on its way
// already, late and not lost, and the reduction is taken back (as RFC 4015 does for timeouts).
void undo_reduction(tcp_pcb* pcb, lfn::TcpState& state) {
    if (!state.undo.armed || TCP_SEQ_LT(pcb->lastack, state.undo.end)) return;
    state.undo.armed = false;
    if (sys_now() - state.undo.since_ms >= lfn_path_floor_ms(&state.path) / 4 * 3) return;
    pcb->cwnd = LWIP_MAX(pcb->cwnd, state.undo.cwnd);
    pcb->ssthresh = LWIP_MAX(pcb->ssthresh, state.undo.ssthresh);
    --state.counters.window_reductions;
}

// The left edge has moved.
__attribute__((noinline)) void advanced(tcp_pcb* pcb, lfn::TcpState& state) {
    state.credited -= LWIP_MIN(state.credited, pcb->lastack - state.last_una);
    state.last_una = pcb->lastack;
    if (TCP_SEQ_LT(state.seen, pcb->lastack)) state.seen = pcb->lastack;
    if (!TCP_SEQ_LT(pcb->lastack, state.lost_until)) {
        state.lost = state.resent = 0;
        state.lost_until = pcb->snd_nxt;
    }
    if (lfn::echoed(pcb, state)) {
        const u32_t rtt_ms = sys_now() - state.rx_timestamps.echo;
        lfn::rtt_measured(pcb, state, pcb->lastack - 1, rtt_ms);  // of a retransmission too (RFC 7323 4)
    }
    if (TCP_SEQ_LT(state.rtt_next, pcb->lastack)) state.rtt_next = pcb->lastack;
    undo_reduction(pcb, state);
    const bool started_for_too_long = state.probing || state.rto.backoff != 0;  // by lwIP, before it came here
    lfn::probe_answered(pcb, state);
    lfn_rto_reset_backoff(&state.rto);
    lfn_loss_on_ack(pcb->lastack, state.recover, &state.in_recovery);
    if (started_for_too_long && pcb->rtime >= 0) tcp_rtime_start(pcb);
}

}  // namespace

namespace {

// A duplicate acknowledgement stands for one more segment that the peer holds behind the hole (RFC 5681 3.2 step 4).
__attribute__((noinline)) void count_duplicate(tcp_pcb* pcb, lfn::TcpState& state) {
    if (!TCP_SEQ_LT(pcb->lastack, state.seen)) return;
    const u32_t unit = lfn::segment_unit(pcb, state);
    state.seen += LWIP_MIN(unit, pcb->snd_nxt - state.seen);
    lfn::slow_start_credit(pcb, state, unit);
}

// What the segment names, by option A or by SACK.
__attribute__((noinline)) void take_named(tcp_pcb* pcb, lfn::TcpState& state) {
    const u32_t now = sys_now();
    bool any = state.rx.nak_count != 0 && take_naks(pcb, state, now);
    any |= lfn::sack_take(pcb, state, now);
    if (any) lfn::nak_taken(pcb, state);
}

}  // namespace

// For every segment: what is rare is not inlined, so that the rest is short.
void lfn_tcp_ack_received(tcp_pcb* pcb) {
    lfn::TcpState& state = *lfn::state_of(pcb);
    if (pcb->unsent == nullptr) pcb->persist_backoff = 0;  // lwIP would go on probing, with nothing to probe with
    if (pcb->lastack != state.last_una) advanced(pcb, state);
    const bool duplicate = state.rx_length == 0 && state.rx_ack == pcb->lastack && pcb->snd_wnd == state.last_wnd;
    state.last_wnd = pcb->snd_wnd;
    if (duplicate) count_duplicate(pcb, state);
    if (state.settings.ecn) lfn::ecn_acknowledged(pcb, state);
    if (state.rx.nak_count != 0 || state.sack_count != 0 || state.peer_holes != nullptr) take_named(pcb, state);
}
