// SPDX-License-Identifier: BSD-3-Clause
// Either end with a card of its own kind: a gateway stands between the two wires.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "lfn/nak_receiver.h"
#include "lfn/tcp_options.h"
#include "ports/lab/card_transfer.hpp"
#include "ports/lab/ip_forward.hpp"
#include "ports/pcap/capture.hpp"

namespace lfn::lab {
namespace {

// 10.0.0.1 to 10.0.1.2, TTL 255, with the checksum that RFC 1071 gives it.
std::vector<std::uint8_t> datagram(std::size_t octets = 40) {
    std::vector<std::uint8_t> bytes(octets);
    const std::uint8_t header[] = {0x45, 0, 0, 40, 0x12, 0x34, 0, 0, 255, 6, 0x94, 0x99, 10, 0, 0, 1, 10, 0, 1, 2};
    std::ranges::copy(header, bytes.begin());
    return bytes;
}

TEST(Forwarding, padding_behind_a_datagram_is_no_part_of_it) {
    EXPECT_EQ(ipv4_octets(datagram(46)), 40U);
    EXPECT_EQ(ipv4_destination(datagram()), 0x0a000102U);
}

TEST(Forwarding, what_is_no_sound_datagram_is_not_passed_on) {
    const auto whole = datagram();
    for (const std::size_t octets : {0U, 19U, 39U}) EXPECT_FALSE(ipv4_octets(std::span(whole).first(octets)));
    for (std::size_t i = 0; i < 20; ++i) {
        auto damaged = datagram();
        damaged[i] ^= 0x10;
        EXPECT_FALSE(ipv4_octets(damaged)) << "octet " << i;
    }
    auto short_total = datagram();
    short_total[3] = 19;
    EXPECT_FALSE(ipv4_octets(short_total));
}

TEST(Forwarding, each_hop_takes_one_from_the_time_to_live_and_keeps_the_checksum_right) {
    auto bytes = datagram();
    for (unsigned hops = 1; hops < 255; ++hops) {
        ASSERT_TRUE(ipv4_pass_hop(bytes));
        ASSERT_EQ(bytes[8], 255 - hops);
        ASSERT_TRUE(ipv4_octets(bytes)) << hops;
    }
    const auto before = bytes;
    EXPECT_FALSE(ipv4_pass_hop(bytes));
    EXPECT_EQ(bytes, before);
}

CardTransferOptions either(std::array<NicKind, 2> cards, std::string_view host) {
    CardTransferOptions options;
    options.cards = cards;
    options.hosts.fill(find_host_profile(host));
    options.octets = 200'000;
    options.tcp.big_window = true;
    options.tcp.nak_mode = LFN_NAK_EVERY_GAP;
    options.tcp.renak = true;
    options.tcp.wire = LFN_WIRE_EXID;
    return options;
}

constexpr std::array<NicKind, 2> both_orders[] = {{NicKind::el3c500, NicKind::p1300},
                                                  {NicKind::p1300, NicKind::el3c500}};

std::uint64_t sum(const CardRouter::Counters& c) {
    return c.forwarded + c.malformed + c.not_routed + c.expired + c.too_long + c.queue_full;
}

TEST(Gateway, carries_a_transfer_whole_from_either_card_to_the_other) {
    for (const auto& cards : both_orders) {
        for (const char* host : {"ideal", "pc-at-8"}) {
            CardTransferOptions options = either(cards, host);
            options.octets_back = 50'000;
            const CardTransferReport report = run_card_transfer(options);
            EXPECT_EQ(report.failure, "");
            EXPECT_TRUE(report.forward.intact);
            EXPECT_TRUE(report.backward.intact);
            EXPECT_EQ(report.forward.octets, 200'000U);
            EXPECT_EQ(report.forward.sent_digest, report.forward.received_digest);
            EXPECT_EQ(report.backward.sent_digest, report.backward.received_digest);
            ASSERT_EQ(report.wires.size(), 2U);
            EXPECT_EQ(report.wires[0].kind, cards[0]);
            EXPECT_EQ(report.wires[1].kind, cards[1]);
        }
    }
}

// What came to its program is what its drivers handed up.
TEST(Gateway, accounts_for_every_datagram) {
    const CardTransferReport report = run_card_transfer(either(both_orders[0], "pc-at-8"));
    ASSERT_TRUE(report.router.has_value());
    std::uint64_t handed_up = 0;
    for (const CardPortReport& port : report.router->ports) {
        handed_up += port.driver_count("received") - port.driver_count("arp_requests_heard") -
                     port.driver_count("arp_replies_heard") - port.driver_count("alien_frames") -
                     port.driver_count("arp_requests_sent");  // a P1300 hears its own
    }
    // lwIP announces itself on the Ethernet, to nobody in particular.
    EXPECT_NEAR(static_cast<double>(handed_up), static_cast<double>(sum(report.router->counters)), 3);
    EXPECT_GT(report.router->counters.forwarded, 200U);
    EXPECT_EQ(report.router->counters.too_long, 0U) << "the ends have agreed on the shorter segment";
}

TEST(Gateway, of_two_cards_of_one_kind_there_is_none) {
    const CardTransferReport report = run_card_transfer(either({NicKind::p1300, NicKind::p1300}, "ideal"));
    EXPECT_EQ(report.failure, "");
    EXPECT_FALSE(report.router.has_value());
    EXPECT_EQ(report.wires.size(), 1U);
}

// RFC 1030: of frames that a gateway sends back to back the 3C500 receives the first. A gateway that is busy itself
// leaves it time.
TEST(Gateway, that_is_fast_overruns_a_3c500_and_one_that_is_slow_does_not) {
    CardTransferOptions options = either(both_orders[1], "pc-at-8");
    const CardTransferReport fast = run_card_transfer(options);
    options.router = find_host_profile("pc-at-6");
    const CardTransferReport slow = run_card_transfer(options);
    std::printf("to a 3C500: gateway ideal %.3f s, %llu lost; pc-at-6 %.3f s, %llu lost\n", fast.seconds,
                static_cast<unsigned long long>(fast.ends[1].lost), slow.seconds,
                static_cast<unsigned long long>(slow.ends[1].lost));
    EXPECT_EQ(fast.failure, "");
    EXPECT_EQ(slow.failure, "");
    EXPECT_GT(fast.ends[1].lost, 4 * slow.ends[1].lost);
    EXPECT_GT(slow.router->work[static_cast<std::size_t>(Work::port_io)], Duration{});
    EXPECT_EQ(slow.router->work[static_cast<std::size_t>(Work::checksum)], Duration{});
}

TEST(Gateway, one_seed_has_one_history) {
    CardTransferOptions options = either(both_orders[0], "pc-at-8");
    options.wire.frame_error_rate = 0.01;
    const CardTransferReport first = run_card_transfer(options);
    const CardTransferReport second = run_card_transfer(options);
    EXPECT_EQ(first.failure, "");
    EXPECT_EQ(first.events, second.events);
    EXPECT_EQ(first.seconds, second.seconds);
}

TEST(Captures, are_ethernet_frames_of_a_3c500_and_datagrams_of_a_p1300) {
    CardTransferOptions options = either(both_orders[0], "pc-at-8");
    options.octets = 20'000;
    options.captures = {testing::TempDir() + "lfn-gateway-a.pcap", testing::TempDir() + "lfn-gateway-b.pcap"};
    const CardTransferReport report = run_card_transfer(options);
    ASSERT_EQ(report.failure, "");
    for (std::size_t end = 0; end < 2; ++end) {
        CaptureReader reader;
        ASSERT_TRUE(reader.open(options.captures[end])) << reader.error();
        EXPECT_EQ(reader.link(), end == 0 ? CaptureLink::ethernet : CaptureLink::raw_ip);
        Time last{};
        std::uint64_t records = 0;
        for (CaptureRecord record; reader.read(record); ++records) {
            EXPECT_GE(record.time, last);
            last = record.time;
        }
        EXPECT_EQ(reader.error(), "");
        const CardPortReport& port = report.ends[end];
        const std::uint64_t arp = port.driver_count("arp_requests_heard") + port.driver_count("arp_replies_sent");
        EXPECT_EQ(records, port.driver_count("sent") + port.driver_count("received") - (end == 1 ? arp : 0));
        std::remove(options.captures[end].c_str());
    }
}

TEST(Captures, that_cannot_be_written_are_a_failure_in_words) {
    CardTransferOptions options = either(both_orders[0], "ideal");
    options.captures[1] = "/nonexistent/run.pcap";
    const CardTransferReport report = run_card_transfer(options);
    EXPECT_THAT(report.failure, testing::HasSubstr("/nonexistent/run.pcap"));
}

}  // namespace
}  // namespace lfn::lab
