/* SPDX-License-Identifier: BSD-3-Clause */
/* What can be chosen and observed of a connection. Pure data, known to the stack and to its users. */
#ifndef LFN_TCP_SETTINGS_H
#define LFN_TCP_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Duplicate-acknowledgement (fast) retransmit. */
enum lfn_dup_acks {
    LFN_DUP_ACKS_AUTO, /* off once the peer has shown NAK, on otherwise (RFC 1106 4.3) */
    LFN_DUP_ACKS_ON,
    LFN_DUP_ACKS_OFF
};

/* All zeros: everything off, which is lwIP as it was. Set before connect, or on the listener. */
struct lfn_tcp_settings {
    /* Octets of receive window wanted; 0: the stack's default. With big_window up to 2^30; without it what RFC 7323 can
     * carry in the stack's configuration. */
    uint32_t receive_window;
    /* Octets that may be queued for sending, and so be in flight; 0: the stack's default. */
    uint32_t send_buffer;
    /* Options B and C (RFC 1106 3). */
    bool big_window;
    /* Option A: enum lfn_nak_mode. */
    uint8_t nak_mode;
    /* Name a hole again that is still open after its own round trip. */
    bool renak;
    /* The peer understands option A although its SYN cannot say so (wire form rfc1106 without option B). */
    bool nak_assumed;
    /* enum lfn_dup_acks */
    uint8_t dup_acks;
    /* enum lfn_loss_policy */
    uint8_t loss_policy;
    /* Packets that slow start opens the window by for each acknowledged one; 0: 1 (RFC 1106 4.2 proposes 2). */
    uint8_t slow_start_rate;
    /* Milliseconds added to the retransmission timeout (RFC 1106 4.2). */
    uint32_t rto_margin_ms;
    /* Segments that may go out before the first acknowledgement, up to 10 (RFC 6928); 0: what the stack does (RFC
     * 3390).
     */
    uint8_t initial_window;
    /* Permit SACK, and take what the peer reports by it as NAKs of the holes between (a peer without option A). Off: as
     * the stack is configured, and what is reported is ignored. Needs LWIP_TCP_SACK_OUT. */
    bool sack;
    /* Offer timestamps (RFC 7323): a round trip with every acknowledgement, and PAWS. Off: as the stack is configured.
     * Needs LWIP_TCP_TIMESTAMPS. */
    bool timestamps;
    /* The user's word that the path is isolated and keeps order, so that no old copy of a segment comes back. Without
     * it and without timestamps a window that options B and C agreed is held to 2^31 octets in LFN_MSL_MS (RFC 1110).
     */
    bool isolated;
    /* When nothing is heard for a timeout, send the last segment again and see what is named, before everything is sent
     * again (RFC 8985 7). */
    bool tail_probe;
    /* Ask for explicit congestion notification in the SYN, or agree to it in the SYN-ACK (RFC 3168). */
    bool ecn;
    /* Seconds of silence after which the peer is asked whether it is still there, up to a day; 0: never, unless
     * SO_KEEPALIVE is set. After nine questions without an answer the connection is given up: they are as far apart
     * where lwIP is built with LWIP_TCP_KEEPALIVE, 75 s elsewhere (RFC 1122 4.2.3.6). */
    uint32_t keepalive_s;
    /* enum lfn_wire */
    uint8_t wire;
    /* Option kinds of wire form rfc1106, 0: 65, 66, 67; ExID of wire form exid, 0: 0x1106. */
    uint8_t kind_a, kind_b, kind_c;
    uint16_t exid;
};

/* A snapshot of a connection. Octets, milliseconds, counts since it began. */
struct lfn_tcp_info {
    uint32_t cwnd, ssthresh;
    uint32_t snd_wnd, rcv_wnd; /* what the peer offers us, what we offer it */
    uint32_t in_flight;
    uint32_t mss;
    uint32_t srtt_ms, rto_ms; /* srtt 0: no sample yet */
    uint8_t window_rule;      /* enum lfn_window_rule */
    bool nak_agreed;          /* the peer has shown that it understands option A */
    uint32_t naks_sent, naks_received;
    /* Of those received: honoured if anything was resent for it; refused if empty or alien; else the segments were on
     * their way already. */
    uint32_t naks_honoured, naks_refused;
    uint32_t sacks_received; /* blocks */
    uint32_t retransmitted_segments;
    uint64_t retransmitted_octets;
    uint32_t rtos;
    uint32_t probes;            /* of the tail */
    uint32_t window_reductions; /* for losses that counted as congestion, timeouts aside */
    uint32_t losses_kept;       /* round trips whose losses loss policy auto took for noise */
    uint32_t rtt_floor_ms;      /* the shortest round trip of late; 0: no sample yet */
    bool timestamps_agreed;
    uint32_t paws_refused;       /* segments from an earlier lap of the sequence numbers (RFC 7323 5) */
    uint32_t forged;             /* segments that RFC 5961 refuses: RST, SYN or ACK out of place */
    uint32_t challenges_sent;    /* acknowledgements in answer to the two above */
    bool ecn_agreed;             /* what we send may be marked */
    uint32_t ecn_marks;          /* segments of data that came marked */
    uint32_t ecn_echoes;         /* acknowledgements by which the peer told of marks */
    uint32_t ecn_reductions;     /* window reductions for them, counted among window_reductions too */
    uint32_t reassembly_dropped; /* segments for which the queue of what came out of order had no room */
};

#ifdef __cplusplus
}
#endif

#endif
