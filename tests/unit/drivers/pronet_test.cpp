// SPDX-License-Identifier: BSD-3-Clause
#include "ports/drivers/pronet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using Message = std::array<std::uint8_t, LFN_PRONET_ARP_OCTETS>;

constexpr std::uint32_t alice = 0x0A000001;
constexpr std::uint32_t bob = 0x0A000002;

std::vector<std::uint8_t> datagram_to(std::uint32_t address) {
    std::vector<std::uint8_t> datagram(40);
    datagram[0] = 0x45;
    for (unsigned i = 0; i < 4; ++i) datagram[16 + i] = static_cast<std::uint8_t>(address >> (24 - 8 * i));
    return datagram;
}

class Pronet : public testing::Test {
protected:
    Pronet() {
        lfn_pronet_init(&a, alice, 0xFFFFFF00, 0, 0x11);
        lfn_pronet_init(&b, bob, 0xFFFFFF00, alice, 0x22);
    }
    lfn_arp_reach route(lfn_pronet& from, std::uint32_t to, std::uint32_t now_ms = start) {
        const auto datagram = datagram_to(to);
        return lfn_pronet_route(&from, datagram.data(), datagram.size(), now_ms, header.data());
    }
    // Whatever ARP has to say goes to the other.
    bool exchange(lfn_pronet& from, lfn_pronet& to, std::uint32_t now_ms = start) {
        if (!lfn_pronet_arp_output(&from, now_ms, message.data())) return false;
        std::size_t octets = 0;
        EXPECT_EQ(lfn_pronet_input(&to, message.data(), message.size(), &octets), nullptr);
        return true;
    }

    static constexpr std::uint32_t start = 0xFFFFFF80;  // the clock wraps
    lfn_pronet a, b;
    std::array<std::uint8_t, LFN_PRONET_HEADER> header{};
    Message message{};
};

TEST_F(Pronet, a_request_is_hardware_4_protocol_1_to_everybody) {
    EXPECT_EQ(route(a, bob), LFN_ARP_ASKING);
    ASSERT_TRUE(lfn_pronet_arp_output(&a, start, message.data()));
    EXPECT_THAT(message, ElementsAreArray({0xFF, 0x11, 2, 3, 0, 0, 0,  4, 0, 1, 1, 4, 0, 1,  //
                                           0x11, 10,   0, 0, 1, 0, 10, 0, 0, 2}));
}

TEST_F(Pronet, an_answer_makes_the_station_known_to_both) {
    EXPECT_EQ(route(a, bob), LFN_ARP_ASKING);
    ASSERT_TRUE(exchange(a, b));
    ASSERT_TRUE(exchange(b, a));
    EXPECT_EQ(route(a, bob), LFN_ARP_KNOWN);
    EXPECT_THAT(header, ElementsAre(0x22, 0x11, 2, 1, 0, 0));
    EXPECT_EQ(route(b, alice), LFN_ARP_KNOWN);
    EXPECT_EQ(header[0], 0x11);
    EXPECT_FALSE(exchange(a, b));
    EXPECT_FALSE(exchange(b, a));
}

TEST_F(Pronet, a_request_for_somebody_else_is_not_answered_and_teaches_nothing_new) {
    EXPECT_EQ(route(a, 0x0A000003), LFN_ARP_ASKING);
    ASSERT_TRUE(exchange(a, b));
    EXPECT_FALSE(exchange(b, a));
    EXPECT_EQ(route(b, alice), LFN_ARP_ASKING);
}

TEST_F(Pronet, whom_we_look_for_is_known_as_soon_as_he_speaks_to_anybody) {
    EXPECT_EQ(route(b, alice), LFN_ARP_ASKING);
    EXPECT_EQ(route(a, 0x0A000003), LFN_ARP_ASKING);
    ASSERT_TRUE(exchange(a, b));
    EXPECT_EQ(route(b, alice), LFN_ARP_KNOWN);
    EXPECT_EQ(header[0], 0x11);
    EXPECT_FALSE(exchange(b, a));  // there is nothing left to ask
}

// The answer to such a one, and every datagram for him, would go to all stations.
TEST_F(Pronet, a_sender_who_claims_the_broadcast_station_is_not_believed) {
    EXPECT_EQ(route(a, bob), LFN_ARP_ASKING);
    ASSERT_TRUE(lfn_pronet_arp_output(&a, start, message.data()));
    message[14] = LFN_PRONET_BROADCAST;
    std::size_t octets = 0;
    EXPECT_EQ(lfn_pronet_input(&b, message.data(), message.size(), &octets), nullptr);
    EXPECT_EQ(b.arp.counters.malformed, 1U);
    EXPECT_FALSE(lfn_pronet_arp_output(&b, start, message.data()));
    EXPECT_EQ(route(b, alice), LFN_ARP_ASKING);
}

