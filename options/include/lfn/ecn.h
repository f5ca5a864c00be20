/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Explicit congestion notification (RFC 3168) of one TCP connection: what the two ends' SYNs agree on, and what the
 * receiver and the sender owe each other after a mark.
 *
 * Theory of operation. A SYN that asks for ECN has ECE and CWR, a SYN-ACK that agrees has ECE alone; every other one is
 * plain. Who has sent both kinds (the second to get past a box that drops the first) cannot know which the peer went
 * by, so it stays bound to echo marks, but sets no codepoint that would have them made: lfn_ecn_must_echo() and
 * lfn_ecn_may_mark() are the two sides of RFC 3168 6.1.1's rules.
 */
#ifndef LFN_ECN_H
#define LFN_ECN_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The low two bits of IPv4's TOS and IPv6's traffic class (RFC 3168 5). */
enum lfn_ecn_codepoint { LFN_ECN_NOT_ECT = 0, LFN_ECN_ECT1 = 1, LFN_ECN_ECT0 = 2, LFN_ECN_CE = 3 };
#define LFN_ECN_MASK 3

/* All zeros: nothing was sent or heard yet. */
struct lfn_ecn {
    bool setup_sent, plain_sent; /* SYNs or SYN-ACKs of ours */
    bool setup_heard, plain_heard;
    bool echo; /* receiver: a mark has come, and no CWR since: ECE goes into every acknowledgement */
    /* Sender: the window came down, and no new data have gone out since: CWR goes into the next. */
    bool owes_cwr;
    /* The marks of the reduction's round trip are echoed until that CWR, at sequence number `until`, has arrived. */
    bool waiting;
    uint32_t until;
};

/* Whether these flags make a SYN (or a SYN-ACK) one that is for ECN. Both flags in a SYN-ACK are what a peer sends that
 * returns the reserved bits as it found them (RFC 3168 6.1.1). */
bool lfn_ecn_is_setup(bool syn_ack, bool ece, bool cwr);
void lfn_ecn_syn_sent(struct lfn_ecn* ecn, bool setup);
void lfn_ecn_syn_heard(struct lfn_ecn* ecn, bool setup);

/* The first SYN of a connection asks, a repeated one does not (RFC 3168 6.1.1.1). `repeated`: how often it was. */
bool lfn_ecn_syn_asks(unsigned repeated);
/* A SYN-ACK agrees if every SYN that was heard asked; from the third on it goes plain, as all our options do. */
bool lfn_ecn_syn_ack_agrees(const struct lfn_ecn* ecn, unsigned repeated);

/* New data may carry ECT(0), and what the peer echoes counts. */
bool lfn_ecn_may_mark(const struct lfn_ecn* ecn);
/* Marks on what the peer sends are echoed. */
bool lfn_ecn_must_echo(const struct lfn_ecn* ecn);

/* A data segment inside the window came: marked, with CWR. A CWR answers the marks before it, not its own. */
void lfn_ecn_data_heard(struct lfn_ecn* ecn, bool ce, bool cwr);

/* The window came down, for a mark or a loss or anything (RFC 3168 6.1.2). */
void lfn_ecn_reduced(struct lfn_ecn* ecn, uint32_t snd_nxt);
/* Segments up to `snd_una` are acknowledged. For every advancing ACK, so that `until` never grows old. */
void lfn_ecn_on_ack(struct lfn_ecn* ecn, uint32_t snd_una);
/* Whether an ECE that comes now is news: once in a round trip. */
bool lfn_ecn_reacts(const struct lfn_ecn* ecn);

#ifdef __cplusplus
}
#endif

#endif
