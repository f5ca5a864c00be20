// SPDX-License-Identifier: BSD-3-Clause
#include "lfn/ecn.h"

#include <gtest/gtest.h>

namespace {

constexpr uint32_t below_wrap = 0xFFFFFF00;

// RFC 3168 6.1.1: ECE and CWR in a SYN, ECE alone in a SYN-ACK.
TEST(EcnSetup, is_told_by_both_flags_in_a_syn_and_by_ece_alone_in_a_syn_ack) {
    for (const bool ece : {false, true}) {
        for (const bool cwr : {false, true}) {
            EXPECT_EQ(lfn_ecn_is_setup(false, ece, cwr), ece && cwr) << ece << cwr;
            EXPECT_EQ(lfn_ecn_is_setup(true, ece, cwr), ece && !cwr) << ece << cwr;
        }
    }
}

// Every history of SYNs, against the three sentences of RFC 3168 6.1.1 that say who may and who must.
TEST(EcnSetup, may_mark_and_must_echo_are_as_the_rfc_has_them) {
    for (unsigned history = 0; history < 16; ++history) {
        const bool setup_sent = (history & 1) != 0, plain_sent = (history & 2) != 0;
        const bool setup_heard = (history & 4) != 0, plain_heard = (history & 8) != 0;
        lfn_ecn ecn{};
        if (setup_sent) lfn_ecn_syn_sent(&ecn, true);
        if (plain_sent) lfn_ecn_syn_sent(&ecn, false);
        if (setup_heard) lfn_ecn_syn_heard(&ecn, true);
        if (plain_heard) lfn_ecn_syn_heard(&ecn, false);
        EXPECT_EQ(lfn_ecn_may_mark(&ecn), setup_sent && setup_heard && !plain_sent && !plain_heard) << history;
        EXPECT_EQ(lfn_ecn_must_echo(&ecn), setup_sent && !plain_heard) << history;
    }
}

// Whatever the two ends have sent and lost of each other: who marks has a peer that echoes.
TEST(EcnSetup, whoever_marks_is_echoed) {
    for (unsigned history = 0; history < 256; ++history) {
        lfn_ecn a{}, b{};
        // Four SYNs at most: setup and plain, each way; each sent or not, and each of those heard or lost.
        for (unsigned i = 0; i < 4; ++i) {
            const bool sent = (history >> 2 * i & 1) != 0, heard = (history >> 2 * i & 2) != 0;
            lfn_ecn& from = i < 2 ? a : b;
            lfn_ecn& to = i < 2 ? b : a;
            if (sent) lfn_ecn_syn_sent(&from, i % 2 == 0);
            if (sent && heard) lfn_ecn_syn_heard(&to, i % 2 == 0);
        }
        EXPECT_TRUE(!lfn_ecn_may_mark(&a) || lfn_ecn_must_echo(&b)) << history;
        EXPECT_TRUE(!lfn_ecn_may_mark(&b) || lfn_ecn_must_echo(&a)) << history;
    }
}

TEST(EcnSetup, only_the_first_syn_asks) {
    EXPECT_TRUE(lfn_ecn_syn_asks(0));
    EXPECT_FALSE(lfn_ecn_syn_asks(1));
}

TEST(EcnSetup, a_syn_ack_agrees_to_syns_that_all_asked_and_twice) {
    lfn_ecn ecn{};
    EXPECT_FALSE(lfn_ecn_syn_ack_agrees(&ecn, 0));
    lfn_ecn_syn_heard(&ecn, true);
    EXPECT_TRUE(lfn_ecn_syn_ack_agrees(&ecn, 0));
    EXPECT_TRUE(lfn_ecn_syn_ack_agrees(&ecn, 1));
    EXPECT_FALSE(lfn_ecn_syn_ack_agrees(&ecn, 2));
    lfn_ecn_syn_heard(&ecn, false);
    EXPECT_FALSE(lfn_ecn_syn_ack_agrees(&ecn, 0));
}

TEST(EcnEcho, lasts_from_the_mark_to_the_cwr) {
    lfn_ecn ecn{};
    lfn_ecn_syn_sent(&ecn, true);
    lfn_ecn_data_heard(&ecn, false, false);
    EXPECT_FALSE(ecn.echo);
    lfn_ecn_data_heard(&ecn, true, false);
    lfn_ecn_data_heard(&ecn, false, false);
    EXPECT_TRUE(ecn.echo);
    lfn_ecn_data_heard(&ecn, false, true);
    EXPECT_FALSE(ecn.echo);
}

TEST(EcnEcho, of_a_mark_on_the_cwr_itself_begins_anew) {
    lfn_ecn ecn{};
    lfn_ecn_syn_sent(&ecn, true);
    lfn_ecn_data_heard(&ecn, true, true);
    EXPECT_TRUE(ecn.echo);
}

TEST(EcnEcho, is_for_connections_that_agreed) {
    lfn_ecn ecn{};
    lfn_ecn_data_heard(&ecn, true, false);
    EXPECT_FALSE(ecn.echo);
}

TEST(EcnReaction, comes_once_until_something_behind_the_reduction_is_acknowledged) {
    lfn_ecn ecn{};
    EXPECT_TRUE(lfn_ecn_reacts(&ecn));
    lfn_ecn_reduced(&ecn, below_wrap + 0x180);
    EXPECT_TRUE(ecn.owes_cwr);
    lfn_ecn_on_ack(&ecn, below_wrap);
    EXPECT_FALSE(lfn_ecn_reacts(&ecn));
    lfn_ecn_on_ack(&ecn, below_wrap + 0x180);
    EXPECT_FALSE(lfn_ecn_reacts(&ecn)) << "the CWR is not there yet";
    lfn_ecn_on_ack(&ecn, below_wrap + 0x181);
    EXPECT_TRUE(lfn_ecn_reacts(&ecn));
}

}  // namespace
