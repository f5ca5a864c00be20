// SPDX-License-Identifier: BSD-3-Clause
// How long a gap may be mere reordering.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lfn/nak_receiver.h"
#include "receiver_driver.hpp"

namespace {

using lfn::test::Named;
using lfn::test::ReceiverDriver;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr uint32_t rtt_ms = 400;

class NakReordering : public testing::Test {
protected:
    NakReordering() {
        for (; at < 4000; at += 200) d.learn(at, rtt_ms);
    }

    // A segment comes late_ms after its successor; returns whether it had been named by then.
    bool late(uint32_t late_ms) {
        d.arrive(at + 100, at + 200);
        bool named = !d.ack().empty();
        if (!named && d.next_ms() && *d.next_ms() <= late_ms) {
            const uint32_t until_due_ms = *d.next_ms();
            d.wait(until_due_ms);
            late_ms -= until_due_ms;
            named = !d.ack().empty();
        }
        d.wait(late_ms);
        d.arrive(at, at + 100, at + 200);
        at += 200;
        return named;
    }

    // How long the next gap waits before its naming; the gap is then named and answered.
    uint32_t delay() {
        d.arrive(at + 100, at + 200);
        const uint32_t wait_ms = d.next_ms().value();
        d.wait(wait_ms);
        EXPECT_THAT(d.ack(), ElementsAre(Named{at, 1}));
        d.wait(rtt_ms);
        d.arrive(at, at + 100, at + 200);
        at += 200;
        return wait_ms;
    }

    ReceiverDriver d{LFN_NAK_EVERY_GAP, true};
    uint32_t at = 0;
};

TEST_F(NakReordering, there_is_no_delay_until_reordering_is_seen) {
    EXPECT_EQ(delay(), 0U);
}

TEST_F(NakReordering, a_fill_sooner_than_half_a_round_trip_starts_a_delay_of_a_quarter) {
    EXPECT_TRUE(late(rtt_ms / 2 - 1));
    EXPECT_EQ(delay(), rtt_ms / 4);
}

TEST_F(NakReordering, a_fill_after_half_a_round_trip_is_an_answer) {
    EXPECT_TRUE(late(rtt_ms / 2));
    EXPECT_EQ(delay(), 0U);
}

TEST_F(NakReordering, a_late_segment_is_not_a_sample) {
    late(20);
    EXPECT_EQ(lfn_nak_receiver_srtt_ms(&d.state()), rtt_ms);
}

TEST_F(NakReordering, a_hole_filled_before_it_was_named_counts_as_well) {
    d.arrive(at + 100, at + 200);
    d.wait(5);
    d.arrive(at, at + 100, at + 200);
    at += 200;
    EXPECT_EQ(delay(), rtt_ms / 4);
}

TEST_F(NakReordering, within_the_delay_a_late_segment_is_not_named) {
    late(20);
    EXPECT_FALSE(late(20));
    EXPECT_FALSE(late(rtt_ms / 4 - 1));
    EXPECT_EQ(delay(), rtt_ms / 4);
}

TEST_F(NakReordering, a_delay_that_proves_too_short_grows_by_a_quarter_up_to_one_round_trip) {
    late(20);
    for (uint32_t quarters = 1; quarters < 4; ++quarters) {
        EXPECT_EQ(delay(), quarters * rtt_ms / 4);
        EXPECT_TRUE(late(quarters * rtt_ms / 4 + 50));
    }
    EXPECT_EQ(delay(), rtt_ms);
    late(rtt_ms + 150);
    EXPECT_LE(delay(), rtt_ms);
}

TEST_F(NakReordering, the_delay_decays_after_sixteen_clean_fills) {
    late(20);
    for (int i = 0; i < LFN_NAK_CLEAN_FILLS; ++i) EXPECT_EQ(delay(), rtt_ms / 4) << i;
    EXPECT_EQ(delay(), 0U);
}

TEST_F(NakReordering, more_reordering_restarts_the_count) {
    late(20);
    for (int i = 0; i < LFN_NAK_CLEAN_FILLS - 1; ++i) delay();
    EXPECT_FALSE(late(20));
    for (int i = 0; i < LFN_NAK_CLEAN_FILLS; ++i) EXPECT_EQ(delay(), rtt_ms / 4) << i;
    EXPECT_EQ(delay(), 0U);
}

TEST_F(NakReordering, order_waits_too_once_reordering_is_known) {
    late(20);
    d.arrive(at + 100, at + 200);
    d.wait(rtt_ms / 4);
    EXPECT_THAT(d.ack(), ElementsAre(Named{at, 1}));
    d.arrive(at + 300, at + 400);
    d.wait(rtt_ms / 4);
    EXPECT_THAT(d.ack(), ElementsAre(Named{at + 200, 1}));
    d.wait(rtt_ms * 3 / 4);
    d.arrive(at + 200, at + 300);
    EXPECT_THAT(d.would_name(), IsEmpty());
    ASSERT_TRUE(d.next_ms().has_value());
    EXPECT_LE(*d.next_ms(), rtt_ms / 4);
    d.wait(*d.next_ms());
    EXPECT_THAT(d.ack(), ElementsAre(Named{at, 1}));
}

// A path that becomes shorter looks like reordering at first; it must not look so for ever.
TEST_F(NakReordering, a_path_that_becomes_much_shorter_is_measured_anew) {
    constexpr uint32_t short_ms = 60;
    for (int i = 0; i < 20; ++i, at += 200) {
        d.arrive(at + 100, at + 200);
        while (d.ack().empty()) d.wait(d.next_ms().value());
        d.wait(short_ms);
        d.arrive(at, at + 100, at + 200);
    }
    EXPECT_EQ(lfn_nak_receiver_srtt_ms(&d.state()), short_ms);
    d.arrive(at + 100, at + 200);
    EXPECT_EQ(d.next_ms(), 0U);
}

TEST(NakReorderingUnknownPath, before_any_sample_an_unnamed_fill_means_reordering) {
    ReceiverDriver d(LFN_NAK_EVERY_GAP, true);
    d.arrive(100, 200);
    d.wait(3);
    d.arrive(0, 100, 200);
    d.arrive(300, 400);
    EXPECT_EQ(d.next_ms(), 250U);
}

// A burst was named before the first of it proved to be late; what was named without the delay says nothing of it.
TEST_F(NakReordering, holes_named_before_the_delay_grew_do_not_make_it_grow_again) {
    const uint32_t first = at;
    for (uint32_t i = 0; i < 20; ++i) d.arrive(first + 200 * i + 100, first + 200 * i + 200);
    d.ack();
    d.wait(10);
    for (uint32_t i = 0; i < 20; ++i) d.arrive(first + 200 * i, first + 200 * i + 100, first + 200 * i + 200);
    at = first + 4000;
    EXPECT_EQ(delay(), rtt_ms / 4);
    EXPECT_EQ(delay(), rtt_ms / 4) << "and the round trip is not doubted";
}

}  // namespace
