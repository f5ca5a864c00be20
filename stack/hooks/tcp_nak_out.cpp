// SPDX-License-Identifier: BSD-3-Clause
// The receiver's side of option A: what arrived, and which holes an acknowledgement names.
#include "lwip/sys.h"
#include "tcp_state.hpp"

namespace {

bool names_holes(const lfn::TcpState& state) {
    return state.receiver.mode != LFN_NAK_OFF;
}

}  // namespace

void lfn_tcp_out_of_order(tcp_pcb* pcb, u32_t seq, u16_t length) {
    lfn::TcpState& state = *lfn::state_of(pcb);
    if (!names_holes(state)) return;
    lfn_nak_receiver_segment(&state.receiver, seq, seq + length, sys_now());
    lfn::timer_want_naks(state);
}

// A segment at the left edge, and what it freed behind it. One that fills a hole is acknowledged at once (RFC
// 5681 4.2).
void lfn_tcp_in_order(tcp_pcb* pcb, u32_t seq, u16_t length) {
    lfn::TcpState& state = *lfn::state_of(pcb);
    lfn::reassembly_advanced(state.reassembly);
    if (!names_holes(state) || lfn_nak_receiver_next(&state.receiver, seq, seq + length, pcb->rcv_nxt)) return;
    const u32_t now = sys_now();
    const bool had_holes = state.receiver.count > 0;
    lfn_nak_receiver_segment(&state.receiver, seq, seq + length, now);
    lfn_nak_receiver_advance(&state.receiver, pcb->rcv_nxt, now);
    if (had_holes) {
        tcp_ack_now(pcb);
        lfn::timer_want_naks(state);
    }
}

u8_t lfn_tcp_nak_length(tcp_pcb* pcb, u8_t options_length) {
    lfn::TcpState& state = *lfn::state_of(pcb);
    state.pending_count = 0;
    if (!names_holes(state) || state.receiver.count == 0) return 0;
    const size_t fit = lfn_option_naks_fit(&state.wire, static_cast<size_t>(TCP_MAX_OPTION_BYTES - options_length));
    state.pending_count = static_cast<u8_t>(
        lfn_nak_receiver_collect(&state.receiver, lfn::segment_unit(pcb, state), sys_now(), state.pending, fit));
    return static_cast<u8_t>(lfn_option_naks_length(&state.wire, state.pending_count));
}

void lfn_tcp_write_naks(tcp_pcb* pcb, u8_t* at, u8_t) {
    const lfn::TcpState& state = *lfn::state_of(pcb);
    lfn_option_naks_write(&state.wire, at, state.pending, state.pending_count);
}

// What did not go out is named again with the next acknowledgement.
void lfn_tcp_naks_sent(tcp_pcb* pcb, err_t error) {
    lfn::TcpState& state = *lfn::state_of(pcb);
    if (state.pending_count == 0) return;
    if (error == ERR_OK) {
        lfn_nak_receiver_sent(&state.receiver, state.pending, state.pending_count, lfn::segment_unit(pcb, state),
                              sys_now());
        state.counters.naks_sent += state.pending_count;
        lfn::timer_want_naks(state);
    }
    state.pending_count = 0;
}
