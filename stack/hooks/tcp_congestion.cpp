// SPDX-License-Identifier: BSD-3-Clause
// Slow start, duplicate acknowledgements, Nagle's test, and the count of what goes out again.
#include "lwip/sys.h"
#include "tcp_state.hpp"

namespace {

u32_t slow_start_increase(const tcp_pcb* pcb, const lfn::TcpState& state, u32_t delivered) {
    return lfn_slow_start_increase(state.settings.slow_start_rate, delivered, pcb->mss, (pcb->flags & TF_RTO) != 0);
}

}  // namespace

u32_t lfn_tcp_slow_start(const tcp_pcb* pcb, u32_t acked) {
    const lfn::TcpState& state = *lfn::state_of(pcb);
    return slow_start_increase(pcb, state, acked - LWIP_MIN(acked, state.credited));
}

// Noise says nothing of the path's capacity, so it does not stop the first slow start: what the peer holds behind a
// hole opens the window when it gets there, and not again when the hole is filled. Until a queue shows that the path is
// full.
void lfn::slow_start_credit(tcp_pcb* pcb, TcpState& state, u32_t octets) {
    const u32_t flight = pcb->snd_nxt - pcb->lastack;
    state.path_filled = state.path_filled || lfn_path_queue_shows(&state.path) || state.counters.rtos != 0;
    if (state.settings.loss_policy != LFN_LOSS_NOISE || state.path_filled || state.lost >= flight / 2) return;
    if (!state.nak_agreed && state.peer_holes == nullptr) return;  // a duplicate alone may mean anything
    if (pcb->cwnd >= pcb->ssthresh || flight < pcb->cwnd / lfn_tcp_cwnd_slack(pcb)) return;
    if (octets > flight - LWIP_MIN(flight, state.credited)) return;
    state.credited += octets;
    pcb->cwnd = lfn_cwnd_add(pcb->cwnd, slow_start_increase(pcb, state, octets));
}

// What was in flight a round trip ago is in flight once more, and slow start adds its rate of it: so much of cwnd may
// wait behind a busy driver. By the rate 1 that is RFC 7661's half.
u32_t lfn_tcp_cwnd_slack(const tcp_pcb* pcb) {
    return 1U + LWIP_MAX(u32_t{lfn::state_of(pcb)->settings.slow_start_rate}, 1U);
}

// How far from the left edge may be sent: what the peer holds behind holes is not in the pipe (RFC 6675 4), but it is
// in the peer's window.
u32_t lfn_tcp_usable(const tcp_pcb* pcb) {
    const lfn::TcpState& state = *lfn::state_of(pcb);
    if (pcb->state < ESTABLISHED) return LWIP_MIN(pcb->snd_wnd, pcb->cwnd);
    const u32_t shown = TCP_SEQ_LT(pcb->lastack, state.seen) ? state.seen - pcb->lastack : 0;
    const u32_t held = shown > state.resent ? shown - state.resent : 0;
    return LWIP_MIN(pcb->snd_wnd, lfn_cwnd_add(pcb->cwnd, held));
}

// RFC 6928 2; after a lost SYN one segment (RFC 5681 3.1).
u32_t lfn_tcp_initial_cwnd(const tcp_pcb* pcb, u32_t upstream) {
    const lfn::TcpState& state = *lfn::state_of(pcb);
    const u32_t segments = state.settings.initial_window;
    if (segments == 0) return upstream;
    if (state.syn_was_lost) return pcb->mss;
    return LWIP_MIN(segments * pcb->mss, LWIP_MAX(2U * pcb->mss, segments * 1460));
}

int lfn_tcp_dup_acks(const tcp_pcb* pcb) {
    const lfn::TcpState& state = *lfn::state_of(pcb);
    switch (state.settings.dup_acks) {
        case LFN_DUP_ACKS_ON:
            return 1;
        case LFN_DUP_ACKS_OFF:
            return 0;
        default:
            return !state.nak_agreed && state.peer_holes == nullptr;
    }
}

// The head of the unsent queue need not wait for more data: it goes out again, or holds what a full segment carries.
int lfn_tcp_nagle_full(const tcp_pcb* pcb) {
    const tcp_seg* head = pcb->unsent;
    return (head->flags & TF_SEG_LFN_RESENT) != 0 || head->len + LWIP_TCP_OPT_LENGTH(head->flags) >= pcb->mss;
}

void lfn_tcp_segment_sent(tcp_pcb* pcb, tcp_seg* seg) {
    lfn::TcpState& state = *lfn::state_of(pcb);
    lfn::flight_append(pcb, state.flight, seg);
    if (state.settings.ecn) lfn::ecn_sent(pcb, state, seg);
    seg->lfn_sent_ms = sys_now();
    if (!lfn::goes_out_again(pcb, seg)) {
        if ((TCPH_FLAGS(seg->tcphdr) & TCP_FIN) != 0) lfn::spare_note(pcb, state, seg, seg->lfn_sent_ms);
        return;
    }
    seg->flags |= TF_SEG_LFN_RESENT;
    ++state.counters.retransmitted_segments;
    state.counters.retransmitted_octets += seg->len;
}
