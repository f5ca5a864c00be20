// SPDX-License-Identifier: BSD-3-Clause
// What lfn keeps of a connection or a listener, and how its files find it.
//
// A pcb on which nothing of ours is switched on has no state: its extension argument is null, and every hook ends
// there.
#pragma once

#include <cstddef>

#include "lfn/big_window.h"
#include "lfn/ecn.h"
#include "lfn/guard.h"
#include "lfn/loss_policy.h"
#include "lfn/nak_receiver.h"
#include "lfn/nak_sender.h"
#include "lfn/path.h"
#include "lfn/rto.h"
#include "lfn/tcp.h"
#include "lfn/tcp_hooks.h"
#include "lfn/tcp_options.h"
#include "lwip/priv/tcp_priv.h"
#include "lwip/sys.h"

#if !LWIP_WND_SCALE
#error "LFN_TCP needs LWIP_WND_SCALE, which makes windows 32 bits wide"
#endif
#if LWIP_TCP_PCB_NUM_EXT_ARGS <= LFN_TCP_EXT_ARG
#error "LFN_TCP needs an extension argument: raise LWIP_TCP_PCB_NUM_EXT_ARGS"
#endif

namespace lfn {

struct Counters {
    u32_t sacks_received;
    u32_t naks_sent, naks_received, naks_honoured, naks_refused;
    u32_t retransmitted_segments, rtos, probes, window_reductions, losses_kept;
    u32_t ecn_marks, ecn_echoes, ecn_reductions;
    u32_t paws_refused, forged, challenges_sent, reassembly_dropped;
    u64_t retransmitted_octets;
};

// An index of the unacknowledged queue: one segment in `spacing` is a mark, and leads to the next by lfn_skip. Counts
// only while the queue is not empty.
struct FlightIndex {
    static constexpr u32_t spacing = 512;
    tcp_seg *first, *last;
    tcp_seg* near;   // where the last search ended; null: nowhere
    u32_t unmarked;  // segments behind `last`
};

// The queue of what came out of order, as runs without a hole: the first segment of a run leads to its last by
// lfn_skip. Counts only while the queue is not empty.
struct Reassembly {
    tcp_seg* last;  // first segment of the last run
    tcp_seg* near;  // first segment of the run that grew last; null: unknown
    u32_t segments;
    // What the segment in process frees for the application; null: nothing yet.
    pbuf *chain, *chain_end;
};

struct TcpState {
    lfn_tcp_settings settings;
    lfn_wire_form wire;

    // The options of the segment that is being processed, and what it acknowledges.
    lfn_options rx;
    u32_t rx_ack;
    u32_t rx_length;  // in sequence numbers

    bool passive;  // it was accepted from a listener

    // Windows: what the budget granted (0: not asked yet), and how they are said on the wire.
    u32_t granted;
    lfn_window_rule rule;
    bool peer_sent_b, peer_permits_nak;
    bool nak_agreed;

    lfn_nak pending[LFN_NAKS_PER_SEGMENT];  // named by the acknowledgement that is being built
    u8_t pending_count;

    // The SACK blocks of the segment in process, and the peer's holes as they show in them; null: it sent none yet.
    struct {
        u32_t left, right;
    } sacks[4];
    u8_t sack_count;
    lfn_nak_receiver* peer_holes;

    // The timestamps of the segment in process, and what PAWS holds it against.
    struct {
        bool here;
        u32_t value, echo;
    } rx_timestamps;
    lfn_paws paws;
    lfn_challenges challenges;

    // What the segment in process says of congestion, and the window before it came.
    struct {
        bool ece, cwr, ce;
        u32_t cwnd, bytes_acked;
    } rx_ecn;
    lfn_ecn ecn;

    bool syn_was_lost;

    FlightIndex flight;
    Reassembly reassembly;

