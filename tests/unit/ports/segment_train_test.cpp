// SPDX-License-Identifier: BSD-3-Clause
// Which segments leave as one message, and what the message says: checked by cutting it up again, as a card would.
#include "ports/tap/segment_train.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/unit/ports/tcp_frame.hpp"

namespace lfn {

namespace {

constexpr std::size_t frame_octets_max = 1514;

struct Message {
    VnetHeader vnet;
    std::vector<std::uint8_t> frame;
    std::size_t frames = 0;
};

class Train : public testing::Test {
protected:
    void put(const TcpFrame& segment) {
        const auto frame = octets_of(segment);
        std::copy(frame.begin(), frame.end(), queue_.begin(frame.size()));
        queue_.end();
    }
    // `count` segments of `octets` each, the last one shorter if wanted.
    void put_stream(std::size_t count, std::size_t octets, std::size_t last_octets, bool ipv6 = false) {
        TcpFrame segment{.ipv6 = ipv6};
        for (std::size_t index = 0; index < count; ++index) {
            segment.payload.assign(index + 1 < count ? octets : last_octets, static_cast<std::uint8_t>(index));
            put(segment);
            segment.seq += static_cast<std::uint32_t>(segment.payload.size());
        }
    }
    Message build() {
        Message message;
        message.frames = train_.build(queue_, true);
        std::memcpy(&message.vnet, train_.pieces()[0].iov_base, sizeof(message.vnet));
        const auto frame = train_.frame();
        message.frame.assign(frame.begin(), frame.end());
        EXPECT_EQ(message.frame.size(), train_.frame_octets());
        return message;
    }
    std::size_t frames_of_two(const TcpFrame& first, const TcpFrame& second) {
        queue_.pop(queue_.size());
        put(first);
        put(second);
        return build().frames;
    }

