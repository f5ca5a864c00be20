// SPDX-License-Identifier: BSD-3-Clause
// What arrives: the options of a segment, and the agreement that the handshake ends with.
#include "lfn/lwip_hooks.h"
#include "lwip/pbuf.h"
#include "lwip/sys.h"
#include "tcp_state.hpp"

namespace {

const u8_t* first_octet(const tcp_hdr* header) {
    return reinterpret_cast<const u8_t*>(header) + TCP_HLEN;
}

// The option area in one piece: as it lies, or gathered at `area` (40 octets) if it lies in two.
const u8_t* gather(const tcp_hdr* header, u16_t length, u16_t first_length, const u8_t* second, u8_t* area) {
    const u8_t* first = first_octet(header);
    if (length <= first_length) return first;
    for (u16_t i = 0; i < length; ++i) area[i] = i < first_length ? first[i] : second[i - first_length];
    return area;
}

// A few of the options that TCP has besides ours, as lwIP does not keep what it reads.
void parse_others(lfn::TcpState& state, const u8_t* area, u16_t length) {
    constexpr u8_t kind_end = 0, kind_nop = 1, kind_sack = 5, kind_timestamps = 8;
    for (u16_t i = 0; i < length && area[i] != kind_end;) {
        if (area[i] == kind_nop) {
            ++i;
            continue;
        }
        if (i + 1 >= length || area[i + 1] < 2 || i + area[i + 1] > length) return;
        const u8_t* body = area + i + 2;
        const auto octets = static_cast<u16_t>(area[i + 1] - 2);
        if (area[i] == kind_sack) lfn::sack_parse(state, body, octets);
        if (area[i] == kind_timestamps && octets == 8) {
            state.rx_timestamps = {true, lfn::octets32(body), lfn::octets32(body + 4)};
        }
        i = static_cast<u16_t>(i + area[i + 1]);
    }
}

// All of them, in one piece or two.
__attribute__((noinline)) void parse(lfn::TcpState& state, const tcp_hdr* header, u16_t length, u16_t first_length,
                                     const u8_t* second) {
    u8_t area[LFN_OPTION_AREA_MAX];
    const u8_t* octets = gather(header, length, first_length, second, area);
    lfn_options_parse(&state.wire, octets, length, (TCPH_FLAGS(header) & TCP_SYN) != 0, &state.rx);
    parse_others(state, octets, length);
}

// The active side: the SYN-ACK's options are before us.
void agree_active(tcp_pcb* pcb, lfn::TcpState& state) {
    state.peer_sent_b = state.rx.has_b;
    state.peer_permits_nak = state.rx.nak_permitted;
    const bool scaled = (pcb->flags & TF_WND_SCALE) != 0;
    state.rule = lfn_window_negotiate(state.settings.big_window, state.peer_sent_b, true, scaled);
    if (state.rule != LFN_WINDOW_BC) return;
    pcb->snd_wnd = pcb->snd_wnd_max = LWIP_MIN(state.rx.b_window, lfn::guard_window(pcb, state));
}

// The passive side: our B may have been lost on its way, stripped or left out of a repeated SYN-ACK. Then the peer did
// not agree, and its first acknowledgement comes without C.
void agree_passive(tcp_pcb* pcb, lfn::TcpState& state) {
    if (state.rule == LFN_WINDOW_BC && !state.rx.has_c) {
        state.rule = lfn_window_negotiate(false, false, true, (pcb->flags & TF_WND_SCALE) != 0);
    }
}

void open_window(tcp_pcb* pcb, const lfn::TcpState& state) {
    pcb->rcv_wnd = pcb->rcv_ann_wnd = lfn_tcp_wnd_max(pcb);
    if (state.passive) pcb->rcv_ann_right_edge = pcb->rcv_nxt + pcb->rcv_ann_wnd;
}

bool nak_agreed(const lfn::TcpState& state) {
    if (state.settings.nak_mode == LFN_NAK_OFF) return false;
    if (state.settings.nak_assumed || state.peer_permits_nak) return true;
    return state.wire.wire == LFN_WIRE_RFC1106 && state.rule == LFN_WINDOW_BC;
}

}  // namespace

namespace {

// All but the most common segments.
__attribute__((noinline)) bool let_in(tcp_pcb* pcb, lfn::TcpState& state, const tcp_hdr* header, u32_t length) {
    state.rx_ack = header->ackno;
    state.rx_length = length;
    if (!lfn::guard_admits(pcb, state, header, length)) return false;
    if (state.settings.ecn) lfn::ecn_noted(pcb, state, header);
    return true;
}

}  // namespace

err_t lfn_tcp_segment_in(tcp_pcb* pcb, const tcp_hdr* header, u16_t options_length, u16_t first_length,
                         const u8_t* second, const pbuf* payload) {
    lfn::TcpState* state = lfn::state_of(pcb);
    if (state == nullptr) return ERR_OK;
    const u16_t flags = lwip_ntohs(header->_hdrlen_rsvd_flags);
    state->sack_count = 0;
    state->rx_timestamps.here = false;
    // Most segments carry C and no more, and are nothing that a guard would look at twice.
    const bool whole = options_length <= first_length && (flags & TCP_SYN) == 0;
    if (!whole || !lfn_options_only_c(&state->wire, first_octet(header), options_length, &state->rx)) {
        parse(*state, header, options_length, first_length, second);
    } else if ((flags & TCP_FIN) == 0 && !state->settings.ecn && lfn::guard_passes(pcb, header)) {
        state->rx_ack = header->ackno;
        state->rx_length = payload->tot_len;
        return ERR_OK;
    }
    return let_in(pcb, *state, header, payload->tot_len + ((flags & (TCP_SYN | TCP_FIN)) != 0 ? 1U : 0U)) ? ERR_OK
                                                                                                          : ERR_VAL;
}

void lfn_tcp_established(tcp_pcb* pcb) {
    lfn::TcpState& state = *lfn::state_of(pcb);
    // A SYN that crossed ours may have switched on what ours does not offer.
    if (lfn_tcp_offers_timestamps(pcb, TCP_SYN) == 0) state.rx_timestamps.here = false;
    if (pcb->nrtx == 0) lfn_tcp_rtt_sample(pcb, pcb->snd_nxt);
    if (state.passive) {
        agree_passive(pcb, state);
    } else {
        agree_active(pcb, state);
    }
    if (state.rule == LFN_WINDOW_16BIT) lfn::state_release(state, LFN_WINDOW_FLOOR);
    if (lfn_path_floor_ms(&state.path) != 0) lfn::state_release(state, lfn::guard_window(pcb, state));
    open_window(pcb, state);
    lfn_paws_accept(&state.paws, state.rx_timestamps.value, true, sys_now());
    state.nak_agreed = nak_agreed(state);
    const auto mode = state.nak_agreed ? static_cast<lfn_nak_mode>(state.settings.nak_mode) : LFN_NAK_OFF;
    lfn_nak_receiver_init(&state.receiver, mode, state.settings.renak, pcb->rcv_nxt);
    if (state.rto.has_sample) lfn_nak_receiver_hint_rtt(&state.receiver, lfn_rto_srtt_ms(&state.rto));
    lfn_rto_opened(&state.rto, pcb->nrtx > 0);
    state.syn_was_lost = pcb->nrtx > 0;
    pcb->nrtx = 0;  // SYNs do not count towards what data may wait
    state.last_una = state.seen = state.lost_until = state.kept_until = pcb->lastack;
}
