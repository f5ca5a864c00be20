// SPDX-License-Identifier: BSD-3-Clause
// When a hole is named again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "lfn/nak_receiver.h"
#include "receiver_driver.hpp"

namespace {

using lfn::test::Named;
using lfn::test::ReceiverDriver;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr uint32_t satellite_ms = 580;

// A driver that knows its path: everything below the returned offset has arrived.
uint32_t learn_path(ReceiverDriver& d, unsigned samples, uint32_t rtt_ms = satellite_ms, uint32_t offset = 0) {
    for (unsigned i = 0; i < samples; ++i, offset += 200) d.learn(offset, rtt_ms);
    return offset;
}

TEST(Renak, before_the_first_sample_it_waits_a_second) {
    ReceiverDriver d(LFN_NAK_EVERY_GAP, true);
    d.arrive(100, 200);
    d.ack();
    EXPECT_EQ(d.next_ms(), 1000U);
    d.wait(999);
    EXPECT_THAT(d.ack(), IsEmpty());
    d.wait(1);
    EXPECT_THAT(d.ack(), ElementsAre(Named{0, 1}));
}

TEST(Renak, follows_the_measured_round_trip) {
    ReceiverDriver d(LFN_NAK_EVERY_GAP, true);
    const uint32_t at = learn_path(d, 50);
    EXPECT_EQ(lfn_nak_receiver_srtt_ms(&d.state()), satellite_ms);
    d.arrive(at + 100, at + 200);
    d.ack();
    d.wait(satellite_ms + 40);
    EXPECT_THAT(d.ack(), IsEmpty());
    d.wait(satellite_ms / 8 - 40);
    EXPECT_THAT(d.ack(), ElementsAre(Named{at, 1}));
}

TEST(Renak, a_hint_seeds_the_round_trip_until_there_is_a_sample) {
    ReceiverDriver d(LFN_NAK_EVERY_GAP, true);
    lfn_nak_receiver_hint_rtt(&d.state(), 100);
    EXPECT_EQ(lfn_nak_receiver_srtt_ms(&d.state()), 100U);
    d.arrive(100, 200);
    d.ack();
    EXPECT_EQ(d.next_ms(), 100U + 4 * 50);
    lfn_nak_receiver_hint_rtt(&d.state(), 9000);
    EXPECT_EQ(lfn_nak_receiver_srtt_ms(&d.state()), 100U);
}

TEST(Renak, doubles_per_repetition_up_to_a_minute) {
    ReceiverDriver d(LFN_NAK_EVERY_GAP, true);
    d.arrive(100, 200);
    for (uint32_t expected : {1000U, 2000U, 4000U, 8000U, 16000U, 32000U, 60000U, 60000U, 60000U}) {
        EXPECT_THAT(d.ack(), ElementsAre(Named{0, 1}));
        ASSERT_EQ(d.next_ms(), expected);
        d.wait(expected - 1);
        EXPECT_THAT(d.ack(), IsEmpty());
        d.wait(1);
    }
    for (int i = 0; i < 400; ++i) {
        EXPECT_THAT(d.ack(), ElementsAre(Named{0, 1}));
        d.wait(60000);
    }
    EXPECT_EQ(d.state().holes[0].times, 255);
}

TEST(Renak, on_a_short_path_ten_milliseconds_of_margin_remain) {
    ReceiverDriver d(LFN_NAK_EVERY_GAP, true);
    const uint32_t at = learn_path(d, 50, 2);
    d.arrive(at + 100, at + 200);
    d.ack();
    EXPECT_EQ(d.next_ms(), 12U);
}

TEST(Renak, only_a_hole_named_once_is_a_sample) {
    ReceiverDriver d(LFN_NAK_EVERY_GAP, true);
    const uint32_t at = learn_path(d, 50);
    d.arrive(at + 100, at + 200);
    d.ack();
    d.wait(700);
    EXPECT_THAT(d.ack(), ElementsAre(Named{at, 1}));
    d.wait(satellite_ms + 50);
    d.arrive(at, at + 100, at + 200);
    EXPECT_EQ(lfn_nak_receiver_srtt_ms(&d.state()), satellite_ms);
}

TEST(Renak, each_naming_of_a_part_of_a_hole_is_a_sample_of_its_own) {
    ReceiverDriver d(LFN_NAK_EVERY_GAP, true);
    d.arrive(30000, 30100);
    EXPECT_THAT(d.ack(1), ElementsAre(Named{0, 255}));
    d.wait(400);
    d.arrive(0, 25500, 25500);
    EXPECT_EQ(lfn_nak_receiver_srtt_ms(&d.state()), 400U);
    EXPECT_THAT(d.ack(1), ElementsAre(Named{25500, 45}));
    d.wait(480);
    d.arrive(25500, 30000, 30100);
    EXPECT_EQ(lfn_nak_receiver_srtt_ms(&d.state()), 410U);
}

TEST(Renak, an_ambiguous_fill_leaves_its_back_off_until_the_next_sample) {
    ReceiverDriver d(LFN_NAK_EVERY_GAP, true);
    uint32_t at = learn_path(d, 50);
    d.arrive(at + 100, at + 200);
    d.ack();
    const uint32_t once = *d.next_ms();
    d.wait(once);
    d.ack();
    d.wait(satellite_ms);
    d.arrive(at, at + 100, at + 200);
    at += 200;
    d.arrive(at + 100, at + 200);
    d.ack();
    EXPECT_EQ(d.next_ms(), 2 * once);
    d.wait(satellite_ms);
    d.arrive(at, at + 100, at + 200);
    at = learn_path(d, 1, satellite_ms, at + 200);
    d.arrive(at + 100, at + 200);
    d.ack();
    EXPECT_EQ(d.next_ms(), once);
}

// Were it not for the back-off that stays, each hole would be named again before its answer, and no sample ever be
// taken.
TEST(Renak, a_far_too_small_estimate_recovers) {
    ReceiverDriver d(LFN_NAK_EVERY_GAP, true);
    lfn_nak_receiver_hint_rtt(&d.state(), 5);
    uint32_t at = 0;
    for (int i = 0; i < 60; ++i, at += 200) {
        d.arrive(at + 100, at + 200);
        const uint32_t answer_ms = d.elapsed_ms() + satellite_ms;
        d.ack();
        while (d.elapsed_ms() + *d.next_ms() < answer_ms) {
            d.wait(*d.next_ms());
            d.ack();
        }
        d.wait(answer_ms - d.elapsed_ms());
        d.arrive(at, at + 100, at + 200);
    }
    EXPECT_GE(lfn_nak_receiver_srtt_ms(&d.state()), satellite_ms * 3 / 4);
    EXPECT_EQ(d.state().backoff, 0);
}

TEST(Renak, an_answer_to_a_later_nak_proves_the_earlier_one_lost) {
    ReceiverDriver d(LFN_NAK_EVERY_GAP, true);
    const uint32_t at = learn_path(d, 50);
    d.arrive(at + 100, at + 200);
    EXPECT_THAT(d.ack(), ElementsAre(Named{at, 1}));
    d.wait(10);
    d.arrive(at + 300, at + 400);
    EXPECT_THAT(d.ack(), ElementsAre(Named{at + 200, 1}));
    d.wait(satellite_ms);
    d.arrive(at + 200, at + 300);
    EXPECT_EQ(d.next_ms(), 0U);
    EXPECT_THAT(d.ack(), ElementsAre(Named{at, 1}));
    EXPECT_THAT(d.ack(), IsEmpty());
}

TEST(Renak, within_one_ack_order_goes_by_sequence) {
    ReceiverDriver d(LFN_NAK_EVERY_GAP, true);
    const uint32_t at = learn_path(d, 50);
    for (uint32_t i = 0; i < 3; ++i) d.arrive(at + 200 * i + 100, at + 200 * i + 200);
    EXPECT_EQ(d.ack().size(), 3U);
    d.wait(satellite_ms);
    d.arrive(at + 200, at + 300);
    EXPECT_THAT(d.ack(), ElementsAre(Named{at, 1})) << "the third is on its way";
}

TEST(Renak, what_follows_an_answer_is_given_time_to_arrive) {
    ReceiverDriver d(LFN_NAK_EVERY_GAP, true);
    const uint32_t at = learn_path(d, 50);
    d.arrive(at + 20000, at + 20100);
    EXPECT_THAT(d.ack(), ElementsAre(Named{at, 200}));
    d.wait(satellite_ms);
    for (uint32_t i = 0; i < 200; ++i) {  // 200 segments at 3 ms each: the last one a round trip later than the first
        const uint32_t to = at + 100 * i + 100;
        d.arrive(to - 100, to, i == 199 ? to + 100 : to);
        ASSERT_THAT(d.ack(), IsEmpty()) << i;
        d.wait(3);
    }
    EXPECT_EQ(lfn_nak_receiver_srtt_ms(&d.state()), satellite_ms) << "only the first of a hole is a sample";
}

TEST(Renak, a_loss_inside_a_wide_answer_is_named_again_alone) {
    ReceiverDriver d(LFN_NAK_EVERY_GAP, true);
    const uint32_t at = learn_path(d, 50);
    d.arrive(at + 1000, at + 1100);
    EXPECT_THAT(d.ack(), ElementsAre(Named{at, 10}));
    d.wait(satellite_ms);
    d.arrive(at, at + 100, at + 100);
    d.wait(6);
    d.arrive(at + 200, at + 300);
    EXPECT_THAT(d.ack(), ElementsAre(Named{at + 100, 1}));
}

TEST(Renak, a_wide_hole_is_named_again_in_pieces) {
    ReceiverDriver d(LFN_NAK_EVERY_GAP, true);
    d.arrive(30000, 30100);
    EXPECT_THAT(d.ack(1), ElementsAre(Named{0, 255}));
    EXPECT_THAT(d.ack(1), ElementsAre(Named{25500, 45}));
    d.wait(1000);
    EXPECT_THAT(d.ack(1), ElementsAre(Named{0, 255}));
    EXPECT_THAT(d.ack(1), ElementsAre(Named{25500, 45}));
    EXPECT_THAT(d.ack(1), IsEmpty());
    EXPECT_EQ(d.next_ms(), 2000U);
}

TEST(Renak, left_edge_repeats_only_the_edge) {
    ReceiverDriver d(LFN_NAK_LEFT_EDGE, true);
    d.arrive(100, 200);
    d.arrive(300, 400);
    EXPECT_THAT(d.ack(), ElementsAre(Named{0, 1}));
    d.wait(1000);
    EXPECT_THAT(d.ack(), ElementsAre(Named{0, 1}));
    d.arrive(0, 100, 200);
    EXPECT_THAT(d.ack(), ElementsAre(Named{200, 1}));
}

TEST(Renak, without_it_order_names_nothing_again) {
    ReceiverDriver d(LFN_NAK_EVERY_GAP, false);
    d.arrive(100, 200);
    d.ack();
    d.wait(10);
    d.arrive(300, 400);
    d.ack();
    d.wait(satellite_ms);
    d.arrive(200, 300);
    EXPECT_THAT(d.ack(), IsEmpty());
    EXPECT_EQ(d.next_ms(), std::nullopt);
}

// One hole at a time, so that only the timer speaks; long runs at one value, so that the variance decays.
TEST(Renak, never_early_at_580_ms_give_or_take_20) {
    std::mt19937_64 random(1106);
    ReceiverDriver d(LFN_NAK_EVERY_GAP, true);
    uint32_t at = 0;
    for (int i = 0; i < 20000; ++i, at += 200) {
        const bool calm = random() % 100 < 90;
        d.arrive(at + 100, at + 200);
        ASSERT_EQ(d.ack().size(), 1U);
        d.wait(calm ? 560 : 560 + static_cast<uint32_t>(random() % 41));
        ASSERT_THAT(d.would_name(), IsEmpty()) << i;
        d.arrive(at, at + 100, at + 200);
    }
}

}  // namespace
