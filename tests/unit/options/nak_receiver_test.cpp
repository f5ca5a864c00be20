// SPDX-License-Identifier: BSD-3-Clause
// Which holes there are and which of them an ACK names the first time.
#include "lfn/nak_receiver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "receiver_driver.hpp"

namespace {

using lfn::test::Named;
using lfn::test::ReceiverDriver;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(NakReceiver, data_in_order_names_nothing) {
    ReceiverDriver d;
    for (uint32_t at = 0; at < 2000; at += 100) d.arrive(at, at + 100, at + 100);
    EXPECT_EQ(d.short_ways(), 20U);
    EXPECT_THAT(d.ack(), IsEmpty());
    EXPECT_THAT(d.holes(), IsEmpty());
    EXPECT_EQ(d.next_ms(), std::nullopt);
}

TEST(NakReceiver, a_gap_is_named_once_and_at_once) {
    ReceiverDriver d;
    d.arrive(0, 100, 100);
    d.arrive(300, 400);
    EXPECT_EQ(d.next_ms(), 0U);
    EXPECT_THAT(d.ack(), ElementsAre(Named{100, 2}));
    EXPECT_THAT(d.ack(), IsEmpty());
    d.wait(100000);
    EXPECT_THAT(d.ack(), IsEmpty());
    EXPECT_EQ(d.next_ms(), std::nullopt);
}

TEST(NakReceiver, collecting_changes_nothing) {
    ReceiverDriver d;
    d.arrive(300, 400);
    EXPECT_THAT(d.would_name(), ElementsAre(Named{0, 3}));
    EXPECT_THAT(d.would_name(), ElementsAre(Named{0, 3}));
    EXPECT_THAT(d.ack(), ElementsAre(Named{0, 3}));
}

TEST(NakReceiver, every_gap_names_each_new_hole) {
    ReceiverDriver d;
    d.arrive(100, 200);
    d.arrive(300, 400);
    EXPECT_THAT(d.ack(), ElementsAre(Named{0, 1}, Named{200, 1}));
    d.arrive(600, 700);
    EXPECT_THAT(d.ack(), ElementsAre(Named{400, 2}));
}

TEST(NakReceiver, what_an_ack_had_no_room_for_goes_with_the_next) {
    ReceiverDriver d;
    for (uint32_t at = 100; at < 1100; at += 200) d.arrive(at, at + 100);
    EXPECT_THAT(d.ack(2), ElementsAre(Named{0, 1}, Named{200, 1}));
    EXPECT_EQ(d.next_ms(), 0U);
    EXPECT_THAT(d.ack(2), ElementsAre(Named{400, 1}, Named{600, 1}));
    EXPECT_THAT(d.ack(2), ElementsAre(Named{800, 1}));
    EXPECT_THAT(d.ack(0), IsEmpty());
}

TEST(NakReceiver, left_edge_names_only_the_hole_that_holds_the_edge) {
    ReceiverDriver d(LFN_NAK_LEFT_EDGE);
    d.arrive(100, 200);
    d.arrive(300, 400);
    EXPECT_THAT(d.ack(), ElementsAre(Named{0, 1}));
    EXPECT_THAT(d.ack(), IsEmpty());
    EXPECT_EQ(d.next_ms(), std::nullopt);
    d.arrive(0, 100, 200);
    EXPECT_THAT(d.ack(), ElementsAre(Named{200, 1}));
    EXPECT_THAT(d.ack(), IsEmpty());
}

TEST(NakReceiver, left_edge_does_not_repeat_a_partly_filled_hole) {
    ReceiverDriver d(LFN_NAK_LEFT_EDGE);
    d.arrive(500, 600);
    EXPECT_THAT(d.ack(), ElementsAre(Named{0, 5}));
    d.arrive(0, 100, 100);
    EXPECT_THAT(d.ack(), IsEmpty());
    d.arrive(200, 300);
    EXPECT_THAT(d.ack(), IsEmpty());
    d.arrive(100, 200, 300);
    EXPECT_THAT(d.ack(), IsEmpty());
    EXPECT_THAT(d.holes(), ElementsAre(Pair(300, 500)));
}

TEST(NakReceiver, off_names_nothing_and_tracks_nothing) {
    ReceiverDriver d(LFN_NAK_OFF, true);
    d.arrive(300, 400);
    EXPECT_THAT(d.ack(), IsEmpty());
    EXPECT_THAT(d.holes(), IsEmpty());
    d.advance(400);
    EXPECT_EQ(d.state().rcv_nxt, d.first_seq + 400);
    EXPECT_EQ(d.next_ms(), std::nullopt);
}

TEST(NakReceiver, a_hole_is_rounded_up_to_whole_segments) {
    ReceiverDriver d;
    d.arrive(101, 200);
    EXPECT_THAT(d.would_name(), ElementsAre(Named{0, 2}));
    EXPECT_THAT(d.would_name(5, 101), ElementsAre(Named{0, 1}));
    EXPECT_THAT(d.would_name(5, 1), ElementsAre(Named{0, 101}));
    EXPECT_THAT(d.would_name(5, 65535), ElementsAre(Named{0, 1}));
}

TEST(NakReceiver, a_hole_wider_than_255_segments_takes_several_naks) {
    ReceiverDriver d;
    d.arrive(60001, 60101);
    EXPECT_THAT(d.ack(2), ElementsAre(Named{0, 255}, Named{25500, 255}));
    EXPECT_EQ(d.next_ms(), 0U);
    EXPECT_THAT(d.ack(2), ElementsAre(Named{51000, 91}));
    EXPECT_THAT(d.ack(2), IsEmpty());
    EXPECT_EQ(d.next_ms(), std::nullopt);
}

TEST(NakReceiver, exactly_255_segments_are_one_nak) {
    ReceiverDriver d;
    d.arrive(25500, 25600);
    EXPECT_THAT(d.ack(), ElementsAre(Named{0, 255}));
}

TEST(NakReceiver, left_edge_names_the_rest_of_a_wide_hole_once_the_edge_gets_there) {
    ReceiverDriver d(LFN_NAK_LEFT_EDGE);
    d.arrive(30000, 30100);
    EXPECT_THAT(d.ack(), ElementsAre(Named{0, 255}));
    EXPECT_THAT(d.ack(), IsEmpty());
    d.arrive(0, 25400, 25400);
    EXPECT_THAT(d.ack(), IsEmpty());
    d.arrive(25400, 25500, 25500);
    EXPECT_THAT(d.ack(), ElementsAre(Named{25500, 45}));
}

TEST(NakReceiver, an_arrival_trims_splits_and_closes_holes) {
    ReceiverDriver d;
    d.arrive(1000, 1100);
    d.arrive(0, 100, 100);
    EXPECT_THAT(d.holes(), ElementsAre(Pair(100, 1000)));
    d.arrive(900, 1000);
    EXPECT_THAT(d.holes(), ElementsAre(Pair(100, 900)));
    d.arrive(300, 400);
    EXPECT_THAT(d.holes(), ElementsAre(Pair(100, 300), Pair(400, 900)));
    d.arrive(250, 500);
    EXPECT_THAT(d.holes(), ElementsAre(Pair(100, 250), Pair(500, 900)));
    d.arrive(50, 950, 1100);
    EXPECT_THAT(d.holes(), IsEmpty());
}

TEST(NakReceiver, one_arrival_can_close_several_holes_and_reach_beyond_them) {
    ReceiverDriver d;
    for (uint32_t at = 100; at < 900; at += 200) d.arrive(at, at + 100);
    d.arrive(150, 1000);
    EXPECT_THAT(d.holes(), ElementsAre(Pair(0, 100)));
    EXPECT_EQ(d.state().highest, d.first_seq + 1000);
}

TEST(NakReceiver, a_split_hole_that_was_named_is_not_named_again) {
    ReceiverDriver d;
    d.arrive(1000, 1100);
    d.ack();
    d.arrive(500, 600);
    EXPECT_THAT(d.ack(), IsEmpty());
}

TEST(NakReceiver, a_split_above_the_named_part_leaves_the_rest_to_be_named) {
    ReceiverDriver d;
    d.arrive(60000, 60100);
    EXPECT_THAT(d.ack(1), ElementsAre(Named{0, 255}));
    d.arrive(40000, 40100);
    EXPECT_THAT(d.ack(), ElementsAre(Named{25500, 145}, Named{40100, 199}));
    EXPECT_THAT(d.ack(), IsEmpty());
}

TEST(NakReceiver, data_below_the_edge_and_duplicates_change_nothing) {
    ReceiverDriver d;
    d.arrive(0, 100, 100);
    d.arrive(300, 400);
    d.arrive(0, 100);
    d.arrive(0, 50, 100);
    d.arrive(300, 400);
    d.arrive(200, 200);
    EXPECT_THAT(d.holes(), ElementsAre(Pair(100, 300)));
    lfn_nak_receiver_segment(&d.state(), d.first_seq + 350, d.first_seq + 250, d.now());
    EXPECT_THAT(d.holes(), ElementsAre(Pair(100, 300)));
}

TEST(NakReceiver, the_advance_drops_and_trims) {
    ReceiverDriver d;
    for (uint32_t at = 200; at < 1000; at += 300) d.arrive(at, at + 100);
    EXPECT_THAT(d.holes(), ElementsAre(Pair(0, 200), Pair(300, 500), Pair(600, 800)));
    d.advance(400);
    EXPECT_THAT(d.holes(), ElementsAre(Pair(400, 500), Pair(600, 800)));
    d.advance(300);
    EXPECT_EQ(d.state().rcv_nxt, d.first_seq + 400) << "the edge never moves back";
    d.advance(5000);
    EXPECT_THAT(d.holes(), IsEmpty());
    EXPECT_EQ(d.state().highest, d.first_seq + 5000);
}

TEST(NakReceiver, data_thrown_away_after_its_report_is_found_again_at_the_edge) {
    ReceiverDriver d;
    d.arrive(100, 200);
    d.arrive(200, 300);
    d.arrive(300, 400);
    d.arrive(0, 100, 200);  // the stack kept only [100, 200)
    EXPECT_THAT(d.ack(), ElementsAre(Named{200, 1}));
    d.arrive(200, 300, 300);
    EXPECT_THAT(d.ack(), ElementsAre(Named{300, 1}));
    EXPECT_THAT(d.holes(), ElementsAre(Pair(300, 400)));
}

TEST(NakReceiver, a_hole_found_again_teaches_nothing) {
    for (bool named : {false, true}) {
        ReceiverDriver d;
        d.learn(0, 400);
        d.arrive(200, 300);
        d.arrive(300, 400, 300);  // the stack kept only [200, 300)
        EXPECT_EQ(d.would_name(), std::vector<Named>({{300, 1}}));
        d.ack(named ? 1 : 0);
        d.wait(named ? 300 : 1);
        d.arrive(300, 400, 400);
        EXPECT_EQ(d.state().delay_quarters, 0);
        EXPECT_EQ(lfn_nak_receiver_srtt_ms(&d.state()), 400U);
    }
}

TEST(NakReceiver, an_ack_that_did_not_go_out_leaves_the_hole_due) {
    ReceiverDriver d;
    d.arrive(100, 200);
    d.arrive(300, 400);
    lfn_nak naks[2];
    ASSERT_EQ(lfn_nak_receiver_collect(&d.state(), d.mss, d.now(), naks, 2), 2U);
    lfn_nak_receiver_sent(&d.state(), naks, 1, d.mss, d.now());
    EXPECT_THAT(d.ack(), ElementsAre(Named{200, 1}));
}

TEST(NakReceiver, a_report_of_a_nak_that_fits_no_hole_is_ignored) {
    ReceiverDriver d;
    d.arrive(500, 600);
    const lfn_nak alien[] = {{d.first_seq + 550, 1}, {d.first_seq + 100, 1}, {d.first_seq + 0x80000000, 255}};
    lfn_nak_receiver_sent(&d.state(), alien, 3, d.mss, d.now());
    EXPECT_THAT(d.ack(), ElementsAre(Named{0, 5}));
}

TEST(NakReceiverDeathTest, an_mss_of_zero_stops_the_program) {
    ReceiverDriver d;
    EXPECT_DEATH(d.would_name(5, 0), "");
}

}  // namespace
