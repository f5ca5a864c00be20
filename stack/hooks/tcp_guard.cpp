// SPDX-License-Identifier: BSD-3-Clause
// What is not let in: copies from an earlier lap of the sequence numbers (RFC 7323 5), and what a blind attacker would
// send (RFC 5961). Both are answered by an acknowledgement, so that a peer that means it can say it rightly; so many in
// a while, and counted for each connection by itself.
#include "lwip/sys.h"
#include "tcp_state.hpp"

namespace lfn {
namespace {

void challenge(tcp_pcb* pcb, TcpState& state, u32_t now) {
    if (!lfn_challenge_allowed(&state.challenges, now)) return;
    ++state.counters.challenges_sent;
    tcp_send_empty_ack(pcb);
}

enum class Verdict : u8_t { admit, drop, challenge };

// RFC 5961 3.2, 4.2 and 5.2. Of resets only one at the very edge of the window is to be believed.
Verdict judge(const tcp_pcb* pcb, const tcp_hdr* header) {
    const u8_t flags = TCPH_FLAGS(header);
    if ((flags & TCP_RST) != 0) {
        if (header->seqno == pcb->rcv_nxt) return Verdict::admit;
        return header->seqno - pcb->rcv_nxt < pcb->rcv_wnd ? Verdict::challenge : Verdict::drop;
    }
    if ((flags & TCP_SYN) != 0) return Verdict::challenge;
    const bool plausible = lfn_guard_ack(header->ackno, pcb->lastack, pcb->snd_nxt, pcb->snd_wnd_max);
    return (flags & TCP_ACK) == 0 || plausible ? Verdict::admit : Verdict::challenge;
}

#if LWIP_TCP_TIMESTAMPS
// Segments without a timestamp, where they were agreed, are dropped without a word (RFC 7323 3.2).
bool from_an_earlier_lap(const TcpState& state, u32_t now, bool* silent) {
    *silent = !state.rx_timestamps.here;
    return !state.rx_timestamps.here || lfn_paws_refuses(&state.paws, state.rx_timestamps.value, now);
}

bool paws_admits(tcp_pcb* pcb, TcpState& state, const tcp_hdr* header, u32_t length, u32_t now) {
    bool silent = false;
    if (from_an_earlier_lap(state, now, &silent)) {
        ++state.counters.paws_refused;
        if (!silent) challenge(pcb, state, now);
        return false;
    }
    const bool in_order = TCP_SEQ_BETWEEN(pcb->ts_lastacksent, header->seqno, header->seqno + length);
    lfn_paws_accept(&state.paws, state.rx_timestamps.value, in_order, now);
    return true;
}
#endif

}  // namespace

namespace {

bool guard_weighs(tcp_pcb* pcb, TcpState& state, const tcp_hdr* header, u32_t length) {
    const Verdict verdict = judge(pcb, header);
    if (verdict != Verdict::admit) {
        ++state.counters.forged;
        if (verdict == Verdict::challenge) challenge(pcb, state, sys_now());
        return false;
    }
    if ((TCPH_FLAGS(header) & TCP_RST) != 0) return true;  // RFC 7323 5.2
#if LWIP_TCP_TIMESTAMPS
    if (timestamps_agreed(pcb) && !paws_admits(pcb, state, header, length, sys_now())) return false;
#else
    LWIP_UNUSED_ARG(length);
#endif
    return true;
}

}  // namespace

bool guard_admits(tcp_pcb* pcb, TcpState& state, const tcp_hdr* header, u32_t length) {
    if (pcb->state < ESTABLISHED || pcb->state == TIME_WAIT) return true;
    if (guard_passes(pcb, header)) return true;
    return guard_weighs(pcb, state, header, length);
}

u32_t guard_window(const tcp_pcb* pcb, const TcpState& state) {
    if (state.rule != LFN_WINDOW_BC || state.settings.isolated || timestamps_agreed(pcb)) return LFN_WINDOW_MAX;
    return lfn_guard_window(lfn_path_floor_ms(&state.path));
}

}  // namespace lfn

int lfn_tcp_offers_timestamps(tcp_pcb* pcb, u8_t tcp_flags) {
    const lfn::TcpState* state = lfn::state_of(pcb);
    if (LFN_TCP_TIMESTAMPS_DEFAULT || (state != nullptr && state->settings.timestamps)) return 1;
#if LWIP_TCP_TIMESTAMPS
    if ((tcp_flags & TCP_SYN) != 0) tcp_clear_flags(pcb, TF_TIMESTAMP);  // though the peer's SYN offers them
#else
    LWIP_UNUSED_ARG(tcp_flags);
#endif
    return 0;
}
