// SPDX-License-Identifier: BSD-3-Clause
// The sender's side of option A: segments that are named go out again, before new data, once per round trip.
#include "lwip/pbuf.h"
#include "lwip/sys.h"
#include "tcp_state.hpp"

namespace {

// A driver still holds the segment; it must not be touched, and is on its way anyway.
bool busy(const tcp_seg* seg) {
    return seg->p->ref != 1;
}

bool may_resend(const lfn::TcpState& state, const tcp_seg* seg, u32_t now) {
    if (busy(seg)) return false;
    const bool before = (seg->flags & TF_SEG_LFN_RESENT) != 0;
    return lfn_nak_may_resend(before, seg->lfn_resent_ms, now, lfn_rto_srtt_ms(&state.rto));
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

// Requeues what starts in [from, to), and what `from` lies in. Returns whether there was anything.
bool requeue_range(tcp_pcb* pcb, lfn::TcpState& state, u32_t from, u32_t to, u32_t now) {
    bool any = false;
    lfn::FlightPlace at = lfn::flight_find(pcb, state, from);
    tcp_seg** place = &pcb->unsent;
    while (*at.link != nullptr && TCP_SEQ_LT(lfn::seq_of(*at.link), to)) {
        tcp_seg* seg = *at.link;
        if (TCP_SEQ_GT(lfn::end_of(seg), from) && may_resend(state, seg, now)) {
            seg->flags |= TF_SEG_LFN_RESENT;
            seg->lfn_resent_ms = now;
            lfn::flight_take(pcb, state.flight, at);
            place = requeue(pcb, seg, place);
            any = true;
        } else {
            lfn::flight_advance(state.flight, at);
        }
    }
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
    return requeue_range(pcb, state, from, to, now);
}

void lfn::nak_taken(tcp_pcb* pcb, TcpState& state) {
    lfn_congestion congestion = {pcb->cwnd, pcb->ssthresh};
    const auto policy = static_cast<lfn_loss_policy>(state.settings.loss_policy);
    if (lfn_loss_on_nak(policy, &congestion, pcb->snd_nxt - pcb->lastack, pcb->mss, pcb->lastack, pcb->snd_nxt,
                        &state.recover, &state.in_recovery)) {
        pcb->bytes_acked = 0;
    }
    pcb->cwnd = congestion.cwnd;
    pcb->ssthresh = congestion.ssthresh;
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

void lfn_tcp_ack_received(tcp_pcb* pcb) {
    lfn::TcpState& state = *lfn::state_of(pcb);
    if (pcb->unsent == nullptr) pcb->persist_backoff = 0;  // lwIP would go on probing, with nothing to probe with
    if (pcb->lastack != state.last_una) {
        state.last_una = pcb->lastack;
        lfn_rto_reset_backoff(&state.rto);
        lfn_loss_on_ack(pcb->lastack, state.recover, &state.in_recovery);
        if (pcb->rtime >= 0) tcp_rtime_start(pcb);  // lwIP did it before it took the sample
    }
    if (state.rx.nak_count == 0 && state.sack_count == 0 && state.peer_holes == nullptr) return;
    const u32_t now = sys_now();
    bool any = state.rx.nak_count != 0 && take_naks(pcb, state, now);
    any |= lfn::sack_take(pcb, state, now);
    if (any) lfn::nak_taken(pcb, state);
}
