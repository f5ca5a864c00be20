// SPDX-License-Identifier: BSD-3-Clause
// Where TCP stands in a frame, and what is not taken for TCP.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>

#include "tests/unit/ports/tcp_frame.hpp"

namespace lfn {

namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

const std::vector<std::uint8_t> nak = {65, 7, 1, 2, 3, 4, 5, 1};

TEST(TcpView, fields_are_found_over_both_families) {
    for (const bool ipv6 : {false, true}) {
        const auto frame = octets_of({.ipv6 = ipv6, .options = nak, .payload = {1, 2, 3}});
        const auto view = view_tcp(frame);
        ASSERT_TRUE(view);
        EXPECT_EQ(view->ipv6, ipv6);
        EXPECT_EQ(view->seq, seq_base);
        EXPECT_EQ(view->ack, 0xfffffff0U);
        EXPECT_EQ(view->flags, tcp_flag_ack);
        EXPECT_EQ(view->payload_octets, 3U);
        EXPECT_EQ(frame[view->payload_offset], 1);
        EXPECT_EQ(view->addresses().size(), ipv6 ? 32U : 8U);
        EXPECT_THAT(view->ports(), ElementsAre(0x13, 0x89, 0, 7));
        EXPECT_THAT(view->options(), ElementsAreArray(nak));
    }
}

TEST(TcpView, padding_of_the_frame_is_no_payload) {
    auto frame = octets_of({});
    frame.resize(64);
    EXPECT_EQ(view_tcp(frame)->payload_octets, 0U);
}

TEST(TcpView, a_frame_that_is_cut_is_not_looked_at) {
    for (const bool ipv6 : {false, true}) {
        const auto frame = octets_of({.ipv6 = ipv6, .options = nak, .payload = {1}});
        for (std::size_t size = 0; size < frame.size(); ++size) {
            EXPECT_FALSE(view_tcp(std::span(frame).first(size))) << size;
        }
    }
}

TEST(TcpView, what_is_no_plain_tcp_is_not_looked_at) {
    using Spoiling = std::pair<std::size_t, std::uint8_t>;
    for (const auto& [offset, value] :
         std::initializer_list<Spoiling>{{12, 0x86}, {14, 0x46}, {23, 17}, {20, 0x20}, {46, 0x40}, {46, 0x60}}) {
        auto frame = octets_of({});
        frame[offset] = value;
        EXPECT_FALSE(view_tcp(frame)) << offset;
    }
    // Another version, an extension header, a length beyond the frame, data offsets before and behind the options.
    for (const auto& [offset, value] :
         std::initializer_list<Spoiling>{{14, 0x45}, {20, 0}, {18, 1}, {66, 0x40}, {66, 0x60}}) {
        auto frame = octets_of({.ipv6 = true});
        frame[offset] = value;
        EXPECT_FALSE(view_tcp(frame)) << offset;
    }
}

TEST(TcpView, psh_is_set_and_the_checksum_stays_right) {
    for (int seed = 0; seed < 256; ++seed) {
        auto frame = octets_of({.seq = static_cast<std::uint32_t>(seed) * 0x01234567, .payload = {7, 8, 9}});
        auto view = view_tcp(frame);
        set_psh(frame.data(), *view);
        EXPECT_EQ(view_tcp(frame)->flags, tcp_flag_ack | tcp_flag_psh);
        EXPECT_EQ(sum_of_segment(frame), 0xffff);
    }
}

}  // namespace

}  // namespace lfn
