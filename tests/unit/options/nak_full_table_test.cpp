// SPDX-License-Identifier: BSD-3-Clause
// More holes than the table holds. This program is compiled with LFN_NAK_HOLES 4.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "lfn/nak_receiver.h"
#include "receiver_driver.hpp"

namespace {

using lfn::test::Named;
using lfn::test::ReceiverDriver;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

static_assert(LFN_NAK_HOLES == 4);

// Arrivals that leave holes [0,100), [200,300), ... : `n` of them.
void open_holes(ReceiverDriver& d, uint32_t n, uint32_t first = 0) {
    for (uint32_t i = first; i < first + n; ++i) d.arrive(200 * i + 100, 200 * i + 200);
}

TEST(FullTable, the_newest_hole_is_not_tracked_if_none_was_named) {
    ReceiverDriver d;
    open_holes(d, 6);
    EXPECT_THAT(d.holes(), ElementsAre(Pair(0, 100), Pair(200, 300), Pair(400, 500), Pair(600, 700)));
    EXPECT_EQ(d.state().highest, d.first_seq + 1200);
}

TEST(FullTable, an_untracked_hole_is_found_again_when_it_becomes_the_edge) {
    ReceiverDriver d;
    open_holes(d, 6);
    EXPECT_EQ(d.ack().size(), 4U);
    for (uint32_t i = 0; i < 4; ++i) d.arrive(200 * i, 200 * i + 100, 200 * i + 200);
    EXPECT_THAT(d.ack(), ElementsAre(Named{800, 1}));
    d.arrive(800, 900, 1000);
    EXPECT_THAT(d.ack(), ElementsAre(Named{1000, 1}));
    d.arrive(1000, 1100, 1200);
    EXPECT_THAT(d.holes(), IsEmpty());
}

TEST(FullTable, a_named_hole_gives_its_place_to_a_new_one) {
    ReceiverDriver d;
    open_holes(d, 4);
    EXPECT_EQ(d.ack().size(), 4U);
    open_holes(d, 1, 4);
    EXPECT_THAT(d.holes(), ElementsAre(Pair(0, 100), Pair(200, 300), Pair(400, 500), Pair(800, 900)));
    EXPECT_THAT(d.ack(), ElementsAre(Named{800, 1}));
}

TEST(FullTable, left_edge_forgets_no_named_hole) {
    ReceiverDriver d(LFN_NAK_LEFT_EDGE);
    open_holes(d, 4);
    EXPECT_THAT(d.ack(), ElementsAre(Named{0, 1}));
    open_holes(d, 1, 4);
    EXPECT_EQ(d.holes().front(), std::pair(0U, 100U));
    EXPECT_THAT(d.ack(), IsEmpty());
}

TEST(FullTable, left_edge_keeps_the_named_upper_part_of_a_split_edge) {
    ReceiverDriver d(LFN_NAK_LEFT_EDGE);
    d.arrive(500, 600);
    EXPECT_THAT(d.ack(), ElementsAre(Named{0, 5}));
    open_holes(d, 2, 3);
    d.arrive(200, 300);
    open_holes(d, 1, 5);
    EXPECT_THAT(d.holes(), ElementsAre(Pair(0, 200), Pair(300, 500), Pair(600, 700), Pair(800, 900)));
    d.arrive(0, 200, 300);
    EXPECT_THAT(d.ack(), IsEmpty());
}

TEST(FullTable, a_split_gives_up_the_newest_hole) {
    ReceiverDriver d;
    d.arrive(500, 600);
    open_holes(d, 3, 3);
    d.arrive(200, 300);
    EXPECT_THAT(d.holes(), ElementsAre(Pair(0, 200), Pair(300, 500), Pair(600, 700), Pair(800, 900)));
}

TEST(FullTable, a_split_of_the_newest_hole_gives_up_its_upper_part) {
    ReceiverDriver d;
    open_holes(d, 3);
    d.arrive(1000, 1100);
    d.arrive(800, 900);
    EXPECT_THAT(d.holes(), ElementsAre(Pair(0, 100), Pair(200, 300), Pair(400, 500), Pair(600, 800)));
}

TEST(FullTable, a_wide_hole_found_again_is_named_in_growing_steps) {
    ReceiverDriver d;
    open_holes(d, 4);
    d.arrive(5000, 5100);  // [800, 5000) is the fifth hole, and not tracked
    for (uint32_t i = 0; i < 4; ++i) d.arrive(200 * i, 200 * i + 100, 200 * i + 200);
    uint32_t edge = 800;
    int steps = 0;
    for (; edge < 5000 && steps < 100; ++steps) {
        const std::vector<Named> named = d.ack();
        ASSERT_EQ(named.size(), 1U);
        ASSERT_EQ(named[0].offset, edge);
        const uint32_t to = std::min(edge + named[0].segments * d.mss, 5000U);
        d.arrive(edge, to, to == 5000 ? 5100 : to);
        edge = to;
    }
    EXPECT_EQ(edge, 5000U);
    EXPECT_LE(steps, 7);
    EXPECT_THAT(d.holes(), IsEmpty());
}

// A lossy path with far more holes than entries: the transfer must come to its end, whatever is lost.
TEST(FullTable, every_octet_is_asked_for_in_the_end) {
    std::mt19937_64 random(1106);
    constexpr uint32_t segments = 2000;
    for (int run = 0; run < 20; ++run) {
        ReceiverDriver d(run % 2 ? LFN_NAK_EVERY_GAP : LFN_NAK_LEFT_EDGE, true);
        std::vector<bool> has(segments + 1, false);
        const auto edge = [&] { return static_cast<uint32_t>(std::find(has.begin(), has.end(), false) - has.begin()); };
        const auto send = [&](uint32_t i) {
            if (i >= segments || random() % 3 == 0) return;
            has[i] = true;
            d.arrive(100 * i, 100 * i + 100, 100 * edge());
            ASSERT_LE(d.holes().size(), 4U);
            for (const auto& [start, end] : d.holes()) ASSERT_LT(start, end);
        };
        for (uint32_t i = 0; i + 1 < segments; ++i) send(i);
        has[segments - 1] = true;  // so that nothing is left to the retransmission timer
        d.arrive(100 * (segments - 1), 100 * segments, 100 * edge());
        int rounds = 0;
        for (; edge() != segments && rounds < 100000; ++rounds) {
            ASSERT_TRUE(d.next_ms().has_value());
            d.wait(*d.next_ms());
            for (const Named& n : d.ack()) {
                for (uint32_t i = 0; i < n.segments; ++i) {
                    if (!has[n.offset / 100 + i]) send(n.offset / 100 + i);
                }
            }
        }
        EXPECT_EQ(edge(), segments);
    }
}

}  // namespace
