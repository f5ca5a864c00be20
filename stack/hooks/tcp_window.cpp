// SPDX-License-Identifier: BSD-3-Clause
// The window of a connection, between the pcb and the wire.
#include "tcp_state.hpp"

// What stands in the header's window field of a segment that is not a SYN.
u32_t lfn_tcp_rcv_wnd(const tcp_pcb* pcb, u32_t window) {
    if (lfn::state_of(pcb)->rule != LFN_WINDOW_BC) return window >> pcb->rcv_scale;
    return lfn_window_low(LWIP_MIN(window, LFN_WINDOW_MAX));
}

// The window that the segment in process announces. One without C, where C was agreed, announces none: the right edge
// stays where it is, so the window that counts from the acknowledgement shrinks by what is acknowledged.
u32_t lfn_tcp_snd_wnd(const tcp_pcb* pcb, u32_t header_window) {
    const lfn::TcpState& state = *lfn::state_of(pcb);
    const auto low = static_cast<u16_t>(header_window);
    if (state.rule != LFN_WINDOW_BC) return header_window << pcb->snd_scale;
    if (state.rx.has_c) {
        const u32_t window = lfn_window_join(state.rx.c_high, low);
        return window <= LFN_WINDOW_FLOOR ? window : LWIP_MIN(window, lfn::guard_window(pcb, state));
    }
    if (!TCP_SEQ_BETWEEN(state.rx_ack, pcb->lastack, pcb->snd_nxt)) return pcb->snd_wnd;
    const u32_t acked = state.rx_ack - pcb->lastack;
    return pcb->snd_wnd > acked ? pcb->snd_wnd - acked : 0;
}

// The whole receive window, empty.
u32_t lfn_tcp_wnd_max(const tcp_pcb* pcb) {
    const lfn::TcpState& state = *lfn::state_of(pcb);
    const u32_t window = lfn_tcp_wnd(pcb);
    if (state.rule == LFN_WINDOW_BC) return window;
    if ((pcb->flags & TF_WND_SCALE) != 0) return LWIP_MIN(window, u32_t{0xffff} << pcb->rcv_scale);
    return LWIP_MIN(window, u32_t{0xffff});
}

// The window that is wanted, or granted if the budget has been asked.
u32_t lfn_tcp_wnd(const tcp_pcb* pcb) {
    const lfn::TcpState& state = *lfn::state_of(pcb);
    if (state.granted != 0) return state.granted;
    return state.settings.receive_window != 0 ? state.settings.receive_window : u32_t{TCP_WND};
}

// By how much the right edge must move for an update of its own: lwIP's default, of this connection's window.
u32_t lfn_tcp_wnd_update(const tcp_pcb* pcb) {
    return LWIP_MIN(lfn_tcp_wnd_max(pcb) / 4, 4U * pcb->mss);
}

u8_t lfn_tcp_rcv_scale(const tcp_pcb* pcb) {
    return lfn_window_scale_for(lfn_tcp_wnd(pcb));
}
