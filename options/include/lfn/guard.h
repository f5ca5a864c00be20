/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What keeps a big window safe: RFC 1110's objection is that with 2^30 octets of window a sequence number comes round
 * again after four round trips, so that a copy that was held up for five passes for new data. Timestamps tell the two
 * apart (RFC 7323 5), or the window is small enough that no copy lives so long, or the user answers for the path. A big
 * window is also a big target for a blind attacker (RFC 5961).
 */
#ifndef LFN_GUARD_H
#define LFN_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LFN_MSL_MS 120000 /* the longest that a segment lives, RFC 793 3.3 */

/*
 * The largest window, octets, with which a sequence number comes round no sooner than LFN_MSL_MS: 2^31 x rtt / MSL, as
 * RFC 1185 2 has it. `rtt_ms` is the shortest round trip seen. Not below 65535, which TCP always allowed, nor above
 * 2^30.
 */
uint32_t lfn_guard_window(uint32_t rtt_ms);

/* The newest timestamp of the peer that arrived in order (TS.Recent). */
struct lfn_paws {
    uint32_t recent;
    uint32_t seen_ms; /* when it came */
};

#define LFN_PAWS_IDLE_MS (24U * 24 * 3600 * 1000) /* after which TS.Recent says nothing (RFC 7323 5.5) */

/* The segment's timestamp is older than TS.Recent: a copy from an earlier lap (RFC 7323 5.3 R1). */
bool lfn_paws_refuses(const struct lfn_paws* paws, uint32_t ts_value, uint32_t now_ms);
/* The segment was acceptable; `in_order`: it begins at or before the last acknowledgement sent (RFC 7323 5.3 R3). */
void lfn_paws_accept(struct lfn_paws* paws, uint32_t ts_value, bool in_order, uint32_t now_ms);

/* RFC 5961 5.2: SND.UNA - MAX.SND.WND <= SEG.ACK <= SND.NXT. */
bool lfn_guard_ack(uint32_t ack, uint32_t snd_una, uint32_t snd_nxt, uint32_t max_snd_wnd);

/* A budget of challenge ACKs, of one connection: so it tells nothing of others (unlike a global one). */
struct lfn_challenges {
    uint32_t since_ms;
    uint8_t sent;
};

#define LFN_CHALLENGES 10 /* in LFN_CHALLENGES_MS (RFC 5961 7) */
#define LFN_CHALLENGES_MS UINT32_C(5000)

/* Whether one more may go out now; if so it is counted. */
bool lfn_challenge_allowed(struct lfn_challenges* challenges, uint32_t now_ms);

#ifdef __cplusplus
}
#endif

#endif
