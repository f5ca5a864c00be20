// SPDX-License-Identifier: BSD-3-Clause
// Ethernet's headers and its ARP; what ARP itself does is in pronet_test.cpp.
#include "ports/drivers/ethernet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using Frame = std::array<std::uint8_t, LFN_ETHERNET_ARP_OCTETS>;

constexpr std::uint32_t alice = 0x0A000001;
constexpr std::uint32_t bob = 0x0A000002;
constexpr std::array<std::uint8_t, 6> alices = {2, 0x60, 0x8C, 0, 0, 0xAA};
constexpr std::array<std::uint8_t, 6> bobs = {2, 0x60, 0x8C, 0, 0, 0xBB};
constexpr std::uint32_t start = 0xFFFFFF80;  // the clock wraps

class Ethernet : public testing::Test {
protected:
    Ethernet() {
        lfn_ethernet_init(&a, alice, 0xFFFFFF00, 0, alices.data());
        lfn_ethernet_init(&b, bob, 0xFFFFFF00, alice, bobs.data());
    }
    lfn_arp_reach route(lfn_ethernet& from, std::uint32_t to) {
        std::array<std::uint8_t, 40> datagram{0x45};
        for (unsigned i = 0; i < 4; ++i) datagram[16 + i] = static_cast<std::uint8_t>(to >> (24 - 8 * i));
        return lfn_ethernet_route(&from, datagram.data(), datagram.size(), start, header.data());
    }
    bool exchange(lfn_ethernet& from, lfn_ethernet& to) {
        if (!lfn_ethernet_arp_output(&from, start, frame.data())) return false;
        std::size_t octets = 0;
        EXPECT_EQ(lfn_ethernet_input(&to, frame.data(), frame.size(), &octets), nullptr);
        return true;
    }

    lfn_ethernet a, b;
    std::array<std::uint8_t, LFN_ETHERNET_HEADER> header{};
    Frame frame{};
};

TEST_F(Ethernet, a_request_is_rfc_826s_to_everybody) {
    EXPECT_EQ(route(a, bob), LFN_ARP_ASKING);
    ASSERT_TRUE(lfn_ethernet_arp_output(&a, start, frame.data()));
    EXPECT_THAT(frame, ElementsAreArray({0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2, 0x60, 0x8C, 0,    0,    0xAA, 8, 6,  //
                                         0,    1,    8,    0,    6,    4,    0, 1,    2,    0x60, 0x8C, 0,    0, 0xAA,
                                         10,   0,    0,    1,    0,    0,    0, 0,    0,    0,    10,   0,    0, 2}));
}

TEST_F(Ethernet, an_answer_makes_the_station_known_to_both) {
    EXPECT_EQ(route(a, bob), LFN_ARP_ASKING);
    ASSERT_TRUE(exchange(a, b));
    ASSERT_TRUE(exchange(b, a));
    EXPECT_THAT(std::vector<std::uint8_t>(frame.begin(), frame.begin() + 6), ElementsAreArray(alices));
    EXPECT_EQ(route(a, bob), LFN_ARP_KNOWN);
    EXPECT_THAT(header, ElementsAre(2, 0x60, 0x8C, 0, 0, 0xBB, 2, 0x60, 0x8C, 0, 0, 0xAA, 8, 0));
    EXPECT_EQ(route(b, alice), LFN_ARP_KNOWN);
    EXPECT_EQ(route(b, 0xC0000201), LFN_ARP_KNOWN) << "by way of a, the gateway";
    EXPECT_FALSE(exchange(a, b));
}

TEST_F(Ethernet, hands_up_the_datagram_of_an_ip_frame_and_counts_the_rest) {
    std::vector<std::uint8_t> ip(60);
    for (std::size_t i = 0; i < 6; ++i) ip[i] = alices[i];
    ip[12] = 8;
    std::size_t octets = 0;
    EXPECT_EQ(lfn_ethernet_input(&a, ip.data(), ip.size(), &octets), ip.data() + 14);
    EXPECT_EQ(octets, 46U);
    EXPECT_EQ(lfn_ethernet_input(&a, ip.data(), 13, &octets), nullptr);
    EXPECT_EQ(a.counters.malformed, 1U);
    ip[13] = 1;  // another type
    EXPECT_EQ(lfn_ethernet_input(&a, ip.data(), ip.size(), &octets), nullptr);
    ip[13] = 0;
    ip[5] = 0xCC;  // for somebody else, heard by a card that takes everything
    EXPECT_EQ(lfn_ethernet_input(&a, ip.data(), ip.size(), &octets), nullptr);
    EXPECT_EQ(a.counters.alien, 2U);
}

TEST_F(Ethernet, what_is_no_datagram_or_longer_than_the_mtu_goes_nowhere) {
    const std::vector<std::uint8_t> large(LFN_ETHERNET_MTU + 1);
    EXPECT_EQ(lfn_ethernet_route(&a, large.data(), 19, start, header.data()), LFN_ARP_UNREACHABLE);
    EXPECT_EQ(lfn_ethernet_route(&a, large.data(), large.size(), start, header.data()), LFN_ARP_UNREACHABLE);
}

}  // namespace
