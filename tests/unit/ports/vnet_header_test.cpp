// SPDX-License-Identifier: BSD-3-Clause
// What the kernel may put before a frame, and what is refused.
#include "ports/tap/vnet_header.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace lfn {

namespace {

std::vector<std::uint8_t> message_of(const VnetHeader& header, std::size_t frame_octets = 100) {
    std::vector<std::uint8_t> message(vnet_header_octets + frame_octets);
    std::memcpy(message.data(), &header, sizeof(header));
    return message;
}

TEST(VnetHeader, a_plain_frame_is_to_be_checked) {
    const auto message = message_of({});
    const auto received = parse_vnet(message);
    ASSERT_TRUE(received);
    EXPECT_EQ(received->frame.data(), message.data() + 10);
    EXPECT_EQ(received->frame.size(), 100U);
    EXPECT_FALSE(received->verified);
    EXPECT_EQ(received->gso_size, 0);
}

TEST(VnetHeader, a_checked_or_an_open_checksum_is_verified) {
    EXPECT_TRUE(parse_vnet(message_of({.flags = vnet_data_valid}))->verified);
    EXPECT_TRUE(parse_vnet(message_of({.flags = vnet_needs_csum, .csum_start = 34, .csum_offset = 16}))->verified);
}

TEST(VnetHeader, a_checksum_outside_of_the_frame_is_refused) {
    VnetHeader header{.flags = vnet_needs_csum, .csum_start = 82, .csum_offset = 16};
    EXPECT_TRUE(parse_vnet(message_of(header)));
    ++header.csum_start;
    EXPECT_FALSE(parse_vnet(message_of(header)));
    header = {.flags = vnet_needs_csum, .csum_start = 0xffff, .csum_offset = 0xffff};
    EXPECT_FALSE(parse_vnet(message_of(header)));
}

TEST(VnetHeader, trains_of_tcp_are_taken) {
    VnetHeader header{.flags = vnet_needs_csum, .gso_size = 1448, .csum_start = 34, .csum_offset = 16};
    for (const int type : {0x01, 0x04, 0x81, 0x84}) {
        header.gso_type = static_cast<std::uint8_t>(type);
        const auto received = parse_vnet(message_of(header));
        ASSERT_TRUE(received) << type;
        EXPECT_EQ(received->gso_size, 1448);
    }
}

TEST(VnetHeader, trains_that_make_no_sense_are_refused) {
    const VnetHeader good{
        .flags = vnet_needs_csum, .gso_type = vnet_gso_tcpv4, .gso_size = 1448, .csum_start = 34, .csum_offset = 16};
    VnetHeader header = good;
    header.gso_size = 0;
    EXPECT_FALSE(parse_vnet(message_of(header)));
    header = good;
    header.flags = vnet_data_valid;
    EXPECT_FALSE(parse_vnet(message_of(header)));
    for (const int type : {2, 3, 5, 6, 0x83, 0xff}) {  // UDP's, and none
        header = good;
        header.gso_type = static_cast<std::uint8_t>(type);
        EXPECT_FALSE(parse_vnet(message_of(header))) << type;
    }
}

TEST(VnetHeader, a_message_without_a_whole_ethernet_header_is_refused) {
    const auto message = message_of({}, 14);
    EXPECT_TRUE(parse_vnet(message));
    for (std::size_t size = 0; size < message.size(); ++size) {
        EXPECT_FALSE(parse_vnet(std::span(message).first(size))) << size;
    }
}

TEST(VnetHeader, a_frame_longer_than_the_stack_counts_is_refused) {
    EXPECT_TRUE(parse_vnet(message_of({}, 65535)));
    EXPECT_FALSE(parse_vnet(message_of({}, 65536)));
}

}  // namespace

}  // namespace lfn
