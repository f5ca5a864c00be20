// SPDX-License-Identifier: BSD-3-Clause
// What the options are for: a noisy satellite, seen over a whole transfer. The long runs are in tests/tables.
#include <gtest/gtest.h>

#include "lfn/big_window.h"
#include "lfn/loss_policy.h"
#include "lfn/nak_receiver.h"
#include "ports/lab/transfer.hpp"

namespace {

using lfn::lab::TransferOptions;
using lfn::lab::TransferReport;

TransferOptions noisy() {
    TransferOptions options;
    options.octets = 1'000'000;
    options.bit_error_rate = 1e-5;
    options.window = 512 * 1024;
    options.tcp.big_window = true;
    options.tcp.nak_mode = LFN_NAK_EVERY_GAP;
    options.tcp.renak = true;
    options.tcp.loss_policy = LFN_LOSS_NOISE;
    options.tcp.slow_start_rate = 2;
    return options;
}

TEST(Recovery, every_octet_that_is_lost_goes_out_again_and_no_other) {
    const TransferReport report = run_transfer(noisy());
    ASSERT_TRUE(report.intact) << report.failure;
    EXPECT_GT(report.forward.lost_octets, 20'000U);
    EXPECT_EQ(report.forward.retransmitted_octets, report.forward.lost_octets);
}

TEST(Recovery, the_wire_and_the_stack_count_the_same_retransmissions) {
    const TransferReport report = run_transfer(noisy());
    EXPECT_EQ(report.sender.retransmitted_octets, report.forward.retransmitted_octets);
    EXPECT_EQ(report.sender.retransmitted_segments, report.forward.retransmitted_segments);
}

TEST(Recovery, every_nak_that_arrives_is_honoured) {
    const TransferReport report = run_transfer(noisy());
    EXPECT_GT(report.receiver.naks_sent, 50U);
    EXPECT_LE(report.sender.naks_received, report.receiver.naks_sent);
    EXPECT_EQ(report.sender.naks_honoured, report.sender.naks_received);
    EXPECT_EQ(report.sender.naks_refused, 0U);
}

TEST(Recovery, is_the_same_in_either_wire_form) {
    TransferOptions options = noisy();
    for (const lfn_wire wire : {LFN_WIRE_EXID, LFN_WIRE_RFC1106}) {
        options.tcp.wire = static_cast<std::uint8_t>(wire);
        const TransferReport report = run_transfer(options);
        EXPECT_TRUE(report.intact) << report.failure;
        EXPECT_EQ(report.sender.window_rule, LFN_WINDOW_BC);
        EXPECT_TRUE(report.sender.nak_agreed);
        EXPECT_GT(report.sender.naks_honoured, 50U);
    }
}

TEST(Recovery, no_timeout_where_nothing_is_lost) {
    TransferOptions options = noisy();
    options.bit_error_rate = 0;
    const TransferReport report = run_transfer(options);
    ASSERT_TRUE(report.intact) << report.failure;
    EXPECT_EQ(report.sender.rtos, 0U);
    EXPECT_EQ(report.forward.retransmitted_octets, 0U);
    EXPECT_EQ(report.receiver.naks_sent, 0U);
}

TEST(Recovery, the_link_loses_no_frame_without_a_cause) {
    const TransferReport report = run_transfer(noisy());
    EXPECT_TRUE(report.forward.counters.balanced());
    EXPECT_TRUE(report.backward.counters.balanced());
    EXPECT_EQ(report.forward.counters.dropped(), report.forward.counters.dropped(lfn::DropCause::bit_error));
}

TEST(Recovery, a_transfer_that_cannot_go_on_says_so) {
    TransferOptions options = noisy();
    options.bit_error_rate = 0.01;  // no frame of 552 octets passes
    const TransferReport report = run_transfer(options);
    EXPECT_FALSE(report.intact);
    EXPECT_FALSE(report.closed);
    EXPECT_NE(report.failure, "");
}

}  // namespace
