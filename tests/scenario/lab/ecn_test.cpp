// SPDX-License-Identifier: BSD-3-Clause
// Explicit congestion notification over links that mark: the queue is told of, and nothing is lost for it.
#include <gtest/gtest.h>

#include "lfn/loss_policy.h"
#include "lfn/nak_receiver.h"
#include "lfn/tcp_options.h"
#include "ports/lab/transfer.hpp"

namespace lfn::lab {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

lfn_tcp_settings with_ecn(lfn_loss_policy policy) {
    lfn_tcp_settings tcp{};
    tcp.big_window = true;
    tcp.isolated = true;
    tcp.nak_mode = LFN_NAK_EVERY_GAP;
    tcp.renak = true;
    tcp.wire = LFN_WIRE_RFC1106;
    tcp.ecn = true;
    tcp.loss_policy = static_cast<std::uint8_t>(policy);
    return tcp;
}

// 10 Mb/s, 100 ms: 83 packets under way, and the router marks from as many in its queue on.
SharedLinkOptions marking(std::vector<lfn_tcp_settings> flows) {
    SharedLinkOptions options;
    options.link = find_link_profile("ecn-10m");
    options.queue_frames = options.link->queue_frames.value;
    for (const lfn_tcp_settings& tcp : flows) options.flows.push_back({.tcp = tcp, .window = 4 << 20});
    options.warm_up = seconds(20);
    options.duration = seconds(60);
    return options;
}

void expect_sound(const SharedLinkReport& report) {
    EXPECT_EQ(report.failure, "");
    for (const SharedFlowReport& flow : report.flows) EXPECT_TRUE(flow.intact);
    EXPECT_TRUE(report.forward.balanced());
    EXPECT_TRUE(report.backward.balanced());
}

class EcnPolicies : public testing::TestWithParam<lfn_loss_policy> {};

TEST_P(EcnPolicies, a_flow_that_knows_ecn_fills_the_link_and_nothing_of_it_is_lost_once_it_is_under_way) {
    SharedLinkOptions options = marking({with_ecn(GetParam())});
    options.flows[0].tcp.slow_start_rate = 1;
    const SharedLinkReport report = run_shared_link(options);
    expect_sound(report);
    const lfn_tcp_info& sender = report.flows[0].sender;
    std::printf("utilisation %.3f, %llu marked, %llu dropped, %u echoes, %u reductions, %u timeouts\n",
                report.utilisation, static_cast<unsigned long long>(report.forward.marked.frames),
                static_cast<unsigned long long>(report.forward.dropped().frames), sender.ecn_echoes,
                sender.window_reductions, sender.rtos);
    EXPECT_TRUE(sender.ecn_agreed);
    EXPECT_GT(report.utilisation, 0.9);
    EXPECT_GT(report.forward.marked.frames, 0U);
    EXPECT_GT(report.flows[0].receiver.ecn_marks, 0U);
    EXPECT_EQ(report.backward.marked.frames, 0U) << "acknowledgements alone cannot be";
    EXPECT_EQ(sender.rtos, 0U);
    EXPECT_GT(sender.ecn_reductions, 3U);
    EXPECT_EQ(sender.ecn_reductions, sender.window_reductions);
    EXPECT_EQ(report.forward.dropped().frames, 0U);
}

INSTANTIATE_TEST_SUITE_P(All, EcnPolicies, testing::Values(LFN_LOSS_CONGESTION, LFN_LOSS_NOISE, LFN_LOSS_AUTO));

TEST(Ecn, flow_that_does_not_know_it_is_dropped_where_it_would_be_marked) {
    lfn_tcp_settings tcp = with_ecn(LFN_LOSS_CONGESTION);
    tcp.ecn = false;
    const SharedLinkReport report = run_shared_link(marking({tcp}));
    expect_sound(report);
    EXPECT_EQ(report.forward.marked.frames, 0U);
    EXPECT_GT(report.forward.dropped(DropCause::aqm).frames, 0U);
    EXPECT_EQ(report.forward.dropped(DropCause::queue_full).frames, 0U);
    EXPECT_FALSE(report.flows[0].sender.ecn_agreed);
}

TEST(Ecn, flows_with_and_without_it_share_a_router_that_marks) {
    lfn_tcp_settings plain{};
    plain.wire = LFN_WIRE_RFC1106;
    plain.slow_start_rate = 1;
    const SharedLinkReport report = run_shared_link(marking({with_ecn(LFN_LOSS_CONGESTION), plain}));
    expect_sound(report);
    std::printf("utilisation %.3f, shares %.3f %.3f\n", report.utilisation, report.flows[0].share,
                report.flows[1].share);
    EXPECT_GT(report.flows[0].share, 0.25);
    EXPECT_GT(report.flows[1].share, 0.25);
    EXPECT_GT(report.utilisation, 0.9);
}

TEST(Ecn, transfer_over_a_link_that_marks_is_whole_and_resends_nothing) {
    TransferOptions options;
    options.link = find_link_profile("ecn-10m");
    options.octets = 20'000'000;
    options.window = 4 << 20;
    options.mss = 1460;
    options.tcp = with_ecn(LFN_LOSS_CONGESTION);
    const TransferReport report = run_transfer(options);
    EXPECT_EQ(report.failure, "");
    EXPECT_TRUE(report.intact);
    EXPECT_GT(report.forward.counters.marked.frames, 0U);
    EXPECT_EQ(report.receiver.ecn_marks, report.forward.counters.marked.frames);
    EXPECT_EQ(report.forward.retransmitted_segments, 0U);
    EXPECT_GT(report.efficiency(), 0.85);
}

TEST(Ecn, lwip_as_the_peer_agrees_to_nothing) {
    TransferOptions options;
    options.link = find_link_profile("ecn-10m");
    options.octets = 2'000'000;
    options.mss = 1460;
    options.tcp = with_ecn(LFN_LOSS_CONGESTION);
    options.receiver = lfn_stack_lwip();
    const TransferReport report = run_transfer(options);
    EXPECT_TRUE(report.intact) << report.failure;
    EXPECT_FALSE(report.sender.ecn_agreed);
    EXPECT_EQ(report.forward.counters.marked.frames, 0U);
}

}  // namespace
}  // namespace lfn::lab
