/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The receiver's half of option A: which missing data the next ACK names.
 *
 * Call, for every arriving segment with data that is kept: lfn_nak_receiver_segment, then, if it moved RCV.NXT,
 * lfn_nak_receiver_advance. For an ACK that can carry option A: lfn_nak_receiver_collect, and lfn_nak_receiver_sent
 * once it really went out. A timer set by lfn_nak_receiver_next_ms sends an ACK when naming falls due without an
 * arrival.
 *
 * Theory of operation. Holes are sorted, disjoint ranges of [rcv_nxt, highest). A hole is opened by an arrival beyond
 * `highest`, trimmed or split by one inside it, and dropped by the advance of the left edge. It falls due for naming
 * when it opens (plus the reordering delay). Once named it falls due again, with `renak` only, in one of two ways.
 *
 * By order: a hole that was named once has been filled, by the answer to a NAK that we sent later than this hole's.
 * Both directions keep order, so this hole's NAK or its answer is lost: it is due at once (plus the reordering delay).
 * By the same evidence the answers to holes named after the filled one are on their way: their timers are put off a
 * little.
 *
 * By time: its own measured round trip (NAK sent to hole filled, smoothed as in RFC 6298) and a margin of
 * max(4 rttvar, srtt / 8) have passed. Each repetition doubles the time, up to LFN_NAK_INTERVAL_MAX_MS. After
 * LFN_NAK_TIMES_MAX namings only time counts. Samples come only from holes named once, and a hole filled after
 * repetitions leaves its back-off to new holes until the next sample (Karn).
 *
 * So neither 580 ms +/- 20 ms nor a wide hole, whose last segment comes long after its first, is named again too early,
 * and on a busy path a lost retransmission is named again about one round trip after it was asked for.
 *
 * Reordering. A hole that fills sooner than half a round trip after opening, unnamed or named once, was merely late.
 * From then on first namings and order's evidence wait a quarter of the smallest round trip; the wait grows by a
 * quarter (at most to one srtt) whenever it proves too short, which only a hole can prove that was named since it last
 * grew, and shrinks by one after 16 fills by NAK with none late (after RFC 8985 6.2).
 *
 * Too many holes. With the table full, the newest hole that was already named once gives its place to a new one, as its
 * answer is probably on its way. If there is none, the new hole is not tracked. Either way, what is missing and not
 * tracked is found again when it becomes the left edge: the advance makes a new hole there. Nobody remembers its end,
 * so it is taken for one segment of the largest size seen, and for twice as much each time that this falls short. The
 * same heals data that the stack had to throw away after it was reported here.
 */
#ifndef LFN_NAK_RECEIVER_H
#define LFN_NAK_RECEIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lfn/tcp_options.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Holes tracked per connection, 28 octets each. It changes the structure below: override it for the whole program or
 * not at all. */
#ifndef LFN_NAK_HOLES
#define LFN_NAK_HOLES 128
#endif

#define LFN_NAK_INITIAL_MS 1000       /* before the first sample; as RFC 6298 2.1 */
#define LFN_NAK_INTERVAL_MAX_MS 60000 /* as RFC 6298 2.5 */
#define LFN_NAK_TIMES_MAX 8           /* from here on only time counts; one less is the most doublings (guess) */
#define LFN_NAK_CLEAN_FILLS 16        /* after as many the reordering delay shrinks; as RFC 8985 6.2 */

enum lfn_nak_mode {
    LFN_NAK_OFF,
    LFN_NAK_LEFT_EDGE, /* RFC 1106 2.1 strictly: only the hole that holds the left edge, one A per ACK, each octet once
                        */
    LFN_NAK_EVERY_GAP  /* each new hole once, several A's per ACK */
};

