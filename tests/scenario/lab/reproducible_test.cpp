// SPDX-License-Identifier: BSD-3-Clause
// Same seed, same bytes.
#include <gtest/gtest.h>

#include "capture_file.hpp"
#include "lfn/nak_receiver.h"
#include "ports/lab/transfer.hpp"

namespace {

using lfn::lab::TransferOptions;

std::string captured(std::uint64_t seed, const std::string& name) {
    TransferOptions options;
    options.octets = 200'000;
    options.bit_error_rate = 1e-5;
    options.seed = seed;
    options.tcp.big_window = true;
    options.tcp.nak_mode = LFN_NAK_EVERY_GAP;
    options.sender_capture = lfn::test::scratch(name + ".sender.pcap");
    options.receiver_capture = lfn::test::scratch(name + ".receiver.pcap");
    const auto report = run_transfer(options);
    EXPECT_TRUE(report.intact) << report.failure;
    return lfn::test::contents(options.sender_capture) + lfn::test::contents(options.receiver_capture);
}

TEST(Reproducible, same_seed_gives_the_same_captures_byte_for_byte) {
    const std::string first = captured(7, "first");
    EXPECT_GT(first.size(), 400'000U);
    EXPECT_EQ(first, captured(7, "second"));
}

TEST(Reproducible, another_seed_gives_another_history) {
    EXPECT_NE(captured(7, "seven"), captured(8, "eight"));
}

TEST(Reproducible, a_capture_that_cannot_be_written_is_an_error_and_nothing_runs) {
    TransferOptions options;
    options.sender_capture = "/nonexistent/folder/capture.pcap";
    const auto report = run_transfer(options);
    EXPECT_NE(report.failure, "");
    EXPECT_EQ(report.delivered_octets, 0U);
}

}  // namespace
