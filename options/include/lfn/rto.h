/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The retransmission timeout of RFC 6298, in milliseconds (clock granularity G = 1 ms), with RFC 1106 4.2's margin.
 *
 * On a path of 580 ms +/- 20 ms the default floor of 1000 ms alone rules out a spurious timeout. With min_ms lowered, K
 * = 4 does not: a run of equal samples lets the variance decay to nothing. Then set margin_ms to at least the path's
 * whole swing (40 ms here): a smoothed round trip is never below the shortest one, so srtt + 40 is never below the
 * longest.
 */
#ifndef LFN_RTO_H
#define LFN_RTO_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LFN_RTO_INITIAL_MS 1000           /* RFC 6298 2.1 */
#define LFN_RTO_AFTER_SYN_TIMEOUT_MS 3000 /* RFC 6298 5.7 */
#define LFN_RTO_MIN_MS 1000               /* RFC 6298 2.4, a SHOULD */
#define LFN_RTO_MAX_MS 60000              /* RFC 6298 2.5 */

struct lfn_rto {
    uint32_t srtt_x8;   /* ms, scaled by 8 */
    uint32_t rttvar_x4; /* ms, scaled by 4 */
    uint32_t rto_ms;    /* before margin and back-off */
    uint32_t min_ms;    /* floor of rto_ms; LFN_RTO_MIN_MS after init */
    uint32_t margin_ms; /* added after the floor; 0 after init */
    uint8_t backoff;    /* doublings in force */
    bool has_sample;
};

void lfn_rto_init(struct lfn_rto* rto);

/* A measured round trip. By Karn's rule never of a segment that was sent twice, unless timestamps tell the copies
 * apart. Ends any back-off. Over 2^28 - 1 ms (3 days) counts as that. */
void lfn_rto_sample(struct lfn_rto* rto, uint32_t rtt_ms);

/* The connection is open. If its SYN timed out and there is no sample yet, data start with 3 s (RFC 6298 5.7). */
void lfn_rto_opened(struct lfn_rto* rto, bool syn_timed_out);

/* The timer went off: doubles the timeout. A NAK's retransmission never calls this. */
void lfn_rto_back_off(struct lfn_rto* rto);

/* New data were acknowledged without a sample. */
void lfn_rto_reset_backoff(struct lfn_rto* rto);

/* The timeout to arm now, with floor, margin and back-off; at most LFN_RTO_MAX_MS. */
uint32_t lfn_rto_ms(const struct lfn_rto* rto);

/* How long after a sender's last segment its acknowledgement is overdue, but for the time by which the peer may put it
 * off: a round trip and max(4 rttvar, srtt / 8), at most the two round trips of RFC 8985 7.2. 0 without a sample. */
uint32_t lfn_rto_probe_ms(const struct lfn_rto* rto);

/* The smoothed round trip, ms; 0 while there is no sample. */
uint32_t lfn_rto_srtt_ms(const struct lfn_rto* rto);

#ifdef __cplusplus
}
#endif

#endif