    lfn_rto rto;
    u32_t rto_started_ms, rto_due_ms;  // due for a probe of the tail first, maybe
    lfn_path path;
    u32_t rtt_next;  // one sample in a round trip is for the timeout: the next is of what is sent from here on
    u32_t last_una;
    u32_t seen;        // the peer has shown that it holds what is in front of this, holes aside
    u32_t last_wnd;    // its window then
    u32_t credited;    // octets behind holes that slow start has counted
    bool path_filled;  // it counts no more of them
    // Octets that were named in this round trip, for the first time and in all. It is over when `lost_until` is
    // acknowledged.
    u32_t lost, resent, lost_until;
    u32_t kept_until;  // losses that were taken for noise count once in a round trip
    // No probe of the tail until something new is acknowledged: one was sent, or could not be, or a timeout came.
    bool probing;
    bool probed;  // one was sent, at probed_ms
    u32_t probed_ms;
    // Spare copies of what went out since `since_ms` of [from, to).
    struct {
        bool armed;
        u32_t from, to, since_ms, due_ms;
    } spare;
    u32_t recover;  // loss policy: the reduction's round trip ends when this is acknowledged
    bool in_recovery;
    // What the last reduction took, in case that what was named was only late.
    struct {
        bool armed;
        u32_t cwnd, ssthresh, end, since_ms;
    } undo;

    Counters counters;

