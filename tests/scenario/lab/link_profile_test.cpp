// SPDX-License-Identifier: BSD-3-Clause
// A transfer over every link that --link can name: whole by digest, every frame accounted for, and what makes a link
// different does happen.
#include <gtest/gtest.h>

#include <cstdio>

#include "lfn/loss_policy.h"
#include "lfn/nak_receiver.h"
#include "lfn/tcp_options.h"
#include "ports/lab/transfer.hpp"
#include "ports/pcap/capture.hpp"

namespace lfn::lab {
namespace {

TransferOptions over(const LinkProfile& link, std::uint64_t octets) {
    TransferOptions options;
    options.link = &link;
    options.octets = octets;
    options.window = 1 << 20;
    options.mss = 1460;
    options.tcp.big_window = true;
    options.tcp.nak_mode = LFN_NAK_EVERY_GAP;
    options.tcp.renak = true;
    options.tcp.wire = LFN_WIRE_RFC1106;
    options.tcp.slow_start_rate = 2;
    return options;
}

TransferReport run(std::string_view link, std::uint64_t octets) {
    return run_transfer(over(*find_link_profile(link), octets));
}

class LinkProfiles : public testing::TestWithParam<LinkProfile> {};

TEST_P(LinkProfiles, conserve_frames_and_carry_a_transfer_whole) {
    const TransferReport report = run_transfer(over(GetParam(), 2'000'000));
    std::printf("%-20s %8.3f s, %.3f of the ceiling, %llu frames lost\n", std::string(GetParam().name).c_str(),
                report.seconds, report.efficiency(),
                static_cast<unsigned long long>(report.forward.counters.dropped().frames));
    EXPECT_EQ(report.failure, "");
    EXPECT_TRUE(report.intact);
    EXPECT_EQ(report.sent_digest, report.received_digest);
    EXPECT_TRUE(report.forward.counters.balanced());
    EXPECT_TRUE(report.backward.counters.balanced());
    EXPECT_GT(report.forward.counters.in.frames, 1000U);
}

INSTANTIATE_TEST_SUITE_P(, LinkProfiles, testing::ValuesIn(link_profiles().begin(), link_profiles().end()),
                         [](const auto& test) {
                             std::string name(test.param.name);
                             for (char& c : name) c = c == '-' ? '_' : c;
                             return name;
                         });

TEST(LinkProfile, geo_10m_bursts_loses_frames_together) {
    const TransferReport report = run("geo-10m-bursts", 20'000'000);
    const Counters& frames = report.forward.counters;
    EXPECT_EQ(frames.dropped().frames, frames.dropped(DropCause::burst_error).frames);
    const double share = static_cast<double>(frames.dropped().frames) / static_cast<double>(frames.in.frames);
    EXPECT_NEAR(share, 0.004, 0.003);
}

TEST(LinkProfile, geo_10m_outages_loses_what_is_under_way_each_minute) {
    const TransferReport report = run("geo-10m-outages", 20'000'000);
    EXPECT_EQ(report.failure, "");
    EXPECT_GT(report.forward.counters.dropped(DropCause::outage).frames, 100U);
    EXPECT_EQ(report.forward.counters.dropped().frames, report.forward.counters.dropped(DropCause::outage).frames);
}

TEST(LinkProfile, asymmetric_12m_3m_sends_at_12_and_answers_at_3) {
    const LinkProfile& link = *find_link_profile("asymmetric-12m-3m");
    Loop loop;
    const DuplexLink duplex(loop, link, {});
    EXPECT_EQ(duplex.a_to_b.transmitter().options().rate_bps, 12'000'000U);
    EXPECT_EQ(duplex.b_to_a.transmitter().options().rate_bps, 3'000'000U);
    const DuplexLink same(loop, link, {.rate_bps = 1'000'000});
    EXPECT_EQ(same.b_to_a.transmitter().options().rate_bps, 1'000'000U) << "--rate is of both ways";
}

// 20 s at 100 Mb/s, then down to 10.
TEST(LinkProfile, fade_100m_is_slower_than_geo_100m_by_its_mean_rate) {
    const LinkProfile& fade = *find_link_profile("fade-100m");
    EXPECT_NEAR(mean_rate_bps(fade), 67.2e6, 0.6e6);
    TransferOptions options = over(fade, 400'000'000);
    options.window = 16 << 20;
    const TransferReport report = run_transfer(options);
    options.link = find_link_profile("geo-100m");
    const TransferReport clear = run_transfer(options);
    EXPECT_EQ(report.failure, "");
    EXPECT_EQ(clear.failure, "");
    EXPECT_GT(report.seconds, clear.seconds + 10);
}

TEST(LinkProfile, leo_handover_changes_its_round_trip_and_loses_what_is_between_two_satellites) {
    const TransferReport report = run("leo-handover", 100'000'000);
    EXPECT_EQ(report.failure, "");
    EXPECT_GT(report.seconds, 15);
    EXPECT_GT(report.forward.counters.dropped(DropCause::outage).frames, 0U);
}

TEST(LinkProfile, shared_10m_has_a_competitor_that_is_verified_too) {
    const TransferReport report = run("shared-10m", 5'000'000);
    ASSERT_EQ(report.competitors.size(), 1U);
    EXPECT_TRUE(report.competitors[0].intact);
    EXPECT_GT(report.competitors[0].octets, 5'000'000U) << "it was there first";
    EXPECT_GT(report.forward.counters.dropped(DropCause::queue_full).frames, 0U);
    EXPECT_GT(report.forward.payload_octets, 5'000'000U - 1);
    EXPECT_LT(report.efficiency(), 0.9);
}

TEST(LinkProfile, shared_10m_writes_captures_of_the_measured_hosts) {
    TransferOptions options = over(*find_link_profile("shared-10m"), 100'000);
    options.sender_capture = testing::TempDir() + "lfn-shared-sender.pcap";
    options.receiver_capture = testing::TempDir() + "lfn-shared-receiver.pcap";
    const TransferReport report = run_transfer(options);
    EXPECT_EQ(report.failure, "");
    for (const std::string& file : {options.sender_capture, options.receiver_capture}) {
        CaptureReader reader;
        ASSERT_TRUE(reader.open(file)) << reader.error();
        std::uint64_t records = 0;
        for (CaptureRecord record; reader.read(record);) {
            ++records;
            EXPECT_EQ(record.octets[15] + record.octets[19], 3) << "10.0.0.1 and 10.0.0.2 alone";
        }
        EXPECT_GT(records, 100U);
        std::remove(file.c_str());
    }
}

}  // namespace
}  // namespace lfn::lab
