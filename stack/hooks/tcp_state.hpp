// SPDX-License-Identifier: BSD-3-Clause
// What lfn keeps of a connection or a listener, and how its files find it.
//
// A pcb on which nothing of ours is switched on has no state: its extension argument is null, and every hook ends
// there.
#pragma once

#include "lfn/big_window.h"
#include "lfn/loss_policy.h"
#include "lfn/nak_receiver.h"
#include "lfn/nak_sender.h"
#include "lfn/rto.h"
#include "lfn/tcp.h"
#include "lfn/tcp_hooks.h"
#include "lfn/tcp_options.h"
#include "lwip/priv/tcp_priv.h"

#if !LWIP_WND_SCALE
#error "LFN_TCP needs LWIP_WND_SCALE, which makes windows 32 bits wide"
#endif
#if LWIP_TCP_PCB_NUM_EXT_ARGS <= LFN_TCP_EXT_ARG
#error "LFN_TCP needs an extension argument: raise LWIP_TCP_PCB_NUM_EXT_ARGS"
#endif

namespace lfn {

struct Counters {
    u32_t naks_sent, naks_received, naks_honoured, naks_refused;
    u32_t retransmitted_segments, rtos;
    u64_t retransmitted_octets;
};

struct TcpState {
    lfn_tcp_settings settings;
    lfn_wire_form wire;

    // The options of the segment that is being processed, and what it acknowledges.
    lfn_options rx;
    u32_t rx_ack;

    bool passive;  // it was accepted from a listener

    // Windows: what the budget granted (0: not asked yet), and how they are said on the wire.
    u32_t granted;
    lfn_window_rule rule;
    bool peer_sent_b, peer_permits_nak;
    bool nak_agreed;

    lfn_nak_receiver receiver;
    lfn_nak pending[LFN_NAKS_PER_SEGMENT];  // named by the acknowledgement that is being built
    u8_t pending_count;

    lfn_rto rto;
    u32_t rto_due_ms;
    u32_t last_una;
    u32_t recover;  // loss policy: the reduction's round trip ends when this is acknowledged
    bool in_recovery;

    Counters counters;
};

inline TcpState* state_of(const tcp_pcb* pcb) {
    return static_cast<TcpState*>(pcb->ext_args[LFN_TCP_EXT_ARG].data);
}

// The pcb's state, made if there is none yet; null if out of memory.
TcpState* state_make(tcp_pcb* pcb);
// Takes this connection's window out of the budget, once.
void state_grant(TcpState& state);
// Gives back what is above `window`.
void state_release(TcpState& state, u32_t window);

// Octets that one counted segment of option A stands for: what a full segment carries. Both ends count alike, as both
// use the smaller MSS and the same options in every segment.
u16_t segment_unit(const tcp_pcb* pcb, const TcpState& state);

// The segment goes out again. lwIP counts a connection's first SYN as below snd_nxt from the start.
inline bool goes_out_again(const tcp_pcb* pcb, const tcp_seg* seg) {
    if (pcb->state == SYN_SENT) return pcb->nrtx > 0;
    return TCP_SEQ_LT(lwip_ntohl(seg->tcphdr->seqno), pcb->snd_nxt);
}

// Octets of our options in every segment after the handshake.
inline u8_t options_length(const TcpState& state) {
    return state.rule == LFN_WINDOW_BC ? static_cast<u8_t>(lfn_option_c_length(&state.wire)) : u8_t{0};
}

// Asks for the timer to look at this stack's connections at `due_ms`, or earlier.
void timer_want(u32_t due_ms);
// As above, for what the receiver has to name without a further arrival.
void timer_want_naks(const TcpState& state);
// Nobody wants it any more.
void timer_stop();

}  // namespace lfn
