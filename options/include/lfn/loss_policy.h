/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a loss does to the congestion window. RFC 1106 4.2 lets each connection choose whether a loss means congestion
 * or noise. All windows are in octets.
 */
#ifndef LFN_LOSS_POLICY_H
#define LFN_LOSS_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum lfn_loss_policy {
    LFN_LOSS_CONGESTION, /* reduce once per round trip */
    LFN_LOSS_NOISE,      /* keep the window: RFC 1106's test set-up; only for a path that is ours alone */
    LFN_LOSS_AUTO        /* tell the two apart by the path (lfn/path.h): a caller asks that first */
};

struct lfn_congestion {
    uint32_t cwnd;
    uint32_t ssthresh;
};

/*
 * A loss, or a mark, that counts as congestion. Unless a reduction's round trip is still running: ssthresh =
 * max(window, 2 mss) and cwnd comes down to it (RFC 5681 3.1, where `window` is half of the flight; a cwnd that is
 * already lower stays), *recover = snd_nxt and *in_recovery = true. The round trip is over once snd_una has reached
 * *recover (RFC 6582 3.2, RFC 6675 5). Returns whether the window was reduced.
 */
bool lfn_loss_reduce(struct lfn_congestion* congestion, uint32_t window, uint16_t mss, uint32_t snd_una,
                     uint32_t snd_nxt, uint32_t* recover, bool* in_recovery);

/* Ends the reduction's round trip once snd_una has reached `recover`. Call for every advancing ACK, so that `recover`
 * never grows old. */
void lfn_loss_on_ack(uint32_t snd_una, uint32_t recover, bool* in_recovery);

/*
 * The retransmission timer went off. `first` says that it is the first time for this segment: only then does
 * `congestion` set ssthresh = max(flight / 2, 2 mss) (RFC 5681 3.1 equation 4). With `noise` ssthresh is at least the
 * old cwnd, so that slow start returns all the way. In both cwnd = 1 mss, as the ACK clock is gone, and the losses of
 * what was in flight do not reduce again: *recover = snd_nxt, *in_recovery = true (RFC 6582 3.2 step 4).
 */
void lfn_loss_on_rto(enum lfn_loss_policy policy, struct lfn_congestion* congestion, uint32_t flight, uint16_t mss,
                     uint32_t snd_nxt, bool first, uint32_t* recover, bool* in_recovery);

/*
 * By how much slow start opens cwnd for `acked` octets newly acknowledged. rate 0 or 1: min(acked, 2 mss), after a
 * timeout min(acked, mss) (RFC 3465 2.3 and what lwIP does). rate n > 1: n times acked without a cap, saturating: RFC
 * 1106 4.2's "packets per acknowledged packet", its prose and not its formula; RFC 5681 does not allow it on a shared
 * path.
 */
uint32_t lfn_slow_start_increase(uint32_t rate, uint32_t acked, uint16_t mss, bool after_rto);

/* cwnd + increase, 2^32 - 1 at most. */
uint32_t lfn_cwnd_add(uint32_t cwnd, uint32_t increase);

#ifdef __cplusplus
}
#endif

#endif
