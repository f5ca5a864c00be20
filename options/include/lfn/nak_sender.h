/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sender's half of option A: which NAK to honour. A NAK is advice from outside: it can name only what is in flight,
 * and each segment only once per round trip, so that repeated or forged ones cost nothing.
 */
#ifndef LFN_NAK_SENDER_H
#define LFN_NAK_SENDER_H

#include <stdbool.h>
#include <stdint.h>

#include "lfn/tcp_options.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LFN_NAK_RESEND_UNKNOWN_MS 1000 /* the round trip taken while none is known: RFC 6298 2.1's first RTO */

enum lfn_nak_verdict {
    LFN_NAK_HONOUR,
    LFN_NAK_REFUSE_EMPTY, /* count 0 */
    LFN_NAK_REFUSE_ALIEN  /* no octet of it lies in [snd_una, snd_nxt) */
};

/*
 * The part [*from, *to) of what a NAK names that lies in [snd_una, snd_nxt). *from and *to are set only with
 * LFN_NAK_HONOUR. `mss` is the octets that one counted segment stands for (the current MSS, nonzero); resend every
 * segment that starts in
 * [*from, *to), or that holds *from. Requires snd_nxt - snd_una < 2^31.
 */
enum lfn_nak_verdict lfn_nak_clip(const struct lfn_nak* nak, uint32_t snd_una, uint32_t snd_nxt, uint16_t mss,
                                  uint32_t* from, uint32_t* to);

/*
 * Whether a named segment may go out again now: yes if a NAK has never sent it out again before, or if that was about a
 * round trip ago. "About" is three quarters of srtt_ms: a NAK that answers our last copy cannot come before a true
 * round trip has passed, but srtt is a mean and holds queueing that a NAK's retransmission overtakes. Where cumulative
 * ACKs behind holes inflate srtt, pass the smallest round trip seen instead. srtt_ms 0 means unknown:
 * LFN_NAK_RESEND_UNKNOWN_MS, in full.
 */
bool lfn_nak_may_resend(bool resent_before, uint32_t resent_ms, uint32_t now_ms, uint32_t srtt_ms);

#ifdef __cplusplus
}
#endif

#endif
