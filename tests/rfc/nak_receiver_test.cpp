// SPDX-License-Identifier: BSD-3-Clause
// RFC 1106 2.1, the receiver: which holes the acknowledgements of a stack name, and when.
#include "rfc1106_test.hpp"

namespace lfn::test {
namespace {

using Names = std::vector<Named>;

TEST_F(Nak, a_hole_is_named_in_the_acknowledgement_of_the_segment_behind_it) {
    agree();
    peer_sends_at(kFull, kFull);
    const Segment ack = wire.take();
    EXPECT_EQ(ack.ack, peer_first);
    EXPECT_EQ(window_of(ack), kBig);
    EXPECT_EQ(Octets(ack.options.end() - 8, ack.options.end()), a_option(peer_first, 1)) << ack;
    EXPECT_TRUE(wire.sent.empty());
    EXPECT_EQ(info().naks_sent, 1U);
}

TEST_F(Nak, every_gap_is_named_once) {
    agree();
    for (std::uint32_t i = 1; i <= 5; i += 2) {
        peer_sends_at(i * kFull, kFull);
        EXPECT_EQ(naks_of(wire.take()), (Names{{peer_first + (i - 1) * kFull, 1}}));
    }
    peer_sends_at(6 * kFull, kFull);
    EXPECT_EQ(naks_of(wire.take()), Names{});
    run_ms(120'000);
    EXPECT_TRUE(wire.sent.empty());
    EXPECT_EQ(info().naks_sent, 3U);
}

TEST_F(Nak, left_edge_names_only_the_hole_at_the_edge_and_the_next_when_it_gets_there) {
    settings.nak_mode = LFN_NAK_LEFT_EDGE;
    agree();
    peer_sends_at(kFull, kFull);
    EXPECT_EQ(naks_of(wire.take()), (Names{{peer_first, 1}}));
    peer_sends_at(3 * kFull, kFull);
    EXPECT_EQ(naks_of(wire.take()), Names{});
    peer_sends_at(0, kFull);
    const Segment ack = wire.take();
    EXPECT_EQ(ack.ack, peer_first + 2 * kFull);
    EXPECT_EQ(naks_of(ack), (Names{{peer_first + 2 * kFull, 1}}));
    peer_sends_at(4 * kFull, kFull);
    EXPECT_EQ(naks_of(wire.take()), Names{});
}

TEST_F(Nak, a_hole_is_counted_in_segments_rounded_up) {
    agree();
    peer_sends_at(3 * kFull + 1, kFull);
    EXPECT_EQ(naks_of(wire.take()), (Names{{peer_first, 4}}));
}

TEST_F(Nak, segment_that_fills_a_hole_is_acknowledged_at_once) {
    agree();
    peer_sends_at(0, kFull);
    EXPECT_TRUE(wire.sent.empty()) << "the first of two in order may wait";
    peer_sends_at(kFull, kFull);
    peer_sends_at(3 * kFull, kFull);
    wire.sent.clear();
    peer_sends_at(2 * kFull, kFull);
    EXPECT_EQ(wire.take().ack, peer_first + 4 * kFull);
}

TEST_F(Nak, half_a_fill_is_acknowledged_at_once_too) {
    agree();
    peer_sends_at(2 * kFull, kFull);
    wire.sent.clear();
    peer_sends_at(0, kFull);
    EXPECT_EQ(wire.take().ack, peer_first + kFull);
}

TEST_F(Nak, nothing_is_named_with_nak_off) {
    settings.nak_mode = LFN_NAK_OFF;
    agree();
    peer_sends_at(kFull, kFull);
    EXPECT_EQ(naks_of(wire.take()), Names{});
    EXPECT_FALSE(info().nak_agreed);
}

TEST_F(Nak, naming_alone_works_with_16_bit_windows) {
    agree_on_nak_alone();
    peer_sends_at(2 * kFull, kFull);
    const Segment ack = wire.take();
    // Without C a full segment carries four octets more, so 2 kFull are less than two of them.
    EXPECT_EQ(naks_of(ack), (Names{{peer_first, 2}}));
    EXPECT_FALSE(ack.option(kind::c));
}

TEST_F(Nak, renak_names_an_open_hole_again_by_the_timer_without_an_arrival) {
    settings.renak = true;
    handshake_ms = 500;
    agree();
    peer_sends_at(kFull, kFull);
    const Names hole{{peer_first, 1}};
    EXPECT_EQ(naks_of(wire.take()), hole);
    run_ms(1499);  // the handshake's 500 ms, and four times half of it as margin
    EXPECT_TRUE(wire.sent.empty());
    run_ms(1);
    EXPECT_EQ(naks_of(wire.take()), hole);
    run_ms(2999);
    EXPECT_TRUE(wire.sent.empty());
    run_ms(1);
    EXPECT_EQ(naks_of(wire.take()), hole);
    EXPECT_EQ(info().naks_sent, 3U);
    peer_sends_at(0, kFull);
    wire.sent.clear();
    run_ms(120'000);
    EXPECT_TRUE(wire.sent.empty()) << "a hole that is filled is not named";
}

TEST_F(Nak, active_side_knows_the_round_trip_of_its_syn_too) {
    settings.renak = true;
    send_connect();
    run_ms(500);
    peer_says_c = true;
    finish_connect(b_option(kBig));
    wire.sent.clear();
    EXPECT_EQ(info().srtt_ms, 500U);
    peer_sends_at(kFull, kFull);
    EXPECT_EQ(naks_of(wire.take()), (Names{{peer_first, 1}}));
    run_ms(1499);
    EXPECT_TRUE(wire.sent.empty());
    run_ms(1);
    EXPECT_EQ(naks_of(wire.take()), (Names{{peer_first, 1}}));
}

TEST_F(Nak, what_a_busy_driver_refused_is_said_again) {
    agree();
    wire.busy = true;
    peer_sends_at(kFull, kFull);
    EXPECT_GT(wire.refused, 0U);
    EXPECT_EQ(info().naks_sent, 0U);
    wire.busy = false;
    lfn_tcp_output_ready();
    EXPECT_EQ(naks_of(wire.take()), (Names{{peer_first, 1}}));
    EXPECT_EQ(info().naks_sent, 1U);
    run_ms(10'000);
    EXPECT_TRUE(wire.sent.empty());
}

TEST_F(Nak, what_a_busy_driver_refused_is_said_again_though_nobody_tells_when_it_is_ready) {
    agree();
    wire.busy = true;
    peer_sends_at(kFull, kFull);
    run_ms(100);
    wire.busy = false;
    run_ms(TCP_TMR_INTERVAL);
    EXPECT_EQ(naks_of(wire.take()), (Names{{peer_first, 1}}));
    EXPECT_TRUE(wire.sent.empty());
}

TEST_F(Nak, a_data_segment_that_takes_the_acknowledgement_along_does_not_swallow_the_naming) {
    settings.nak_mode = LFN_NAK_LEFT_EDGE;
    agree();
    peer_sends_at(kFull, kFull);
    peer_sends_at(3 * kFull, kFull);
    wire.busy = true;
    write(100);
    wire.busy = false;
    wire.sent.clear();
    peer_sends_at(0, kFull);
    run_ms(1);
    Octets data;
    Names named;
    for (const Segment& segment : take_all()) {
        EXPECT_EQ(segment.ack, peer_first + 2 * kFull);
        data.insert(data.end(), segment.payload.begin(), segment.payload.end());
        for (const Named& one : naks_of(segment)) named.push_back(one);
    }
    EXPECT_EQ(data, stream(0, 100));
    EXPECT_EQ(named, (Names{{peer_first + 2 * kFull, 1}}));
}

TEST_F(Nak, sack_gets_the_room_that_is_left) {
    if (!kTimestamps) GTEST_SKIP() << "built without SACK";
    agree();
    for (std::uint32_t i = 2; i <= 8; i += 2) peer_sends_at(i * kFull, kFull);
    const Segment first = wire.take();
    // Timestamps 12, C 4, A 8: one block of SACK fits behind them.
    EXPECT_EQ(naks_of(first), (Names{{peer_first, 2}}));
    ASSERT_TRUE(first.option(kind::sack));
    EXPECT_EQ(first.option(kind::sack)->size(), 8U);
    EXPECT_EQ(first.options.size(), 36U);
    wire.sent.clear();
    peer_sends_at(9 * kFull, kFull);
    const Segment unnamed = wire.take();  // no new hole: two blocks
    EXPECT_EQ(naks_of(unnamed), Names{});
    ASSERT_TRUE(unnamed.option(kind::sack));
    EXPECT_EQ(unnamed.option(kind::sack)->size(), 16U);
}

TEST_F(Nak, several_holes_share_an_acknowledgement_as_room_allows) {
    agree();
    wire.busy = true;
    for (std::uint32_t i = 1; i <= 15; i += 2) peer_sends_at(i * kFull, kFull);
    wire.busy = false;
    lfn_tcp_output_ready();
    const std::size_t fit = kTimestamps ? 3 : 5;  // 40 - C 4 (- timestamps 12), seven octets each
    Names first;
    for (std::uint32_t i = 0; i < fit; ++i) first.push_back({peer_first + 2 * i * kFull, 1});
    EXPECT_EQ(naks_of(wire.take()), first);
    run_ms(5);
    Names rest;
    for (const Segment& segment : take_all()) {
        for (const Named& named : naks_of(segment)) rest.push_back(named);
    }
    ASSERT_EQ(rest.size(), 8 - fit) << "the others follow without an arrival";
    EXPECT_EQ(rest.front(), (Named{peer_first + 2 * static_cast<std::uint32_t>(fit) * kFull, 1}));
    EXPECT_EQ(info().naks_sent, 8U);
}

TEST_F(Nak, whole_stream_arrives_out_of_holes_in_any_order) {
    agree();
    for (std::uint32_t i = 20; i-- > 0;) peer_sends_at(i * kFull, kFull);
    EXPECT_EQ(user.received, stream(0, 20 * kFull));
    wire.sent.clear();
    peer_sends_at(20 * kFull, kFull);
    peer_sends_at(21 * kFull, kFull);
    EXPECT_EQ(naks_of(wire.take()), Names{});
}

}  // namespace
}  // namespace lfn::test
