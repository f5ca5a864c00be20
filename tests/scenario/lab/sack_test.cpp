// SPDX-License-Identifier: BSD-3-Clause
// A receiver that knows SACK and no option A, and the sender's one recovery engine.
#include <gtest/gtest.h>

#include "lfn/loss_policy.h"
#include "lfn/nak_receiver.h"
#include "ports/lab/transfer.hpp"

namespace lfn::lab {
namespace {

TransferOptions noisy(bool sack) {
    TransferOptions options;
    options.window = 512 * 1024;
    options.octets = 10'000'000;
    options.bit_error_rate = 1e-6;
    options.tcp.big_window = true;
    options.tcp.sack = sack;
    options.tcp.loss_policy = LFN_LOSS_NOISE;
    options.tcp.slow_start_rate = 2;
    return options;
}

TEST(Sack, is_permitted_where_it_is_switched_on) {
    const TransferReport on = run_transfer(noisy(true));
    ASSERT_TRUE(on.intact) << on.failure;
    EXPECT_GT(on.sender.sacks_received, 0U);
    const TransferReport off = run_transfer(noisy(false));
    ASSERT_TRUE(off.intact) << off.failure;
    EXPECT_EQ(off.sender.sacks_received, 0U);
    EXPECT_LT(on.seconds, off.seconds);
}

TEST(Sack, fills_a_noisy_link_without_a_timeout_and_resends_what_was_lost_and_no_more) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        TransferOptions options = noisy(true);
        options.seed = seed;
        const TransferReport report = run_transfer(options);
        ASSERT_TRUE(report.intact) << report.failure;
        EXPECT_EQ(report.sender.naks_received, 0U);
        EXPECT_EQ(report.sender.rtos, 0U);
        EXPECT_GT(report.forward.lost_octets, 20U * 508);
        EXPECT_LE(static_cast<double>(report.forward.retransmitted_octets),
                  1.05 * static_cast<double>(report.forward.lost_octets));
        EXPECT_GT(report.efficiency(), 0.9) << "slow start included";
    }
}

TEST(Sack, survives_one_segment_in_seven_being_lost) {
    TransferOptions options = noisy(true);
    options.bit_error_rate = 3e-5;
    options.octets = 3'000'000;
    const TransferReport report = run_transfer(options);
    ASSERT_TRUE(report.intact) << report.failure;
    EXPECT_GT(report.efficiency(), 0.5);
}

}  // namespace
}  // namespace lfn::lab
