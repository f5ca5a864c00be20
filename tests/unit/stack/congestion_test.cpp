// SPDX-License-Identifier: BSD-3-Clause
// Which ACKs are duplicates (RFC 5681), and when the congestion window grows (RFC 5681, RFC 7661).
#include <gtest/gtest.h>

#include "stack_test.hpp"

namespace lfn::test {
namespace {

constexpr std::uint16_t kMss = 536;
constexpr std::uint32_t kInitialWindow = 4 * kMss;  // LWIP_TCP_CALC_INITIAL_CWND

class DuplicateAck : public StackTest {
protected:
    void fly_four_segments() {
        for (int i = 0; i < 4; ++i) write(kMss);
        ASSERT_EQ(wire.sent.size(), 4U);
        wire.sent.clear();
    }

    void expect_the_third_ack_to_retransmit() {
        peer_acks(0);
        peer_acks(0);
        EXPECT_TRUE(wire.sent.empty());
        peer_acks(0);
        ASSERT_EQ(wire.sent.size(), 1U);
        EXPECT_EQ(offset(wire.take()), 0U);
    }
};

TEST_F(DuplicateAck, first_duplicate_after_an_active_open_counts) {
    connect(mss_option(kMss));
    fly_four_segments();
    expect_the_third_ack_to_retransmit();
}

TEST_F(DuplicateAck, first_duplicate_after_a_passive_open_counts) {
    accept(mss_option(kMss));
    fly_four_segments();
    expect_the_third_ack_to_retransmit();
}

TEST_F(DuplicateAck, windows_are_compared_as_scaled) {
    accept(join({mss_option(kMss), window_scale_option(7)}));
    fly_four_segments();
    expect_the_third_ack_to_retransmit();
}

TEST_F(DuplicateAck, acks_that_shrink_the_window_are_not_duplicates) {
    accept(mss_option(kMss));
    fly_four_segments();
    for (const int window : {60'000, 50'000, 40'000, 30'000}) peer_acks(0, static_cast<std::uint16_t>(window));
    EXPECT_TRUE(wire.sent.empty());
}

TEST_F(DuplicateAck, acks_that_open_the_window_are_not_duplicates) {
    peer.window = 10'000;
    accept(mss_option(kMss));
    fly_four_segments();
    for (const int window : {11'000, 12'000, 13'000, 14'000}) peer_acks(0, static_cast<std::uint16_t>(window));
    EXPECT_TRUE(wire.sent.empty());
}

TEST_F(DuplicateAck, segments_with_data_are_not_duplicates) {
    accept(mss_option(kMss));
    fly_four_segments();
    for (int i = 0; i < 4; ++i) peer_sends({1, 2, 3});
    for (const auto& sent : wire.sent) EXPECT_TRUE(sent.segment.payload.empty());
    wire.sent.clear();
}

class CongestionWindow : public StackTest {
protected:
    // Each round trip the user has written this much more, and the peer acknowledges each segment that came.
    void round_trips(int count, std::uint32_t octets) {
        for (int i = 0; i < count; ++i) {
            for (std::uint32_t left = octets; left > 0; left -= std::min<std::uint32_t>(left, kMss)) {
                write(std::min<std::uint32_t>(left, kMss));
            }
            auto flight = std::move(wire.sent);
            wire.sent.clear();
            for (const auto& sent : flight) {
                peer_acks(offset(sent.segment) + static_cast<std::uint32_t>(sent.segment.payload.size()));
            }
        }
    }

    // What leaves at once if neither the user nor the peer's window is in the way.
    std::size_t burst() {
        wire.sent.clear();
        for (int i = 0; i < 100; ++i) write(kMss);
        return wire.sent.size() * kMss;
    }
};

TEST_F(CongestionWindow, window_limited_flow_does_not_grow_cwnd) {
    constexpr std::uint16_t kWindow = 8 * kMss;
    peer.window = kWindow;
    accept(mss_option(kMss));
    round_trips(100, kWindow);
    peer.window = 0xffff;
    peer_acks(written);
    EXPECT_LE(burst(), 2U * kWindow + 2U * kMss);
}

TEST_F(CongestionWindow, application_limited_flow_does_not_grow_cwnd) {
    accept(mss_option(kMss));
    round_trips(1000, 100);
    EXPECT_EQ(burst(), kInitialWindow);
}

TEST_F(CongestionWindow, application_limited_flow_does_not_grow_cwnd_in_congestion_avoidance) {
    accept(mss_option(kMss));
    pcb->ssthresh = 2 * kMss;
    round_trips(1000, 100);
    EXPECT_EQ(burst(), kInitialWindow);
}

TEST_F(CongestionWindow, slow_start_doubles_what_the_flow_uses) {
    accept(mss_option(kMss));
    EXPECT_EQ(burst(), kInitialWindow);
    wire.sent.clear();
    for (std::uint32_t acked = kMss; acked <= kInitialWindow; acked += kMss) peer_acks(acked);
    EXPECT_EQ(wire.sent.size() * kMss, 2 * kInitialWindow);
}

TEST_F(CongestionWindow, congestion_avoidance_adds_a_segment_each_round_trip) {
    accept(mss_option(kMss));
    pcb->ssthresh = 2 * kMss;
    EXPECT_EQ(burst(), kInitialWindow);
    wire.sent.clear();
    for (std::uint32_t acked = kMss; acked <= kInitialWindow; acked += kMss) peer_acks(acked);
    EXPECT_EQ(wire.sent.size() * kMss, kInitialWindow + kMss);
}

}  // namespace
}  // namespace lfn::test