    lfn_nak_receiver receiver;  // last, as its table keeps apart what lies around it
};

static_assert(offsetof(TcpState, settings) == 0);  // LFN_TCP_SETTINGS_

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

// Four octets in network order.
inline u32_t octets32(const u8_t* at) {
    return static_cast<u32_t>(at[0]) << 24 | static_cast<u32_t>(at[1]) << 16 | static_cast<u32_t>(at[2]) << 8 | at[3];
}

inline u32_t seq_of(const tcp_seg* seg) {
    return lwip_ntohl(seg->tcphdr->seqno);
}
inline u32_t end_of(const tcp_seg* seg) {
    return seq_of(seg) + TCP_TCPLEN(seg);
}

// Something that has not gone out before waits to be sent.
inline bool new_data_wait(const tcp_pcb* pcb) {
    return pcb->unsent != nullptr && !TCP_SEQ_LT(seq_of(LFN_TCP_TAIL(pcb, unsent, pcb->unsent)), pcb->snd_nxt);
}

// Where in the unacknowledged queue a search begins.
struct FlightPlace {
    tcp_seg* mark;      // the last mark at or before it; null: none
    tcp_seg* previous;  // the segment before it; null: it is the head
    tcp_seg** link;     // leads to it
};
// The place is at or before the first segment that ends behind `seq`, and near it.
FlightPlace flight_find(tcp_pcb* pcb, TcpState& state, u32_t seq);
void flight_advance(const FlightIndex& flight, FlightPlace& place);
// Takes the segment at the place out of the queue, and out of the index. The place is then at the one behind it.
tcp_seg* flight_take(tcp_pcb* pcb, FlightIndex& flight, FlightPlace& place);
// The segment is about to follow the queue's tail.
void flight_append(tcp_pcb* pcb, FlightIndex& flight, tcp_seg* seg);

// A driver still holds the segment; it must not be touched, and is on its way anyway.
inline bool busy(const tcp_seg* seg) {
    return seg->p->ref != 1;
}
// Queues the segment at the place, which is not busy, before new data. The place is then at the one behind it.
void send_again(tcp_pcb* pcb, TcpState& state, FlightPlace& place);

// The segment goes out again, or is the last one. If nothing else is to be sent a copy follows.
void spare_note(const tcp_pcb* pcb, TcpState& state, const tcp_seg* seg, u32_t now);
// Queues the copies that are due; false if there are none.
bool spare_serve(tcp_pcb* pcb, TcpState& state, u32_t now);

// The peer has `octets` more behind a hole.
void slow_start_credit(tcp_pcb* pcb, TcpState& state, u32_t octets);

// Something new was acknowledged.
void probe_answered(tcp_pcb* pcb, TcpState& state);
// Sends the last segment in flight again; false if there is none that may.
bool tail_resend(tcp_pcb* pcb, TcpState& state);

// Sends again what the NAK names; false if that is nothing.
bool nak_honour(tcp_pcb* pcb, TcpState& state, const lfn_nak& nak, u32_t now);
// The window comes down for what the loss policy takes for congestion: by half, or by as much as empties the queues.
// False if it has in this round trip.
bool window_reduce(tcp_pcb* pcb, TcpState& state);
// Something was sent again for a NAK, or for SACK.
void nak_taken(tcp_pcb* pcb, TcpState& state);

// Notes the SACK blocks in an option's body.
void sack_parse(TcpState& state, const u8_t* body, u16_t octets);
// Takes them in, with the left edge. Returns whether something is sent again for them.
bool sack_take(tcp_pcb* pcb, TcpState& state, u32_t now);
// Sends again what has fallen due by time.
bool sack_serve(tcp_pcb* pcb, TcpState& state, u32_t now);
// A timeout has queued everything again.
void sack_forget(tcp_pcb* pcb, TcpState& state);
void sack_free(TcpState& state);
void sack_init();

// These three where ECN is switched on. Notes the marks and flags of a segment that is let in.
void ecn_noted(const tcp_pcb* pcb, TcpState& state, const tcp_hdr* header);
// The listener's segment was the SYN of this connection.
void ecn_inherited(TcpState& state, const TcpState& listener);
// An acknowledgement was taken in.
void ecn_acknowledged(tcp_pcb* pcb, TcpState& state);
// A segment of the queue has gone out.
void ecn_sent(const tcp_pcb* pcb, TcpState& state, const tcp_seg* seg);

// The left edge has moved over whole runs, and what they held is chained.
void reassembly_advanced(Reassembly& reassembly);

// A segment went out once, and this is how long it took until the peer told that it has it.
void rtt_measured(tcp_pcb* pcb, TcpState& state, u32_t seq, u32_t rtt_ms);

// Both ends agreed to send timestamps.
inline bool timestamps_agreed(const tcp_pcb* pcb) {
#if LWIP_TCP_TIMESTAMPS
    return (pcb->flags & TF_TIMESTAMP) != 0;
#else
    LWIP_UNUSED_ARG(pcb);
    return false;
#endif
}

// RFC 7323 and RFC 5961: false if the segment is to be dropped. `length` is in sequence numbers.
bool guard_admits(tcp_pcb* pcb, TcpState& state, const tcp_hdr* header, u32_t length);
// The same for what nearly all segments are, at a glance: neither RST nor SYN, and a plausible ACK, without timestamps.
inline bool guard_passes(const tcp_pcb* pcb, const tcp_hdr* header) {
    constexpr u16_t flags = PP_HTONS(TCP_RST | TCP_SYN | TCP_ACK);
    return pcb->state >= ESTABLISHED && pcb->state != TIME_WAIT && !timestamps_agreed(pcb) &&
           (header->_hdrlen_rsvd_flags & flags) == PP_HTONS(TCP_ACK) &&
           lfn_guard_ack(header->ackno, pcb->lastack, pcb->snd_nxt, pcb->snd_wnd_max);
}
// The most that this end may have in flight, or offer, without a sequence number coming round too soon (RFC 1110).
u32_t guard_window(const tcp_pcb* pcb, const TcpState& state);

// The segment in process echoes a timestamp of ours. 0 is none: some stacks put it where they have nothing to say.
inline bool echoed(const tcp_pcb* pcb, const TcpState& state) {
    const u32_t echo = state.rx_timestamps.echo;
    return timestamps_agreed(pcb) && state.rx_timestamps.here && echo != 0 && static_cast<s32_t>(sys_now() - echo) >= 0;
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