TEST_F(Pronet, asks_once_a_second_and_gives_up_after_four) {
    std::uint32_t now = start;
    for (int i = 0; i < LFN_ARP_ASKS; ++i) {
        EXPECT_EQ(route(a, bob, now), LFN_ARP_ASKING);
        EXPECT_TRUE(lfn_pronet_arp_output(&a, now, message.data()));
        EXPECT_FALSE(lfn_pronet_arp_output(&a, now + LFN_ARP_ASK_MS - 1, message.data()));
        now += LFN_ARP_ASK_MS;
    }
    EXPECT_FALSE(lfn_pronet_arp_output(&a, now, message.data()));
    EXPECT_EQ(route(a, bob, now), LFN_ARP_UNREACHABLE);
    EXPECT_EQ(route(a, bob, now), LFN_ARP_ASKING);  // the next datagram asks anew
    EXPECT_TRUE(lfn_pronet_arp_output(&a, now, message.data()));
}

TEST_F(Pronet, what_is_not_on_the_network_goes_to_the_gateway) {
    EXPECT_EQ(route(b, 0xC0000201), LFN_ARP_ASKING);
    EXPECT_EQ(b.arp.wanted, alice);
    EXPECT_EQ(route(a, 0xC0000201), LFN_ARP_UNREACHABLE);  // which a has not
}

TEST_F(Pronet, broadcasts_go_to_every_station) {
    EXPECT_EQ(route(a, 0xFFFFFFFF), LFN_ARP_KNOWN);
    EXPECT_EQ(header[0], 0xFF);
    EXPECT_EQ(route(a, 0x0A0000FF), LFN_ARP_KNOWN);
    EXPECT_EQ(header[0], 0xFF);
}

TEST_F(Pronet, a_station_that_moves_is_followed) {
    EXPECT_EQ(route(a, bob), LFN_ARP_ASKING);
    exchange(a, b);
    exchange(b, a);
    b.arp.self.hardware[0] = 0x33;
    EXPECT_EQ(route(b, 0x0A000007), LFN_ARP_ASKING);
    exchange(b, a);
    EXPECT_EQ(route(a, bob), LFN_ARP_KNOWN);
    EXPECT_EQ(header[0], 0x33);
}

TEST_F(Pronet, the_oldest_of_nine_neighbours_makes_room) {
    for (std::uint8_t i = 0; i < 9; ++i) {
        lfn_pronet other;
        lfn_pronet_init(&other, 0x0A000010U + i, 0xFFFFFF00, 0, static_cast<std::uint8_t>(0x40 + i));
        EXPECT_EQ(route(other, alice), LFN_ARP_ASKING);
        exchange(other, a);
        exchange(a, other);
    }
    EXPECT_EQ(route(a, 0x0A000018), LFN_ARP_KNOWN);
    EXPECT_EQ(route(a, 0x0A000011), LFN_ARP_KNOWN);
    EXPECT_EQ(route(a, 0x0A000010), LFN_ARP_ASKING);
}

TEST_F(Pronet, hands_up_the_datagram_of_an_ip_message_and_counts_the_rest) {
    const std::array<std::uint8_t, 8> ip = {0x11, 0x22, 2, 1, 0, 0, 0x45, 0};
    std::size_t octets = 0;
    EXPECT_EQ(lfn_pronet_input(&a, ip.data(), ip.size(), &octets), ip.data() + 6);
    EXPECT_EQ(octets, 2U);
    std::array<std::uint8_t, 8> bad = ip;
    bad[2] = 1;
    EXPECT_EQ(lfn_pronet_input(&a, bad.data(), bad.size(), &octets), nullptr);
    EXPECT_EQ(lfn_pronet_input(&a, ip.data(), 5, &octets), nullptr);
    bad = ip;
    bad[3] = 2;  // trailers
    EXPECT_EQ(lfn_pronet_input(&a, bad.data(), bad.size(), &octets), nullptr);
    EXPECT_EQ(a.counters.malformed, 2U);
    EXPECT_EQ(a.counters.alien, 1U);
}

TEST_F(Pronet, arp_of_another_kind_or_cut_short_is_not_answered) {
    EXPECT_EQ(route(a, bob), LFN_ARP_ASKING);
    ASSERT_TRUE(lfn_pronet_arp_output(&a, start, message.data()));
    std::size_t octets = 0;
    EXPECT_EQ(lfn_pronet_input(&b, message.data(), message.size() - 1, &octets), nullptr);
    EXPECT_EQ(b.arp.counters.malformed, 1U);
    message[7] = 0xFE;  // PC/IP's hardware type
    EXPECT_EQ(lfn_pronet_input(&b, message.data(), message.size(), &octets), nullptr);
    EXPECT_EQ(b.arp.counters.alien, 1U);
    EXPECT_FALSE(exchange(b, a));
}

TEST_F(Pronet, what_is_no_datagram_or_longer_than_the_mtu_goes_nowhere) {
    const std::vector<std::uint8_t> large(LFN_PRONET_MTU + 1);
    EXPECT_EQ(lfn_pronet_route(&a, large.data(), 19, start, header.data()), LFN_ARP_UNREACHABLE);
    EXPECT_EQ(lfn_pronet_route(&a, large.data(), large.size(), start, header.data()), LFN_ARP_UNREACHABLE);
}

}  // namespace
