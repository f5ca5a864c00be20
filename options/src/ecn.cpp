// SPDX-License-Identifier: BSD-3-Clause
#include "lfn/ecn.h"

#include "lfn/big_window.h"
#include "lfn/seq.hpp"

bool lfn_ecn_is_setup(bool syn_ack, bool ece, bool cwr) {
    return ece && cwr != syn_ack;
}

void lfn_ecn_syn_sent(struct lfn_ecn* ecn, bool setup) {
    (setup ? ecn->setup_sent : ecn->plain_sent) = true;
}

void lfn_ecn_syn_heard(struct lfn_ecn* ecn, bool setup) {
    (setup ? ecn->setup_heard : ecn->plain_heard) = true;
}

bool lfn_ecn_syn_asks(unsigned repeated) {
    return repeated == 0;
}

bool lfn_ecn_syn_ack_agrees(const struct lfn_ecn* ecn, unsigned repeated) {
    return lfn_syn_carries_options(repeated) && ecn->setup_heard && !ecn->plain_heard;
}

bool lfn_ecn_may_mark(const struct lfn_ecn* ecn) {
    return ecn->setup_sent && !ecn->plain_sent && ecn->setup_heard && !ecn->plain_heard;
}

bool lfn_ecn_must_echo(const struct lfn_ecn* ecn) {
    return ecn->setup_sent && !ecn->plain_heard;
}

void lfn_ecn_data_heard(struct lfn_ecn* ecn, bool ce, bool cwr) {
    if (!lfn_ecn_must_echo(ecn)) return;
    if (cwr) ecn->echo = false;
    if (ce) ecn->echo = true;
}

void lfn_ecn_reduced(struct lfn_ecn* ecn, uint32_t snd_nxt) {
    ecn->owes_cwr = ecn->waiting = true;
    ecn->until = snd_nxt;
}

void lfn_ecn_on_ack(struct lfn_ecn* ecn, uint32_t snd_una) {
    if (lfn::Seq(ecn->until).before(lfn::Seq(snd_una))) ecn->waiting = false;
}

bool lfn_ecn_reacts(const struct lfn_ecn* ecn) {
    return !ecn->waiting;
}
