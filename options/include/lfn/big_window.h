/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * RFC 1106 section 3: windows of up to 2^30 octets out of option C's 16 upper bits and the header's 16 lower ones; how
 * the two ends agree on it; and the memory budget out of which big windows are granted. Windows are in octets.
 */
#ifndef LFN_BIG_WINDOW_H
#define LFN_BIG_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LFN_WINDOW_MAX (UINT32_C(1) << 30) /* RFC 1106 3; RFC 1072 2.2: old and new data stay tellable apart */
#define LFN_WINDOW_FLOOR UINT32_C(65535)   /* what a TCP without any window option can offer */
#define LFN_WINDOW_SCALE_MAX 14            /* RFC 7323 2.3 */
#define LFN_SYNS_WITH_OPTIONS 2            /* after as many unanswered ones the next SYN goes plain */

/* The two halves together, clamped to 2^30. */
uint32_t lfn_window_join(uint16_t c_high, uint16_t header_low);

/* The halves of a window of at most 2^30; more is sent as 2^30. */
uint16_t lfn_window_high(uint32_t window);
uint16_t lfn_window_low(uint32_t window);

/* The smallest RFC 7323 shift, 0 to 14, with which 16 bits can carry the window; 14 if none can. */
uint8_t lfn_window_scale_for(uint32_t window);

/* How window fields are read on a connection once both SYNs are known. The windows of the SYNs themselves are always 16
 * bits. */
enum lfn_window_rule { LFN_WINDOW_16BIT, LFN_WINDOW_RFC7323, LFN_WINDOW_BC };

/* B in both SYNs wins over window scale in both; an option that one side alone sent counts for nothing. */
enum lfn_window_rule lfn_window_negotiate(bool we_offered_b, bool peer_sent_b, bool we_offered_scale,
                                          bool peer_sent_scale);

/* Whether the next SYN (or SYN-ACK) carries our options, after so many unanswered ones: an old host may be choking on
 * them. */
bool lfn_syn_carries_options(unsigned unanswered_syns);

/* Memory that all big windows share. The first 65535 octets of each window are every connection's own and are not
 * charged; only what lies above them is. So `used` never passes `limit`, and a window is never refused: at worst it is
 * an ordinary one. */
struct lfn_budget {
    uint64_t limit; /* octets above the floor, all connections together */
    uint64_t used;
};

/* Grants as much of a wanted window (clamped to 2^30) as the budget has left, at least min(wanted, 65535). */
uint32_t lfn_budget_grant(struct lfn_budget* budget, uint32_t wanted);

/* Gives back what lfn_budget_grant returned; once per grant. */
void lfn_budget_release(struct lfn_budget* budget, uint32_t granted);

#ifdef __cplusplus
}
#endif

#endif