    TransmitQueue queue_{200, frame_octets_max, true, false};
    SegmentTrain train_;
};

// The headers of `message` before the payload of segment `index`, with what a card changes in them.
std::vector<std::uint8_t> cut(const Message& message, std::size_t index) {
    const auto view = *view_tcp(message.frame);
    const std::size_t at = index * message.vnet.gso_size;
    const std::size_t size = std::min<std::size_t>(message.vnet.gso_size, view.payload_octets - at);
    const bool last = at + size == view.payload_octets;
    const auto begin = message.frame.begin();
    std::vector<std::uint8_t> frame(begin, begin + static_cast<std::ptrdiff_t>(view.payload_offset));
    const auto payload = begin + static_cast<std::ptrdiff_t>(view.payload_offset + at);
    frame.insert(frame.end(), payload, payload + static_cast<std::ptrdiff_t>(size));
    const std::size_t packet = frame.size() - 14;
    store_be16(&frame[view.ipv6 ? 18 : 16], view.ipv6 ? packet - 40 : packet);
    if (!view.ipv6) {
        store_be16(&frame[24], 0);
        store_be16(&frame[24], internet_checksum({&frame[14], 20}));
    }
    store_be32(&frame[view.tcp_offset + 4], view.seq + static_cast<std::uint32_t>(at));
    if (!last) frame[view.tcp_offset + 13] &= static_cast<std::uint8_t>(~(tcp_flag_psh | tcp_flag_fin));
    fill_checksum(frame);
    return frame;
}

TEST_F(Train, a_stream_leaves_as_one_message_and_is_what_it_was_when_cut_again) {
    for (const bool ipv6 : {false, true}) {
        queue_.pop(queue_.size());
        put_stream(10, 1400, 33, ipv6);
        const Message message = build();
        EXPECT_EQ(message.frames, 10U);
        EXPECT_EQ(message.vnet.gso_type, ipv6 ? vnet_gso_tcpv6 : vnet_gso_tcpv4);
        EXPECT_EQ(message.vnet.gso_size, 1400);
        EXPECT_EQ(message.vnet.hdr_len, ipv6 ? 74 : 54);
        for (std::size_t index = 0; index < 10; ++index) {
            EXPECT_THAT(cut(message, index), testing::ElementsAreArray(queue_[index].octets())) << index;
        }
    }
}

// What a card adds to the seed makes the checksum right.
TEST_F(Train, the_checksum_is_left_open_with_the_pseudo_header_in_it) {
    put({.payload = {1, 2, 3}});
    Message message = build();
    EXPECT_EQ(message.frames, 1U);
    EXPECT_EQ(message.vnet.flags, vnet_needs_csum);
    EXPECT_EQ(message.vnet.gso_type, vnet_gso_none);
    EXPECT_EQ(message.vnet.csum_start, 34);
    EXPECT_EQ(message.vnet.csum_offset, 16);
    std::vector<std::uint8_t> segment(message.frame.begin() + 34, message.frame.end());
    segment.push_back(0);
    const std::uint16_t checksum = internet_checksum(segment);
    store_be16(&message.frame[50], checksum);
    EXPECT_EQ(sum_of_segment(message.frame), 0xffff);
}

TEST_F(Train, a_message_holds_no_more_than_an_ip_packet_can_say) {
    put_stream(100, 1460, 1460);
    const Message message = build();
    EXPECT_EQ(message.frames, 44U);  // (65535 - 40) / 1460
    EXPECT_LE(message.frame.size(), 65535U + 14);
}

TEST_F(Train, a_shorter_segment_ends_a_message_and_a_longer_one_begins_another) {
    const TcpFrame two{.payload = {1, 2}};
    EXPECT_EQ(frames_of_two(two, {.seq = seq_base + 2, .payload = {3}}), 2U);
    EXPECT_EQ(frames_of_two(two, {.seq = seq_base + 2, .payload = {3, 4, 5}}), 1U);
    queue_.pop(queue_.size());
    put(two);
    put({.seq = seq_base + 2, .payload = {3}});
    put({.seq = seq_base + 3, .payload = {4}});
    EXPECT_EQ(build().frames, 2U);
}

TEST_F(Train, psh_and_fin_of_the_last_are_those_of_the_message) {
    const TcpFrame first{.flags = tcp_flag_ack | tcp_flag_psh, .payload = {1}};
    EXPECT_EQ(frames_of_two(first, {.seq = seq_base + 1, .flags = tcp_flag_ack | tcp_flag_fin, .payload = {2}}), 2U);
    EXPECT_EQ(view_tcp(build().frame)->flags, tcp_flag_ack | tcp_flag_psh | tcp_flag_fin);
}

TEST_F(Train, what_differs_in_its_headers_is_a_message_of_its_own) {
    const TcpFrame first{.payload = {1}};
    const TcpFrame next{.seq = seq_base + 1, .payload = {2}};
    EXPECT_EQ(frames_of_two(first, next), 2U);
    const auto changed = [&](auto change) {
        TcpFrame other = next;
        change(other);
        return frames_of_two(first, other);
    };
    EXPECT_EQ(changed([](TcpFrame& f) { ++f.seq; }), 1U);
    EXPECT_EQ(changed([](TcpFrame& f) { ++f.ack; }), 1U);
    EXPECT_EQ(changed([](TcpFrame& f) { ++f.port; }), 1U);
    EXPECT_EQ(changed([](TcpFrame& f) { f.options = {1, 1, 1, 1}; }), 1U);
    EXPECT_EQ(changed([](TcpFrame& f) { f.ipv6 = true; }), 1U);
    EXPECT_EQ(changed([](TcpFrame& f) { f.payload.clear(); }), 1U);
    for (const int flag : {0x02, 0x04, 0x20, 0x40, 0x80}) {
        EXPECT_EQ(changed([flag](TcpFrame& f) { f.flags |= static_cast<std::uint8_t>(flag); }), 1U) << flag;
    }
    EXPECT_EQ(frames_of_two({.flags = tcp_flag_ack | tcp_flag_fin, .payload = {1}}, next), 1U);
    EXPECT_EQ(frames_of_two({.flags = tcp_flag_ack | tcp_flag_syn, .payload = {1}}, next), 1U);
    EXPECT_EQ(frames_of_two({.payload = {}}, {.payload = {2}}), 1U);
}

TEST_F(Train, every_octet_of_the_headers_counts_but_lengths_checksums_and_identification) {
    for (const bool ipv6 : {false, true}) {
        const TcpFrame first{.ipv6 = ipv6, .options = {1, 1, 1, 1}, .payload = {1, 1}};
        const auto original = octets_of(first);
        TcpFrame second = first;
        second.seq += 2;
        const auto next = octets_of(second);
        const std::size_t tcp = ipv6 ? 54 : 34;
        for (std::size_t offset = 0; offset < tcp + 24; ++offset) {
            auto other = next;
            other[offset] ^= 1;
            const auto view = view_tcp(other);
            const bool free =
                ipv6 ? offset == 18 || offset == 19 : (offset >= 16 && offset < 20) || offset == 24 || offset == 25;
            const bool checksum = offset == tcp + 16 || offset == tcp + 17;
            if (!view || free || checksum) continue;
            EXPECT_EQ(continues(*view_tcp(original), 2, *view), offset == tcp + 13 && (other[offset] & ~0x19) == 0)
                << ipv6 << " " << offset;
        }
    }
}

TEST_F(Train, without_offloads_a_frame_leaves_as_it_is) {
    put_stream(3, 100, 100);
    EXPECT_EQ(train_.build(queue_, false), 1U);
    EXPECT_EQ(train_.pieces().size(), 1U);
    EXPECT_THAT(train_.frame(), testing::ElementsAreArray(queue_[0].octets()));
}

TEST_F(Train, what_is_no_tcp_leaves_behind_an_empty_header) {
    std::fill_n(queue_.begin(60), 60, std::uint8_t{7});
    queue_.end();
    const Message message = build();
    EXPECT_EQ(message.vnet.flags, 0);
    EXPECT_EQ(message.vnet.gso_type, vnet_gso_none);
    EXPECT_EQ(message.frame.size(), 60U);
}

}  // namespace

}  // namespace lfn
