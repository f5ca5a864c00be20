// SPDX-License-Identifier: BSD-3-Clause
// Explicit congestion notification (RFC 3168): who asks and agrees, ECE and CWR, and the codepoint of what goes out.
//
// A mark is a router's word for congestion, so that the window comes down for it whatever the loss policy: by half, and
// with `auto` by as much as empties the queue that the round trip shows. Marks and losses of one round trip count once.
//
// lwIP's flags are the low six bits of the header; ECE and CWR are the two above them, which its flag macros neither
// show nor clear.
#include "tcp_state.hpp"

namespace {

bool has(const tcp_hdr* header, u16_t flag) {
    return (header->_hdrlen_rsvd_flags & lwip_htons(flag)) != 0;
}

u8_t received_codepoint() {
#if LWIP_IPV6
    if (ip_current_is_v6()) return static_cast<u8_t>(IP6H_TC(ip6_current_header()) & LFN_ECN_MASK);
#endif
#if LWIP_IPV4
    return IPH_TOS(ip4_current_header()) & LFN_ECN_MASK;
#else
    return LFN_ECN_NOT_ECT;
#endif
}

// The peer's SYN or SYN-ACK, if lwIP will take it for that.
bool opens(const tcp_pcb* pcb, const tcp_hdr* header, bool* syn_ack) {
    const u8_t flags = TCPH_FLAGS(header);
    if ((flags & TCP_SYN) == 0) return false;
    *syn_ack = (flags & TCP_ACK) != 0;
    if (pcb->state == SYN_SENT) return *syn_ack && header->ackno == pcb->lastack + 1;
    return pcb->state == SYN_RCVD && !*syn_ack && header->seqno == pcb->rcv_nxt - 1;
}

// RFC 3168 6.1.5: what is outside the window is not believed.
bool in_window(const tcp_pcb* pcb, u32_t seq, u32_t length) {
    return TCP_SEQ_GT(seq + length, pcb->rcv_nxt) && TCP_SEQ_LT(seq, pcb->rcv_nxt + pcb->rcv_wnd);
}

bool syn_setup(lfn::TcpState& state, const tcp_pcb* pcb) {
    if (!state.settings.ecn) return false;
    const bool setup = state.passive ? lfn_ecn_syn_ack_agrees(&state.ecn, pcb->nrtx) : lfn_ecn_syn_asks(pcb->nrtx);
    lfn_ecn_syn_sent(&state.ecn, setup);
    return setup;
}

u16_t flags_of(const tcp_pcb* pcb, lfn::TcpState& state, const tcp_hdr* header, const tcp_seg* seg) {
    if ((TCPH_FLAGS(header) & TCP_SYN) != 0) {
        if (!syn_setup(state, pcb)) return 0;
        return state.passive ? TCP_ECE : TCP_ECE | TCP_CWR;
    }
    u16_t flags = state.ecn.echo ? TCP_ECE : 0;
    const bool new_data = seg != nullptr && seg->len > 0 && !lfn::goes_out_again(pcb, seg);
    if (new_data && state.ecn.owes_cwr && lfn_ecn_may_mark(&state.ecn)) flags |= TCP_CWR;
    return flags;
}

// RFC 3168 6.1.2: the acknowledgement that tells of a mark does not open the window.
void keep_closed(tcp_pcb* pcb, const lfn::TcpState& state) {
    if ((pcb->flags & TF_INFR) != 0 || pcb->cwnd <= state.rx_ecn.cwnd) return;
    pcb->cwnd = state.rx_ecn.cwnd;
    pcb->bytes_acked = state.rx_ecn.bytes_acked;
}

}  // namespace

void lfn::ecn_noted(const tcp_pcb* pcb, TcpState& state, const tcp_hdr* header) {
    state.rx_ecn = {has(header, TCP_ECE), has(header, TCP_CWR), received_codepoint() == LFN_ECN_CE, 0, 0};
    if (pcb->state == LISTEN) return;
    state.rx_ecn.cwnd = pcb->cwnd;
    state.rx_ecn.bytes_acked = pcb->bytes_acked;
    bool syn_ack = false;
    if (opens(pcb, header, &syn_ack)) {
        lfn_ecn_syn_heard(&state.ecn, lfn_ecn_is_setup(syn_ack, state.rx_ecn.ece, state.rx_ecn.cwr));
        return;
    }
    const bool syn = (TCPH_FLAGS(header) & TCP_SYN) != 0;
    if (syn || pcb->state < SYN_RCVD || state.rx_length == 0 || !in_window(pcb, header->seqno, state.rx_length)) return;
    if (state.rx_ecn.ce && lfn_ecn_must_echo(&state.ecn)) ++state.counters.ecn_marks;
    lfn_ecn_data_heard(&state.ecn, state.rx_ecn.ce, state.rx_ecn.cwr);
}

void lfn::ecn_inherited(TcpState& state, const TcpState& listener) {
    lfn_ecn_syn_heard(&state.ecn, lfn_ecn_is_setup(false, listener.rx_ecn.ece, listener.rx_ecn.cwr));
}

void lfn::ecn_acknowledged(tcp_pcb* pcb, TcpState& state) {
    if (!lfn_ecn_may_mark(&state.ecn)) return;
    lfn_ecn_on_ack(&state.ecn, pcb->lastack);
    const bool reduced_by_lwip = (pcb->flags & TF_INFR) != 0;  // for duplicate acknowledgements
    if (reduced_by_lwip && lfn_ecn_reacts(&state.ecn)) lfn_ecn_reduced(&state.ecn, pcb->snd_nxt);
    if (!state.rx_ecn.ece || state.rx_ack != pcb->lastack) return;
    ++state.counters.ecn_echoes;
    keep_closed(pcb, state);
    state.undo.armed = false;  // the loss may have been none, but here is congestion
    if (!lfn_ecn_reacts(&state.ecn)) return;
    lfn_path_marked(&state.path, sys_now());
    if (window_reduce(pcb, state)) ++state.counters.ecn_reductions;
}

// Not before the driver has taken it: a segment that it refused is made up again.
void lfn::ecn_sent(const tcp_pcb* pcb, TcpState& state, const tcp_seg* seg) {
    if (has(seg->tcphdr, TCP_CWR) && seg->len > 0 && !goes_out_again(pcb, seg)) state.ecn.owes_cwr = false;
}

void lfn_tcp_ecn_flags(tcp_pcb* pcb, tcp_hdr* header, const tcp_seg* seg) {
    lfn::TcpState& state = *lfn::state_of(pcb);
    const u16_t rest = header->_hdrlen_rsvd_flags & static_cast<u16_t>(~lwip_htons(TCP_ECE | TCP_CWR));
    header->_hdrlen_rsvd_flags = rest | lwip_htons(flags_of(pcb, state, header, seg));
}

// ECT(0) on new data alone: nothing would be told of the loss of anything else (RFC 3168 6.1.4 to 6.1.6).
u8_t lfn_tcp_tos(const tcp_pcb* pcb, const tcp_seg* seg) {
    const lfn::TcpState& state = *lfn::state_of(pcb);
    const bool capable = seg->len > 0 && lfn_ecn_may_mark(&state.ecn) && !lfn::goes_out_again(pcb, seg);
    return static_cast<u8_t>((pcb->tos & ~LFN_ECN_MASK) | (capable ? LFN_ECN_ECT0 : LFN_ECN_NOT_ECT));
}
