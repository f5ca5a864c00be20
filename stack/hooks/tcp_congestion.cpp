// SPDX-License-Identifier: BSD-3-Clause
// Slow start, duplicate acknowledgements, Nagle's test, and the count of what goes out again.
#include "lwip/sys.h"
#include "tcp_state.hpp"

u32_t lfn_tcp_slow_start(const tcp_pcb* pcb, u32_t acked) {
    return lfn_slow_start_increase(lfn::state_of(pcb)->settings.slow_start_rate, acked, pcb->mss,
                                   (pcb->flags & TF_RTO) != 0);
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
    lfn::ecn_sent(pcb, state, seg);
    seg->lfn_sent_ms = sys_now();
    if (!lfn::goes_out_again(pcb, seg)) return;
    seg->flags |= TF_SEG_LFN_RESENT;
    ++state.counters.retransmitted_segments;
    state.counters.retransmitted_octets += seg->len;
}
