// SPDX-License-Identifier: BSD-3-Clause
// Flows that share a bottleneck: what arrives is whole, what the queue did is accounted for, and what one flow leaves
// to another can be measured.
#include "ports/lab/shared_link.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "lfn/loss_policy.h"
#include "lfn/nak_receiver.h"
#include "lfn/tcp_options.h"

namespace lfn::lab {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// 10 Mb/s, 100 ms: about 83 packets under way.
SharedLinkOptions bottleneck(std::size_t flows) {
    SharedLinkOptions options;
    options.rate_bps = 10'000'000;
    options.round_trip = milliseconds(100);
    options.flows.assign(flows, {.window = 512 * 1024});
    options.warm_up = seconds(10);
    options.duration = seconds(60);
    return options;
}

void print(const char* title, const SharedLinkReport& report) {
    std::printf("%-40s utilisation %.3f, fairness %.3f;", title, report.utilisation, report.fairness);
    for (const SharedFlowReport& flow : report.flows) std::printf(" %.1f kB/s", flow.measured_goodput / 1000);
    std::printf("\n");
}

void expect_sound(const SharedLinkReport& report) {
    EXPECT_EQ(report.failure, "");
    for (const SharedFlowReport& flow : report.flows) {
        EXPECT_TRUE(flow.intact);
        EXPECT_EQ(flow.sent_digest, flow.received_digest);
    }
    for (const Counters* counters : {&report.forward, &report.backward}) EXPECT_TRUE(counters->balanced());
}

TEST(SharedLink, one_newreno_flow_has_it_to_itself) {
    const SharedLinkReport report = run_shared_link(bottleneck(1));
    print("one NewReno flow", report);
    expect_sound(report);
    EXPECT_GT(report.utilisation, 0.85);
    EXPECT_GT(report.forward.dropped(DropCause::queue_full).frames, 0U);
    EXPECT_DOUBLE_EQ(report.flows[0].share, 1);
}

TEST(SharedLink, two_newreno_flows_share_about_evenly) {
    const SharedLinkReport report = run_shared_link(bottleneck(2));
    print("two NewReno flows", report);
    expect_sound(report);
    EXPECT_GT(report.utilisation, 0.85);
    EXPECT_GT(report.fairness, 0.9);
    EXPECT_NEAR(report.flows[0].share + report.flows[1].share, 1, 1e-9);
}

TEST(SharedLink, unpatched_lwip_competes_like_lfn_with_everything_off) {
    SharedLinkOptions options = bottleneck(2);
    options.flows[1].sender = options.flows[1].receiver = lfn_stack_lwip();
    const SharedLinkReport report = run_shared_link(options);
    print("lfn all off beside unpatched lwIP", report);
    expect_sound(report);
    EXPECT_GT(report.flows[1].share, 0.2);
}

// How much of it the first gets for itself is another matter: most of what it sends is dropped.
TEST(SharedLink, a_flow_that_takes_loss_for_noise_costs_its_neighbour_more_than_half) {
    SharedLinkOptions options = bottleneck(2);
    const SharedLinkReport alike = run_shared_link(options);
    lfn_tcp_settings& tcp = options.flows[0].tcp;
    tcp.big_window = true;
    tcp.nak_mode = LFN_NAK_EVERY_GAP;
    tcp.renak = true;
    tcp.wire = LFN_WIRE_RFC1106;
    tcp.loss_policy = LFN_LOSS_NOISE;
    const SharedLinkReport report = run_shared_link(options);
    print("noise beside NewReno", report);
    expect_sound(report);
    EXPECT_LT(report.flows[1].measured_goodput, alike.flows[1].measured_goodput / 2);
    EXPECT_GT(report.flows[0].share, 0.5);
}

TEST(SharedLink, a_transfer_that_ends_is_measured_against_those_that_do_not) {
    SharedLinkOptions options = bottleneck(3);
    options.duration = {};
    options.warm_up = {};
    options.flows[0].octets = 5'000'000;
    options.flows[0].start = seconds(5);
    const SharedLinkReport report = run_shared_link(options);
    print("5 MB among two endless flows", report);
    expect_sound(report);
    EXPECT_EQ(report.flows[0].octets, 5'000'000U);
    EXPECT_GT(report.flows[1].octets, 1'000'000U);
    EXPECT_GT(report.measured_seconds, report.flows[0].seconds);
}

TEST(SharedLink, what_each_flow_lost_adds_up_to_what_the_link_dropped) {
    SharedLinkOptions options = bottleneck(3);
    options.bit_error_rate = 1e-6;
    options.duration = {};
    options.warm_up = {};
    for (SharedFlowOptions& flow : options.flows) flow.octets = 3'000'000;
    const SharedLinkReport report = run_shared_link(options);
    expect_sound(report);
    std::uint64_t dropped = 0;
    for (const SharedFlowReport& flow : report.flows) dropped += flow.lost_segments();
    EXPECT_EQ(dropped, report.forward.dropped().frames + report.forward.queued.frames);
    EXPECT_GT(report.forward.dropped(DropCause::bit_error).frames, 0U);
}

TEST(SharedLink, one_seed_has_one_history) {
    SharedLinkOptions options = bottleneck(2);
    options.bit_error_rate = 1e-6;
    options.duration = seconds(20);
    const SharedLinkReport first = run_shared_link(options);
    const SharedLinkReport second = run_shared_link(options);
    EXPECT_EQ(first.events, second.events);
    EXPECT_EQ(first.flows[0].octets, second.flows[0].octets);
    options.seed = 2;
    EXPECT_NE(run_shared_link(options).events, first.events);
}

TEST(SharedLink, what_cannot_be_run_is_said_in_words) {
    EXPECT_NE(run_shared_link({.flows = {}}).failure, "");
    SharedLinkOptions options = bottleneck(1);
    options.duration = {};
    EXPECT_NE(run_shared_link(options).failure, "") << "it would never end";
    options = bottleneck(1);
    options.rate_bps = 0;
    EXPECT_NE(run_shared_link(options).failure, "");
}

}  // namespace
}  // namespace lfn::lab
