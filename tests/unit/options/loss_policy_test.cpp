// SPDX-License-Identifier: BSD-3-Clause
#include "lfn/loss_policy.h"

#include <gtest/gtest.h>

namespace {

constexpr uint16_t mss = 512;
constexpr uint32_t una = 0xFFFFF000;  // just below 2^32

struct Connection {
    lfn_congestion window{100000, 200000};
    uint32_t recover = 0;
    bool in_recovery = false;

    bool halve(uint32_t flight, uint32_t snd_una, uint32_t snd_nxt) {
        return lfn_loss_reduce(&window, flight / 2, mss, snd_una, snd_nxt, &recover, &in_recovery);
    }
    void rto(lfn_loss_policy policy, uint32_t flight, uint32_t snd_nxt, bool first) {
        lfn_loss_on_rto(policy, &window, flight, mss, snd_nxt, first, &recover, &in_recovery);
    }
};

TEST(LossPolicy, congestion_halves_once_per_round_trip) {
    Connection c;
    EXPECT_TRUE(c.halve(80000, una, una + 80000));
    EXPECT_EQ(c.window.ssthresh, 40000U);
    EXPECT_EQ(c.window.cwnd, 40000U);
    EXPECT_TRUE(c.in_recovery);
    EXPECT_FALSE(c.halve(80000, una, una + 80000));
    EXPECT_FALSE(c.halve(80000, una + 79999, una + 160000));
    EXPECT_EQ(c.window.cwnd, 40000U);
    EXPECT_TRUE(c.halve(40000, una + 80000, una + 120000));
    EXPECT_EQ(c.window.cwnd, 20000U);
    EXPECT_EQ(c.recover, una + 120000);
}

TEST(LossPolicy, the_window_never_falls_below_two_segments_by_a_nak) {
    Connection c;
    EXPECT_TRUE(c.halve(600, una, una + 600));
    EXPECT_EQ(c.window.ssthresh, 1024U);
    EXPECT_EQ(c.window.cwnd, 1024U);
}

TEST(LossPolicy, a_loss_never_opens_the_window) {
    Connection c;
    c.window.cwnd = mss;
    EXPECT_TRUE(c.halve(80000, una, una + 80000));
    EXPECT_EQ(c.window.ssthresh, 40000U);
    EXPECT_EQ(c.window.cwnd, mss);
}

TEST(LossPolicy, an_ack_of_everything_sent_before_ends_recovery) {
    bool in_recovery = true;
    lfn_loss_on_ack(una + 99, una + 100, &in_recovery);
    EXPECT_TRUE(in_recovery);
    lfn_loss_on_ack(una + 100, una + 100, &in_recovery);
    EXPECT_FALSE(in_recovery);
}

TEST(LossPolicy, congestion_restarts_from_one_segment_after_a_timeout) {
    Connection c;
    c.rto(LFN_LOSS_CONGESTION, 80000, una + 80000, true);
    EXPECT_EQ(c.window.cwnd, mss);
    EXPECT_EQ(c.window.ssthresh, 40000U);
    c.rto(LFN_LOSS_CONGESTION, 512, una + 80000, false);
    EXPECT_EQ(c.window.ssthresh, 40000U) << "a repeated timeout holds ssthresh";
}

TEST(LossPolicy, what_was_in_flight_at_a_timeout_does_not_reduce_again) {
    Connection c;
    c.rto(LFN_LOSS_CONGESTION, 80000, una + 80000, true);
    EXPECT_FALSE(c.halve(80000, una + 10000, una + 90000));
    EXPECT_TRUE(c.halve(80000, una + 80000, una + 90000));
}

TEST(LossPolicy, noise_comes_back_all_the_way_after_a_timeout) {
    Connection c;
    c.window = {100000, 3000};
    c.rto(LFN_LOSS_NOISE, 80000, una + 80000, true);
    EXPECT_EQ(c.window.cwnd, mss);
    EXPECT_EQ(c.window.ssthresh, 100000U);
    c.rto(LFN_LOSS_NOISE, 512, una + 80000, false);
    EXPECT_EQ(c.window.ssthresh, 100000U);
    c.window = {5000, 900000};
    c.rto(LFN_LOSS_NOISE, 5000, una + 80000, true);
    EXPECT_EQ(c.window.ssthresh, 900000U) << "noise says nothing about congestion, so it lowers nothing";
}

TEST(SlowStart, rate_one_is_capped_as_rfc_3465_says) {
    for (uint32_t rate : {0U, 1U}) {
        EXPECT_EQ(lfn_slow_start_increase(rate, 300, mss, false), 300U);
        EXPECT_EQ(lfn_slow_start_increase(rate, 1024, mss, false), 1024U);
        EXPECT_EQ(lfn_slow_start_increase(rate, 1025, mss, false), 1024U);
        EXPECT_EQ(lfn_slow_start_increase(rate, 1025, mss, true), 512U);
        EXPECT_EQ(lfn_slow_start_increase(rate, 100, mss, true), 100U);
    }
    EXPECT_EQ(lfn_slow_start_increase(1, 0xFFFFFFFF, 65535, false), 131070U);
}

TEST(SlowStart, a_higher_rate_opens_that_many_packets_per_packet_acknowledged) {
    EXPECT_EQ(lfn_slow_start_increase(2, 5120, mss, false), 10240U);
    EXPECT_EQ(lfn_slow_start_increase(2, 5120, mss, true), 10240U);
    EXPECT_EQ(lfn_slow_start_increase(3, 0x80000000, mss, false), 0xFFFFFFFFU);
}

TEST(SlowStart, growth_saturates) {
    EXPECT_EQ(lfn_cwnd_add(1, 2), 3U);
    EXPECT_EQ(lfn_cwnd_add(0xFFFFFFFE, 1), 0xFFFFFFFFU);
    EXPECT_EQ(lfn_cwnd_add(0xFFFFFFFE, 2), 0xFFFFFFFFU);
    EXPECT_EQ(lfn_cwnd_add(0xFFFFFFFF, 0xFFFFFFFF), 0xFFFFFFFFU);
}

}  // namespace
