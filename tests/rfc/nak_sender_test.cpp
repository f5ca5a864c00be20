// SPDX-License-Identifier: BSD-3-Clause
// RFC 1106 2.1, the sender: which NAKs a stack honours, and what goes out for them.
#include "rfc1106_test.hpp"

namespace lfn::test {
namespace {

using Offsets = std::vector<std::uint32_t>;

TEST_F(Nak, a_named_segment_goes_out_again_before_new_data) {
    settings.loss_policy = LFN_LOSS_NOISE;
    agree();
    fly(4);
    pcb->cwnd = pcb->snd_nxt - pcb->lastack;
    for (int i = 0; i < 3; ++i) write(kFull);
    ASSERT_TRUE(wire.sent.empty()) << "new data wait for the window";
    acks(2 * kFull, a_option(first_data + 2 * kFull, 1));
    const Offsets offsets = take_offsets();
    ASSERT_GE(offsets.size(), 3U);
    EXPECT_EQ(offsets[0], 2U * kFull);
    EXPECT_EQ(offsets[1], 4U * kFull);
    EXPECT_EQ(offsets[2], 5U * kFull);
}

TEST_F(Nak, a_small_named_segment_passes_nagle) {
    agree();
    write(100);
    write(kFull);
    write(50);
    wire.sent.clear();
    tcp_nagle_enable(pcb);
    names(0, 1);
    EXPECT_EQ(take_offsets(), (Offsets{0, 100})) << "what begins within a full segment's length";
    names(100 + kFull, 1);
    EXPECT_EQ(take_offsets(), Offsets{100 + kFull});
}

TEST_F(Nak, several_named_segments_go_out_in_order_and_others_do_not) {
    settings.loss_policy = LFN_LOSS_NOISE;
    agree();
    fly(8);
    acks(0, join({a_option(first_data + 5 * kFull, 2), a_option(first_data + kFull, 1)}));
    EXPECT_EQ(take_offsets(), (Offsets{kFull, 5 * kFull, 6 * kFull}));
    EXPECT_EQ(info().naks_received, 2U);
    EXPECT_EQ(info().naks_honoured, 2U);
    EXPECT_EQ(info().retransmitted_segments, 3U);
    EXPECT_EQ(info().retransmitted_octets, 3U * kFull);
}

TEST_F(Nak, naming_the_middle_of_a_segment_sends_all_of_it) {
    settings.loss_policy = LFN_LOSS_NOISE;
    agree();
    fly(4);
    names(kFull + 100, 1);
    EXPECT_EQ(take_offsets(), (Offsets{kFull, 2 * kFull})) << "a segment's worth from the middle reaches into the next";
}

TEST_F(Nak, at_and_around_snd_una) {
    handshake_ms = 400;
    agree();
    fly(4);
    acks(kFull);
    const std::uint32_t una = kFull;
    names(una - kFull, 1);  // ends where SND.UNA is
    EXPECT_TRUE(wire.sent.empty());
    EXPECT_EQ(info().naks_refused, 1U);
    names(una - kFull + 1, 1);  // holds its first octet
    EXPECT_EQ(take_offsets(), Offsets{una});
    run_ms(400);
    names(una, 1);
    EXPECT_EQ(take_offsets(), Offsets{una});
    EXPECT_EQ(info().naks_refused, 1U);
}

TEST_F(Nak, at_and_around_snd_nxt) {
    settings.loss_policy = LFN_LOSS_NOISE;
    agree();
    fly(4);
    names(4 * kFull, 255);
    names(4 * kFull + 1, 1);
    EXPECT_TRUE(wire.sent.empty());
    EXPECT_EQ(info().naks_refused, 2U);
    names(4 * kFull - 1, 1);
    EXPECT_EQ(take_offsets(), Offsets{3 * kFull});
    EXPECT_EQ(info().naks_refused, 2U);
}

TEST_F(Nak, half_the_sequence_space_away_is_alien) {
    agree();
    fly(4);
    for (const std::uint32_t away : {0x7fffffffU, 0x80000000U, 0x80000001U}) names(away, 255);
    EXPECT_TRUE(wire.sent.empty());
    EXPECT_EQ(info().naks_refused, 3U);
}

TEST_F(Nak, with_nothing_in_flight_all_is_alien) {
    agree();
    fly(4);
    acks(4 * kFull);
    names(0, 255);
    names(4 * kFull, 255);
    EXPECT_TRUE(wire.sent.empty());
    EXPECT_EQ(info().naks_refused, 2U);
}

TEST_F(Nak, across_2_to_the_32) {
    agree();
    ASSERT_GT(first_data, 0xffff0000U);
    fly(4);
    ASSERT_LT(first_data + kFull, 0x10000U);
    names(0, 2);
    EXPECT_EQ(take_offsets(), (Offsets{0, kFull}));
}

TEST_F(Nak, count_0_is_refused) {
    agree();
    fly(4);
    names(0, 0);
    EXPECT_TRUE(wire.sent.empty());
    EXPECT_EQ(info().naks_received, 1U);
    EXPECT_EQ(info().naks_refused, 1U);
    EXPECT_EQ(info().naks_honoured, 0U);
}

TEST_F(Nak, count_255_sends_what_is_in_flight_and_no_more) {
    settings.loss_policy = LFN_LOSS_NOISE;
    agree();
    fly(4);
    names(0, 255);
    EXPECT_EQ(take_offsets(), (Offsets{0, kFull, 2 * kFull, 3 * kFull}));
}

TEST_F(Nak, a_segment_goes_out_at_most_once_per_round_trip) {
    handshake_ms = 400;
    agree();
    fly(4);
    names(0, 1);
    EXPECT_EQ(take_offsets(), Offsets{0});
    run_ms(299);  // three quarters of the smoothed round trip, less one
    names(0, 1);
    EXPECT_TRUE(wire.sent.empty());
    run_ms(1);
    names(0, 1);
    EXPECT_EQ(take_offsets(), Offsets{0});
    EXPECT_EQ(info().naks_honoured, 2U);
    EXPECT_EQ(info().naks_refused, 0U);
}

TEST_F(Nak, ten_thousand_equal_ones_cost_one_segment_per_round_trip) {
    handshake_ms = 400;
    agree();
    fly(4);
    for (int ms = 0; ms < 1000; ++ms) {
        for (int i = 0; i < 10; ++i) names(kFull, 1);
        run_ms(1);
    }
    EXPECT_EQ(take_offsets(), Offsets(4, kFull)) << "at 0, 300, 600 and 900 ms";
    EXPECT_EQ(info().naks_received, 10'000U);
    EXPECT_EQ(info().naks_honoured, 4U);
}

TEST_F(Nak, ten_thousand_that_name_everything_get_no_more_than_the_flight_per_round_trip) {
    settings.loss_policy = LFN_LOSS_NOISE;
    handshake_ms = 400;
    agree();
    fly(8);
    std::size_t octets = 0;
    for (int ms = 0; ms < 900; ++ms) {
        for (int i = 0; i < 11; ++i) names(0, 255);
        for (const Segment& segment : take_all()) octets += segment.payload.size();
        run_ms(1);
    }
    EXPECT_EQ(octets, 3U * 8 * kFull);
}

TEST_F(Nak, a_thousand_without_an_acknowledgement_neither_abort_nor_back_off) {
    handshake_ms = 400;
    agree();
    fly(4);
    names(0, 1);
    const std::uint32_t rto_ms = info().rto_ms;
    for (int i = 0; i < 1000; ++i) {
        EXPECT_EQ(take_offsets(), Offsets{0});
        run_ms(400);
        names(0, 1);
    }
    EXPECT_EQ(take_offsets(), Offsets{0});
    run_ms(400);
    ASSERT_NE(pcb, nullptr);
    EXPECT_EQ(pcb->nrtx, 0);
    EXPECT_EQ(info().rto_ms, rto_ms);
    EXPECT_EQ(info().rtos, 0U);
    run_ms(rto_ms - 401);
    EXPECT_TRUE(wire.sent.empty());
    run_ms(1);
    EXPECT_EQ(take_offsets().front(), 0U) << "the timer runs from the last one on";
    EXPECT_EQ(info().rtos, 1U);
}

TEST_F(Nak, leaves_a_back_off_that_is_in_force) {
    handshake_ms = 400;
    agree();
    fly(4);
    run_ms(info().rto_ms);
    ASSERT_EQ(info().rtos, 1U);
    const std::uint32_t backed_off = info().rto_ms;
    EXPECT_EQ(backed_off, 2 * 1200U);
    wire.sent.clear();
    run_ms(500);
    names(0, 1);
    EXPECT_EQ(take_offsets(), Offsets{0});
    EXPECT_EQ(info().rto_ms, backed_off);
    EXPECT_EQ(pcb->nrtx, 1);
}

TEST_F(Nak, what_a_timeout_has_just_sent_again_is_not_sent_a_third_time) {
    handshake_ms = 400;
    agree();
    fly(1);
    run_ms(info().rto_ms);
    EXPECT_EQ(take_offsets(), Offsets{0});
    run_ms(299);
    names(0, 1);
    EXPECT_TRUE(take_offsets().empty());
    run_ms(1);
    names(0, 1);
    EXPECT_EQ(take_offsets(), Offsets{0});
}

TEST_F(Nak, what_duplicates_have_just_sent_again_is_not_sent_a_third_time) {
    settings.dup_acks = LFN_DUP_ACKS_ON;
    handshake_ms = 400;
    agree();
    fly(4);
    for (int i = 0; i < 3; ++i) acks(0);
    EXPECT_EQ(take_offsets(), Offsets{0});
    names(0, 1);
    EXPECT_TRUE(take_offsets().empty());
}

TEST_F(Nak, retransmission_outlives_a_busy_driver_and_still_goes_before_new_data) {
    settings.loss_policy = LFN_LOSS_NOISE;
    agree();
    fly(4);
    pcb->cwnd = kBig;
    wire.busy = true;
    names(kFull, 1);
    EXPECT_GT(wire.refused, 0U);
    write(kFull);
    run_ms(100);
    wire.busy = false;
    lfn_tcp_output_ready();
    EXPECT_EQ(take_offsets(), (Offsets{kFull, 4 * kFull}));
}

TEST_F(Nak, what_waited_for_the_driver_is_not_sent_when_it_is_acknowledged_meanwhile) {
    agree();
    fly(4);
    wire.busy = true;
    names(0, 255);
    acks(4 * kFull);
    wire.busy = false;
    lfn_tcp_output_ready();
    run_ms(10'000);
    EXPECT_TRUE(take_offsets().empty());
    EXPECT_EQ(info().in_flight, 0U);
}

TEST_F(Nak, off_on_our_side_refuses_all) {
    settings.nak_mode = LFN_NAK_OFF;
    agree();
    fly(4);
    names(0, 1);
    EXPECT_TRUE(wire.sent.empty());
    EXPECT_EQ(info().naks_received, 1U);
    EXPECT_EQ(info().naks_refused, 1U);
}

TEST_F(Nak, a_named_segment_is_not_timed) {
    handshake_ms = 400;
    agree();
    fly(1);
    run_ms(100);
    names(0, 1);
    run_ms(900);
    acks(kFull);
    EXPECT_EQ(info().srtt_ms, 400U) << "Karn's rule";
    wire.sent.clear();
    fly(1);
    run_ms(800);
    acks(2 * kFull);
    EXPECT_EQ(info().srtt_ms, 450U);
    wire.sent.clear();
}

TEST_F(Nak, under_congestion_what_was_named_goes_out_though_the_window_came_down) {
    agree();
    pcb->cwnd = 8 * kMss;
    fly(8);
    acks(0, join({a_option(first_data + 6 * kFull, 1), a_option(first_data, 1)}));
    EXPECT_EQ(info().cwnd, 4U * kFull);
    EXPECT_EQ(take_offsets(), (Offsets{0, 6 * kFull})) << "five segments in between have left the path";
}

TEST_F(Nak, a_closed_window_holds_back_a_named_segment_until_it_opens) {
    settings.loss_policy = LFN_LOSS_NOISE;
    agree();
    fly(3);
    peer_window = 0;
    acks(kFull, a_option(first_data + kFull, 2));
    // The peer took the window back: nothing may be sent, and nothing is lost.
    EXPECT_TRUE(take_offsets().empty());
    peer_window = kBig;
    acks(kFull);
    EXPECT_EQ(take_offsets(), (Offsets{kFull, 2 * kFull}));
}

TEST_F(Nak, everything_acknowledged_while_the_window_is_closed_ends_the_probing) {
    agree();
    fly(3);
    peer_window = 0;
    acks(kFull, a_option(first_data + kFull, 2));
    acks(3 * kFull);
    EXPECT_EQ(info().in_flight, 0U);
    run_ms(120'000);
    EXPECT_TRUE(wire.sent.empty()) << "nothing is left to probe with";
    ASSERT_NE(pcb, nullptr);
    peer_window = kBig;
    acks(3 * kFull);
    write(kFull);
    EXPECT_EQ(take_offsets(), Offsets{3 * kFull});
}

TEST_F(Nak, what_was_sent_when_the_window_opened_still_has_a_timeout) {
    settings.loss_policy = LFN_LOSS_NOISE;
    agree();
    fly(3);
    peer_window = 0;
    acks(kFull, a_option(first_data + kFull, 2));
    run_ms(60'000);  // the timeouts of that time find a closed window
    wire.sent.clear();
    peer_window = kBig;
    acks(kFull);
    EXPECT_EQ(take_offsets(), (Offsets{kFull, 2 * kFull}));  // and they are lost
    run_ms(60'000);
    const Offsets again = take_offsets();
    ASSERT_FALSE(again.empty());
    EXPECT_EQ(again.front(), kFull);
}

}  // namespace
}  // namespace lfn::test
