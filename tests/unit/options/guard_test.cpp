// SPDX-License-Identifier: BSD-3-Clause
#include "lfn/guard.h"

#include <gtest/gtest.h>

#include "lfn/big_window.h"

namespace {

constexpr uint32_t una = 0xFFFFF000;  // just below 2^32

TEST(GuardWindow, is_half_of_the_sequence_numbers_in_a_segments_life) {
    EXPECT_EQ(lfn_guard_window(580), 10'379'504U);  // 2^31 x 0.58 / 120
    EXPECT_EQ(lfn_guard_window(36), 644'245U);
    EXPECT_EQ(lfn_guard_window(1800), 32'212'254U);
}

TEST(GuardWindow, is_never_below_what_tcp_always_had_nor_above_the_largest_window) {
    EXPECT_EQ(lfn_guard_window(0), 65535U);
    EXPECT_EQ(lfn_guard_window(3), 65535U);
    EXPECT_EQ(lfn_guard_window(60'000), LFN_WINDOW_MAX);
    EXPECT_EQ(lfn_guard_window(UINT32_MAX), LFN_WINDOW_MAX);
}

TEST(Paws, older_timestamps_are_refused_equal_and_newer_are_not) {
    const lfn_paws paws = {5, 1000};
    EXPECT_TRUE(lfn_paws_refuses(&paws, 4, 2000));
    EXPECT_FALSE(lfn_paws_refuses(&paws, 5, 2000));
    EXPECT_FALSE(lfn_paws_refuses(&paws, 6, 2000));
}

TEST(Paws, holds_across_the_wrap_of_the_clock) {
    const lfn_paws paws = {3, 1000};
    EXPECT_TRUE(lfn_paws_refuses(&paws, 0xFFFFFFFE, 1000));
    const lfn_paws before = {0xFFFFFFFE, 1000};
    EXPECT_FALSE(lfn_paws_refuses(&before, 3, 1000));
}

TEST(Paws, says_nothing_after_24_days) {
    const lfn_paws paws = {500, 1000};
    EXPECT_TRUE(lfn_paws_refuses(&paws, 499, 1000 + LFN_PAWS_IDLE_MS));
    EXPECT_FALSE(lfn_paws_refuses(&paws, 499, 1001 + LFN_PAWS_IDLE_MS));
}

TEST(Paws, only_a_segment_in_order_sets_the_newest_timestamp) {
    lfn_paws paws = {500, 1000};
    lfn_paws_accept(&paws, 600, false, 2000);
    EXPECT_EQ(paws.recent, 500U);
    EXPECT_EQ(paws.seen_ms, 1000U);
    lfn_paws_accept(&paws, 600, true, 2000);
    EXPECT_EQ(paws.recent, 600U);
    EXPECT_EQ(paws.seen_ms, 2000U);
}

TEST(GuardAck, from_a_window_below_the_left_edge_to_what_was_sent) {
    constexpr uint32_t window = 0x8000;
    constexpr uint32_t nxt = una + 0x4000;  // past the wrap
    EXPECT_TRUE(lfn_guard_ack(una, una, nxt, window));
    EXPECT_TRUE(lfn_guard_ack(nxt, una, nxt, window));
    EXPECT_FALSE(lfn_guard_ack(nxt + 1, una, nxt, window));
    EXPECT_TRUE(lfn_guard_ack(una - window, una, nxt, window));
    EXPECT_FALSE(lfn_guard_ack(una - window - 1, una, nxt, window));
}

TEST(Challenges, ten_go_out_in_five_seconds_and_then_ten_more) {
    lfn_challenges challenges = {};
    const uint32_t start = 0xFFFFFF00;
    for (int i = 0; i < LFN_CHALLENGES; ++i) EXPECT_TRUE(lfn_challenge_allowed(&challenges, start + uint32_t(i)));
    EXPECT_FALSE(lfn_challenge_allowed(&challenges, start + LFN_CHALLENGES_MS - 1));
    for (int i = 0; i < LFN_CHALLENGES; ++i) EXPECT_TRUE(lfn_challenge_allowed(&challenges, start + LFN_CHALLENGES_MS));
    EXPECT_FALSE(lfn_challenge_allowed(&challenges, start + LFN_CHALLENGES_MS));
}

}  // namespace
