// SPDX-License-Identifier: BSD-3-Clause
#include "emulators/link/congestion_mark.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace lfn {
namespace {

using Octets = std::vector<std::uint8_t>;

// RFC 1071, of a header: 0xffff if its checksum is right.
std::uint32_t sum_of(const Octets& packet) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < 20; i += 2) sum += static_cast<std::uint32_t>(packet[i] << 8 | packet[i + 1]);
    while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
    return sum;
}

// `filler` makes checksums of all kinds.
Octets ipv4(std::uint8_t tos, std::uint16_t filler = 0) {
    Octets packet{0x45, tos, 0, 40, 0, 0, 0x40, 0, 64, 6, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2};
    packet[4] = static_cast<std::uint8_t>(filler >> 8);
    packet[5] = static_cast<std::uint8_t>(filler);
    const std::uint32_t checksum = ~sum_of(packet);
    packet[10] = static_cast<std::uint8_t>(checksum >> 8);
    packet[11] = static_cast<std::uint8_t>(checksum);
    packet.resize(40, 0xaa);
    return packet;
}

Octets ipv6(std::uint8_t traffic_class) {
    Octets packet(60, 0xaa);
    packet[0] = static_cast<std::uint8_t>(0x60 | traffic_class >> 4);
    packet[1] = static_cast<std::uint8_t>(traffic_class << 4 | 0x0c);  // and a flow label
    return packet;
}

std::uint8_t class_of(const Octets& packet) {
    return static_cast<std::uint8_t>(packet[0] << 4 | packet[1] >> 4);
}

Octets in_ethernet(const Octets& packet, std::uint16_t type) {
    Octets frame(12, 0x02);
    frame.insert(frame.end(), {static_cast<std::uint8_t>(type >> 8), static_cast<std::uint8_t>(type)});
    frame.insert(frame.end(), packet.begin(), packet.end());
    return frame;
}

TEST(CongestionMark, ipv4_that_can_take_it_is_marked_and_its_checksum_stays_right) {
    for (unsigned tos = 0; tos < 256; ++tos) {
        for (unsigned filler = 0; filler < 0x10000; filler += 0x0fff) {
            const Octets before = ipv4(static_cast<std::uint8_t>(tos), static_cast<std::uint16_t>(filler));
            Octets after = before;
            ASSERT_EQ(mark_congestion(after), (tos & 3) != 0) << tos;
            ASSERT_EQ(sum_of(after), 0xffffU) << tos;
            if ((tos & 3) == 0) {
                ASSERT_EQ(after, before);
            } else {
                ASSERT_EQ(after[1], tos | 3);
            }
        }
    }
}

TEST(CongestionMark, ipv6_that_can_take_it_is_marked_and_its_flow_label_is_not_touched) {
    for (unsigned traffic_class = 0; traffic_class < 256; ++traffic_class) {
        Octets packet = ipv6(static_cast<std::uint8_t>(traffic_class));
        ASSERT_EQ(mark_congestion(packet), (traffic_class & 3) != 0) << traffic_class;
        ASSERT_EQ(class_of(packet), (traffic_class & 3) != 0 ? traffic_class | 3 : traffic_class);
        ASSERT_EQ(packet[0] >> 4, 6);
        ASSERT_EQ(packet[1] & 0x0f, 0x0c);
    }
}

TEST(CongestionMark, a_damaged_checksum_stays_damaged) {
    Octets packet = ipv4(2);
    packet[10] ^= 0x10;
    const std::uint32_t before = sum_of(packet);
    EXPECT_TRUE(mark_congestion(packet));
    EXPECT_EQ(sum_of(packet), before);
}

TEST(CongestionMark, what_is_no_packet_or_cut_short_is_not_touched) {
    for (const Octets& whole : {ipv4(2), ipv6(2), Octets{0x55, 2, 2, 2}}) {
        const std::size_t header = whole[0] >> 4 == 4 ? 20 : whole[0] >> 4 == 6 ? 40 : whole.size() + 1;
        for (std::size_t size = 0; size < std::min(header, whole.size() + 1); ++size) {
            Octets part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
            const Octets before = part;
            EXPECT_FALSE(mark_congestion(part)) << size;
            EXPECT_EQ(part, before);
        }
    }
}

TEST(CongestionMark, ethernet_must_say_what_it_carries) {
    for (const auto& [packet, right] : {std::pair(ipv4(2), 0x0800), std::pair(ipv6(2), 0x86dd)}) {
        for (const int type : {0x0800, 0x86dd, 0x0806, 0x8100}) {
            Octets frame = in_ethernet(packet, static_cast<std::uint16_t>(type));
            EXPECT_EQ(mark_congestion_in_frame(frame, 14), type == right) << type;
        }
    }
    Octets header(14, 0);
    EXPECT_FALSE(mark_congestion_in_frame(header, 14));
}

}  // namespace
}  // namespace lfn
