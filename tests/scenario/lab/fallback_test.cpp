// SPDX-License-Identifier: BSD-3-Clause
// An lfn end against an unpatched lwIP end: falls back, transfers whole, says nothing of ours after the handshake.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture_file.hpp"
#include "lfn/big_window.h"
#include "lfn/nak_receiver.h"
#include "ports/lab/transfer.hpp"

namespace {

using lfn::lab::TransferOptions;
using lfn::lab::TransferReport;
using lfn::test::CapturedSegment;
using testing::Contains;
using testing::IsEmpty;
using testing::Not;

struct Case {
    const char* name;
    bool lfn_sends;
    lfn_wire wire;
};

TransferOptions options_of(const Case& c) {
    TransferOptions options;
    options.octets = 300'000;
    options.bit_error_rate = 1e-6;
    options.sender = c.lfn_sends ? lfn_stack_lfn() : lfn_stack_lwip();
    options.receiver = c.lfn_sends ? lfn_stack_lwip() : lfn_stack_lfn();
    options.tcp.big_window = true;
    options.tcp.nak_mode = LFN_NAK_EVERY_GAP;
    options.tcp.renak = true;
    options.tcp.wire = static_cast<std::uint8_t>(c.wire);
    return options;
}

class Fallback : public testing::TestWithParam<Case> {
protected:
    TransferReport run() {
        TransferOptions options = options_of(GetParam());
        options.sender_capture = file_;
        return run_transfer(options);
    }
    std::string file_ = lfn::test::scratch("sender.pcap");
};

TEST_P(Fallback, transfers_whole_and_closes) {
    const TransferReport report = run();
    EXPECT_TRUE(report.intact) << report.failure;
    EXPECT_TRUE(report.closed);
    EXPECT_EQ(report.delivered_octets, 300'000U);
    EXPECT_GT(report.forward.lost_octets + report.backward.counters.dropped().octets, 0U);
}

TEST_P(Fallback, uses_the_window_scale_that_both_ends_know) {
    const TransferReport report = run();
    const lfn_tcp_info& ours = GetParam().lfn_sends ? report.sender : report.receiver;
    EXPECT_EQ(ours.window_rule, LFN_WINDOW_RFC7323);
    EXPECT_FALSE(ours.nak_agreed);
    EXPECT_EQ(ours.naks_sent, 0U);
    if (GetParam().lfn_sends) {
        EXPECT_GT(ours.snd_wnd, 65535U);
    }
}

TEST_P(Fallback, no_option_of_ours_is_on_the_wire_after_the_handshake) {
    run();
    const auto segments = lfn::test::read_capture(file_);
    ASSERT_GT(segments.size(), 100U);
    for (const CapturedSegment& segment : segments) {
        if ((segment.flags & 0x02) != 0) continue;  // SYN
        EXPECT_THAT(lfn::test::option_kinds(segment), IsEmpty()) << "at " << segment.time_ns << " ns";
    }
}

TEST_P(Fallback, the_offer_is_in_our_syn_only_where_we_open) {
    run();
    const auto segments = lfn::test::read_capture(file_);
    ASSERT_GE(segments.size(), 2U);
    const std::uint8_t b = GetParam().wire == LFN_WIRE_EXID ? 253 : 66;
    if (GetParam().lfn_sends) {
        EXPECT_THAT(lfn::test::option_kinds(segments[0]), Contains(b));
    } else {
        EXPECT_THAT(lfn::test::option_kinds(segments[0]), Not(Contains(b)));
    }
    EXPECT_THAT(lfn::test::option_kinds(segments[1]), Not(Contains(b))) << "nobody asked in that form";
}

INSTANTIATE_TEST_SUITE_P(Roles, Fallback,
                         testing::Values(Case{"lfn_sends_exid", true, LFN_WIRE_EXID},
                                         Case{"lfn_sends_rfc1106", true, LFN_WIRE_RFC1106},
                                         Case{"lfn_receives_exid", false, LFN_WIRE_EXID},
                                         Case{"lfn_receives_rfc1106", false, LFN_WIRE_RFC1106}),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
