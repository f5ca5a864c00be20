// SPDX-License-Identifier: BSD-3-Clause
#include "lfn/nak_sender.h"

#include <gtest/gtest.h>

#include <optional>
#include <utility>

#include "property.hpp"

namespace {

constexpr uint32_t una = 0xFFFFFF00;  // just below 2^32
constexpr uint32_t nxt = una + 10000;
constexpr uint16_t mss = 500;

struct Clipped {
    lfn_nak_verdict verdict;
    uint32_t from, to;  // 1 and 2 if untouched
};

Clipped clip(lfn_nak nak, uint32_t low = una, uint32_t high = nxt, uint16_t segment = mss) {
    Clipped c{LFN_NAK_HONOUR, 1, 2};
    c.verdict = lfn_nak_clip(&nak, low, high, segment, &c.from, &c.to);
    return c;
}

void expect_refused(const Clipped& c, lfn_nak_verdict verdict) {
    EXPECT_EQ(c.verdict, verdict);
    EXPECT_EQ(c.from, 1U);
    EXPECT_EQ(c.to, 2U);
}

void expect_honoured(const Clipped& c, uint32_t from, uint32_t to) {
    EXPECT_EQ(c.verdict, LFN_NAK_HONOUR);
    EXPECT_EQ(c.from, from);
    EXPECT_EQ(c.to, to);
}

TEST(NakClip, nak_with_zero_segments_is_refused) {
    expect_refused(clip({una, 0}), LFN_NAK_REFUSE_EMPTY);
}

TEST(NakClip, a_nak_inside_the_flight_is_honoured_whole) {
    expect_honoured(clip({una, 1}), una, una + 500);
    expect_honoured(clip({una + 1000, 3}), una + 1000, una + 2500);
    expect_honoured(clip({nxt - 500, 1}), nxt - 500, nxt);
}

TEST(NakClip, a_nak_is_cut_to_the_flight_at_both_ends) {
    expect_honoured(clip({una - 700, 2}), una, una + 300);
    expect_honoured(clip({nxt - 1, 255}), nxt - 1, nxt);
    expect_honoured(clip({una - 1000, 255}), una, nxt);
}

TEST(NakClip, alien_sequence_numbers_are_refused) {
    expect_refused(clip({nxt, 1}), LFN_NAK_REFUSE_ALIEN);
    expect_refused(clip({nxt, 255}), LFN_NAK_REFUSE_ALIEN);
    expect_refused(clip({una - 500, 1}), LFN_NAK_REFUSE_ALIEN);
    expect_honoured(clip({una - 499, 1}), una, una + 1);
    for (uint32_t away : {0x40000000U, 0x7FFFFFFFU, 0x80000000U, 0x80000001U, 0xC0000000U}) {
        for (uint8_t count : {uint8_t{1}, uint8_t{255}})
            expect_refused(clip({una + away, count}), LFN_NAK_REFUSE_ALIEN);
    }
}

TEST(NakClip, with_nothing_in_flight_every_nak_is_alien) {
    expect_refused(clip({una, 1}, una, una), LFN_NAK_REFUSE_ALIEN);
    expect_refused(clip({una - 10, 255}, una, una), LFN_NAK_REFUSE_ALIEN);
}

TEST(NakClip, count_255_of_the_largest_mss_wraps_safely) {
    const uint32_t high = una + (1U << 30);
    expect_honoured(clip({una, 255}, una, high, 65535), una, una + 255U * 65535);
    expect_honoured(clip({una - 255U * 65535 + 1, 255}, una, high, 65535), una, una + 1);
    expect_refused(clip({una - 255U * 65535, 255}, una, high, 65535), LFN_NAK_REFUSE_ALIEN);
    expect_honoured(clip({high - 1, 255}, una, high, 65535), high - 1, high);
}

TEST(NakClipDeathTest, an_mss_of_zero_stops_the_program) {
    EXPECT_DEATH(clip({una, 1}, una, nxt, 0), "");
}

// Octet by octet: which octets of the flight does the NAK name?
std::optional<std::pair<uint32_t, uint32_t>> naive(lfn_nak nak, uint32_t low, uint32_t flight, uint16_t segment) {
    std::optional<std::pair<uint32_t, uint32_t>> range;
    for (uint32_t i = 0; i < flight; ++i) {
        const bool named = low + i - nak.seq < uint32_t{nak.segments} * segment;
        if (named && !range) range = {low + i, low + i + 1};
        if (named) range->second = low + i + 1;
    }
    return range;
}

RC_GTEST_PROP(NakClipProperty, the_clipped_part_is_the_octets_named_in_flight, (uint8_t count)) {
    const uint32_t flight = *rc::gen::inRange<uint32_t>(0, 3000);
    const uint16_t segment = *rc::gen::inRange<uint16_t>(1, 1500);
    const uint32_t low = *rc::gen::inRange<uint32_t>(0, 2000) - 1000;
    const lfn_nak nak{low + *rc::gen::inRange<uint32_t>(0, 8000) - 4000, count};
    const auto expected = naive(nak, low, flight, segment);
    const Clipped got = clip(nak, low, low + flight, segment);
    RC_ASSERT(expected.has_value() == (got.verdict == LFN_NAK_HONOUR));
    if (expected) {
        RC_ASSERT(got.from == expected->first);
        RC_ASSERT(got.to == expected->second);
    }
}

TEST(NakMayResend, the_first_time_always) {
    EXPECT_TRUE(lfn_nak_may_resend(false, 0, 0, 580));
    EXPECT_TRUE(lfn_nak_may_resend(false, 77, 77, 0));
}

TEST(NakMayResend, at_most_once_per_round_trip) {
    constexpr uint32_t then = 0xFFFFFFF0;
    EXPECT_FALSE(lfn_nak_may_resend(true, then, then, 580));
    EXPECT_FALSE(lfn_nak_may_resend(true, then, then + 290, 580));
    EXPECT_FALSE(lfn_nak_may_resend(true, then, then + 434, 580));
    EXPECT_TRUE(lfn_nak_may_resend(true, then, then + 435, 580));
}

TEST(NakMayResend, the_shortest_swing_of_a_satellite_path_passes) {
    EXPECT_TRUE(lfn_nak_may_resend(true, 0, 560, 600));
    EXPECT_TRUE(lfn_nak_may_resend(true, 0, 580, 700));
}

TEST(NakMayResend, an_unknown_round_trip_means_once_per_second) {
    EXPECT_FALSE(lfn_nak_may_resend(true, 0, 999, 0));
    EXPECT_TRUE(lfn_nak_may_resend(true, 0, 1000, 0));
}

}  // namespace
