// SPDX-License-Identifier: BSD-3-Clause
// Paths that are not only noisy: frames that overtake each other, a tail that is lost, old segments, small settings.
#include <gtest/gtest.h>

#include "lfn/loss_policy.h"
#include "lfn/nak_receiver.h"
#include "ports/lab/transfer.hpp"

namespace lfn::lab {
namespace {

TransferOptions ours() {
    TransferOptions options;
    options.mss = 1460;
    options.window = 512 * 1024;
    options.tcp.big_window = true;
    options.tcp.nak_mode = LFN_NAK_EVERY_GAP;
    options.tcp.renak = true;
    options.tcp.isolated = true;
    return options;
}

// 10 Mb/s, 200 ms of round trip, and 30 ms by which a frame may be later than another.
class Reordering : public ::testing::TestWithParam<lfn_loss_policy> {
protected:
    static TransferReport run(bool reorder) {
        TransferOptions options = ours();
        options.rate_bps = 10'000'000;
        options.round_trip = std::chrono::milliseconds(200);
        options.octets = 50'000'000;
        options.tcp.loss_policy = GetParam();
        options.tcp.slow_start_rate = 2;
        if (reorder) options.jitter = std::chrono::milliseconds(15);
        options.reorder = reorder;
        return run_transfer(options);
    }
};

TEST_P(Reordering, costs_less_than_a_tenth_of_the_time_and_one_segment_in_a_hundred) {
    const TransferReport in_order = run(false);
    const TransferReport mixed = run(true);
    ASSERT_TRUE(in_order.intact) << in_order.failure;
    ASSERT_TRUE(mixed.intact) << mixed.failure;
    EXPECT_LE(mixed.seconds, 1.1 * in_order.seconds);
    EXPECT_LE(mixed.forward.retransmitted_segments * 100, mixed.forward.segments);
    EXPECT_EQ(mixed.sender.rtos, 0U);
    EXPECT_GT(mixed.receiver.naks_sent, 0U) << "there was something to learn from";
}

INSTANTIATE_TEST_SUITE_P(Policies, Reordering, ::testing::Values(LFN_LOSS_CONGESTION, LFN_LOSS_NOISE, LFN_LOSS_AUTO));

TEST(Timestamps, are_offered_where_they_are_switched_on) {
    TransferOptions options = ours();
    options.octets = 100'000;
    for (const bool on : {true, false}) {
        options.tcp.timestamps = on;
        const TransferReport report = run_transfer(options);
        ASSERT_TRUE(report.intact) << report.failure;
        EXPECT_EQ(report.sender.timestamps_agreed, on);
        EXPECT_EQ(report.receiver.timestamps_agreed, on);
        EXPECT_EQ(report.receiver.paws_refused, 0U);
    }
}

TEST(Timestamps, measure_round_trips_where_every_hole_would_spoil_one) {
    TransferOptions options = ours();
    options.octets = 3'000'000;
    options.bit_error_rate = 1e-5;
    options.tcp.loss_policy = LFN_LOSS_NOISE;
    options.tcp.timestamps = true;
    const TransferReport report = run_transfer(options);
    ASSERT_TRUE(report.intact) << report.failure;
    EXPECT_GE(report.sender.rtt_floor_ms, 580U);
    EXPECT_LE(report.sender.rtt_floor_ms, 600U);
    EXPECT_EQ(report.sender.rtos, 0U);
}

// The last segments of the transfer are lost: nothing behind them shows it.
TransferReport lose_the_tail(bool probe) {
    TransferOptions options = ours();
    options.octets = 200'000;
    options.tcp.loss_policy = LFN_LOSS_NOISE;
    options.tcp.tail_probe = probe;
    options.round_trip = std::chrono::milliseconds(50);
    options.impair = [probe](Path& path) {
        std::vector<std::uint64_t> dropped{135, 136, 137, 138, 139};  // the FIN is in the last
        if (probe) dropped.push_back(140);                            // its spare copy
        path.add<DropList>(dropped);
    };
    return run_transfer(options);
}

TEST(Tail, is_completed_without_a_timeout_by_a_probe) {
    const TransferReport without = lose_the_tail(false);
    ASSERT_TRUE(without.intact) << without.failure;
    ASSERT_EQ(without.sender.rtos, 1U) << "it is the tail that is lost";
    const TransferReport with = lose_the_tail(true);
    ASSERT_TRUE(with.intact) << with.failure;
    EXPECT_EQ(with.sender.rtos, 0U);
    EXPECT_EQ(with.sender.probes, 1U);
    EXPECT_LT(with.seconds, without.seconds - 0.4) << "350 ms and not a second";
}

// The clamp of RFC 1110's objection, 2^31 octets in two minutes: a window of 4 MB at 50 ms is more.
TEST(BigWindows, are_held_where_the_path_is_not_known_to_be_safe) {
    TransferOptions options = ours();
    options.window = options.send_buffer = 4 << 20;
    options.rate_bps = 1'000'000'000;
    options.round_trip = std::chrono::milliseconds(50);
    options.octets = 20'000'000;
    options.tcp.slow_start_rate = 2;
    const TransferReport isolated = run_transfer(options);
    options.tcp.isolated = false;
    const TransferReport held = run_transfer(options);
    options.tcp.timestamps = true;
    const TransferReport stamped = run_transfer(options);
    for (const TransferReport* report : {&isolated, &held, &stamped}) ASSERT_TRUE(report->intact) << report->failure;
    EXPECT_NEAR(held.receiver.rcv_wnd, 2147483648.0 * 0.051 / 120, 2147483648.0 * 0.002 / 120);
    EXPECT_EQ(isolated.receiver.rcv_wnd, options.window);
    EXPECT_EQ(stamped.receiver.rcv_wnd, options.window);
    EXPECT_LT(held.goodput * 1.5, stamped.goodput);
}

}  // namespace
}  // namespace lfn::lab