/* [start, end) is missing. */
struct lfn_hole {
    uint32_t start, end;
    uint32_t named_to; /* how far the current naming has got: [start, named_to) is named */
    uint32_t opened_ms;
    uint32_t named_ms; /* the last naming; meaningful when times > 0 */
    uint32_t due_ms;   /* when it may be named, again if it was named */
    uint8_t times;     /* namings complete or begun; saturates */
    uint8_t backoff;   /* doublings of its wait */
    bool answered;     /* an answer to its naming has been seen */
    bool found_again;  /* made at the left edge (see above): an older naming may answer it, so nothing is learnt from it
                        */
};

/* One connection's state. Read it freely, change it only through the functions. */
struct lfn_nak_receiver {
    uint8_t mode; /* an enum lfn_nak_mode */
    bool renak;
    bool has_rtt;
    uint8_t backoff;        /* Karn: doublings that new holes inherit until the next sample */
    uint8_t delay_quarters; /* reordering delay in quarters of min_rtt_ms; 0 = no reordering seen */
    uint8_t clean_fills;
    uint32_t delay_since_ms; /* when the reordering delay last grew */
    uint16_t count;          /* holes in use */
    uint32_t rcv_nxt;        /* the left edge */
    uint32_t highest;        /* one past the highest octet that has arrived */
    uint32_t segment_max;    /* largest segment seen, octets */
    uint32_t guess_end;      /* the end of the last hole made at the left edge, and its size */
    uint32_t guess_octets;
    uint32_t srtt_x8, rttvar_x4; /* NAK sent to hole filled: ms scaled by 8 and by 4 */
    uint32_t min_rtt_ms;
    struct lfn_hole holes[LFN_NAK_HOLES];
};

/* All times are milliseconds modulo 2^32. An arrival is at most 2^30 octets beyond rcv_nxt. */
void lfn_nak_receiver_init(struct lfn_nak_receiver* r, enum lfn_nak_mode mode, bool renak, uint32_t rcv_nxt);

/* Optional: a round trip known otherwise, as from the handshake, seeds the estimate. Ignored once there is a sample. */
void lfn_nak_receiver_hint_rtt(struct lfn_nak_receiver* r, uint32_t rtt_ms);

/* A data segment [seq, end) within the window has arrived and is kept. What lies below rcv_nxt is ignored. */
void lfn_nak_receiver_segment(struct lfn_nak_receiver* r, uint32_t seq, uint32_t end, uint32_t now_ms);

/* The left edge is now rcv_nxt (it never moves back). */
void lfn_nak_receiver_advance(struct lfn_nak_receiver* r, uint32_t rcv_nxt, uint32_t now_ms);

/* Both in one, for what most segments are: [seq, end) is the next that was expected, there is no hole, and the left
 * edge is `rcv_nxt` now, which is `end`. Returns false if it is anything else, and then changes nothing. */
bool lfn_nak_receiver_next(struct lfn_nak_receiver* r, uint32_t seq, uint32_t end, uint32_t rcv_nxt);

/* What an ACK sent now should name: up to `max` entries of `out`, by rising sequence number; returns how many. Changes
 * nothing. `mss` is the octets that one counted segment stands for, nonzero, the same as the peer's lfn_nak_clip uses;
 * a hole that is not a whole number of them is rounded up. */
size_t lfn_nak_receiver_collect(const struct lfn_nak_receiver* r, uint16_t mss, uint32_t now_ms, struct lfn_nak* out,
                                size_t max);

/* An ACK with these NAKs (the first n that collect gave, n may be less than it returned) went out at now_ms. */
void lfn_nak_receiver_sent(struct lfn_nak_receiver* r, const struct lfn_nak* naks, size_t n, uint16_t mss,
                           uint32_t now_ms);

/* In how many ms collect has something to name without a further arrival; 0 = now. Returns false for never. */
bool lfn_nak_receiver_next_ms(const struct lfn_nak_receiver* r, uint32_t now_ms, uint32_t* delay_ms);

/* The smoothed round trip from NAK to fill, ms; 0 while unknown. */
uint32_t lfn_nak_receiver_srtt_ms(const struct lfn_nak_receiver* r);

#ifdef __cplusplus
}
#endif

#endif
