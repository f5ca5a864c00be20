// SPDX-License-Identifier: BSD-3-Clause
// What goes out: B and "A permitted" in the SYN, C in every segment after the handshake.
#include "tcp_state.hpp"

namespace {

u8_t room_flags(size_t octets) {
    u8_t flags = 0;
    if ((octets & 4) != 0) flags |= TF_SEG_OPTS_LFN4;
    if ((octets & 8) != 0) flags |= TF_SEG_OPTS_LFN8;
    return flags;
}

// A SYN offers; a SYN-ACK answers what was offered.
bool offers_b(const lfn::TcpState& state) {
    return state.settings.big_window && (!state.passive || state.rule == LFN_WINDOW_BC);
}
bool offers_nak(const lfn::TcpState& state) {
    return state.settings.nak_mode != LFN_NAK_OFF && (!state.passive || state.peer_permits_nak);
}

size_t syn_length(const lfn::TcpState& state) {
    return (offers_b(state) ? lfn_option_b_length(&state.wire) : 0) +
           (offers_nak(state) ? lfn_option_nak_permitted_length(&state.wire) : 0);
}

// Data that are queued before the SYN-ACK is here must leave room for the C that it may call for.
size_t data_length(const tcp_pcb* pcb, const lfn::TcpState& state) {
    const bool open = pcb->state == SYN_SENT || pcb->state == CLOSED;
    return state.rule == LFN_WINDOW_BC || (open && offers_b(state)) ? lfn_option_c_length(&state.wire) : 0;
}

u8_t* write_syn(const tcp_pcb* pcb, const lfn::TcpState& state, u8_t* at) {
    if (!lfn_syn_carries_options(pcb->nrtx)) return at;
    if (offers_b(state)) at = lfn_option_b_write(&state.wire, at, state.granted);
    if (offers_nak(state)) at = lfn_option_nak_permitted_write(&state.wire, at);
    return at;
}

}  // namespace

u8_t lfn_tcp_opts(const tcp_pcb* pcb, u8_t tcp_flags) {
    lfn::TcpState& state = *lfn::state_of(pcb);
    if ((tcp_flags & TCP_SYN) == 0) return room_flags(data_length(pcb, state));
    lfn::state_grant(state);
    return room_flags(syn_length(state));
}

// Room that nothing is to be said in is filled with NOPs: a SYN that goes without our options, a segment that was
// queued for a C that the peer did not agree to.
u32_t* lfn_tcp_write_opts(tcp_pcb* pcb, const tcp_hdr* header, u8_t segment_flags, u32_t* at) {
    const lfn::TcpState* state = lfn::state_of(pcb);
    auto* octets = reinterpret_cast<u8_t*>(at);
    u8_t* const end = octets + LFN_TCP_OPTS_LENGTH(segment_flags);
    if (state != nullptr && (TCPH_FLAGS(header) & TCP_SYN) != 0) {
        octets = write_syn(pcb, *state, octets);
    } else if (state != nullptr && state->rule == LFN_WINDOW_BC) {
        const u32_t window = LWIP_MIN(pcb->rcv_ann_wnd, LFN_WINDOW_MAX);
        octets = lfn_option_c_write(&state->wire, octets, lfn_window_high(window));
    }
    if (octets != end) lfn_option_nop_fill(octets, static_cast<size_t>(end - octets));
    return reinterpret_cast<u32_t*>(end);
}
