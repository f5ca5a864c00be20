// SPDX-License-Identifier: BSD-3-Clause
// Windows beyond what lwIP's 16-bit counters carry, and what they cost in memory.
#include <gtest/gtest.h>

#include <tuple>

#include "lfn/loss_policy.h"
#include "lfn/nak_receiver.h"
#include "ports/lab/transfer.hpp"

namespace lfn::lab {
namespace {

TransferOptions wide_open(std::uint32_t window, std::uint16_t mss) {
    TransferOptions options;
    options.window = options.send_buffer = window;
    options.mss = mss;
    options.round_trip = std::chrono::milliseconds(400);
    options.rate_bps = std::uint64_t{window} * 8 * 10 / 4;  // filled in one round trip
    options.bit_error_rate = 0;
    options.tcp.big_window = true;
    options.tcp.isolated = true;
    options.tcp.nak_mode = LFN_NAK_EVERY_GAP;
    options.tcp.renak = true;
    options.tcp.loss_policy = LFN_LOSS_NOISE;
    options.tcp.slow_start_rate = 2;
    return options;
}

// The line holds the whole window, headers and all, so that nothing waits and what is held is in flight.
TEST(Window, memory_held_is_at_most_1_15_octets_for_each_in_flight) {
    TransferOptions options = wide_open(4 << 20, 1460);
    *options.rate_bps += *options.rate_bps / 20;
    options.octets = 16 << 20;
    const TransferReport report = run_transfer(options);
    ASSERT_TRUE(report.intact) << report.failure;
    EXPECT_GT(report.most_in_flight, options.window - 10U * 1460);
    EXPECT_LE(static_cast<double>(report.memory_then), 1.15 * report.most_in_flight);
}

TEST(Window, more_than_65535_segments_are_in_flight_and_a_lost_one_is_named) {
    constexpr std::uint32_t window = 40'000'000;  // 78,000 segments of 512 octets
    TransferOptions options = wide_open(window, 512);
    options.bit_error_rate = 3e-9;
    options.octets = 4ULL * window;
    const TransferReport report = run_transfer(options);
    ASSERT_TRUE(report.intact) << report.failure;
    EXPECT_GT(report.most_in_flight, 66'000U * 512);
    EXPECT_GT(report.forward.lost_octets, 0U);
    EXPECT_EQ(report.forward.retransmitted_octets, report.forward.lost_octets);
    EXPECT_EQ(report.sender.rtos, 0U);
}

TEST(Window, several_megabytes_behind_a_hole_arrive_at_once_and_intact) {
    TransferOptions options = wide_open(8 << 20, 1460);
    options.bit_error_rate = 2e-8;
    options.octets = 100 << 20;
    const TransferReport report = run_transfer(options);
    ASSERT_TRUE(report.intact) << report.failure;
    EXPECT_GT(report.forward.lost_octets, 5U * 1460);
    EXPECT_EQ(report.sender.rtos, 0U);
}

// The right edge moves by half a window at the least, not by half of the stack's default.
class SmallWindow : public ::testing::TestWithParam<std::tuple<std::uint32_t, bool>> {};

TEST_P(SmallWindow, moves_everything_without_a_timeout) {
    TransferOptions options;
    options.window = std::get<0>(GetParam());
    options.tcp.big_window = std::get<1>(GetParam());
    options.tcp.nak_mode = options.tcp.big_window ? LFN_NAK_EVERY_GAP : LFN_NAK_OFF;
    options.octets = 40ULL * options.window;
    options.round_trip = std::chrono::milliseconds(20);
    options.patience = std::chrono::minutes(2);
    const TransferReport report = run_transfer(options);
    ASSERT_TRUE(report.intact) << report.failure;
    EXPECT_LE(report.most_in_flight, options.window);
    EXPECT_EQ(report.sender.rtos, 0U);
}

INSTANTIATE_TEST_SUITE_P(Octets, SmallWindow,
                         ::testing::Combine(::testing::Values(100U, 254U, 508U, 511U, 512U, 1000U, 1024U, 2048U, 5000U),
                                            ::testing::Bool()));

}  // namespace
}  // namespace lfn::lab
