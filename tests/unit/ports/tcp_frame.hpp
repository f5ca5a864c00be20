// SPDX-License-Identifier: BSD-3-Clause
// TCP segments in Ethernet frames, for tests.
#pragma once

#include <cstdint>
#include <vector>

#include "ports/tap/tcp_view.hpp"

namespace lfn {

inline constexpr std::uint32_t seq_base = 0xfffffc00;  // the next segments pass 2^32

struct TcpFrame {
    bool ipv6 = false;
    std::uint32_t seq = seq_base, ack = 0xfffffff0;
    std::uint8_t flags = tcp_flag_ack;
    std::uint16_t port = 5001;
    std::vector<std::uint8_t> options{};
    std::vector<std::uint8_t> payload{};
};

inline void store_be32(std::uint8_t* octets, std::uint32_t value) {
    store_be16(octets, value >> 16);
    store_be16(octets + 2, value & 0xffff);
}

// The sum over a whole segment and its pseudo-header, folded: 0xffff if its checksum is right.
inline std::uint16_t sum_of_segment(const std::vector<std::uint8_t>& frame) {
    const auto view = view_tcp(frame);
    std::size_t size = view->payload_offset - view->tcp_offset + view->payload_octets;
    std::uint32_t sum = pseudo_header_sum(*view, size);
    std::vector<std::uint8_t> segment(frame.begin() + static_cast<std::ptrdiff_t>(view->tcp_offset),
                                      frame.begin() + static_cast<std::ptrdiff_t>(view->tcp_offset + size));
    if (size % 2 != 0) segment.push_back(0);
    for (std::size_t at = 0; at < segment.size(); at += 2) sum += load_be16(segment.data() + at);
    while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
    return static_cast<std::uint16_t>(sum);
}

inline void fill_checksum(std::vector<std::uint8_t>& frame) {
    std::uint8_t* checksum = frame.data() + view_tcp(frame)->tcp_offset + 16;
    store_be16(checksum, 0);
    store_be16(checksum, static_cast<std::uint16_t>(~sum_of_segment(frame)));
}

inline std::vector<std::uint8_t> octets_of(const TcpFrame& segment) {
    const std::size_t ip = segment.ipv6 ? 40 : 20;
    const std::size_t tcp = 20 + segment.options.size();
    std::vector<std::uint8_t> frame(14 + ip + tcp);
    store_be16(&frame[12], segment.ipv6 ? 0x86dd : 0x0800);
    std::uint8_t* header = &frame[14];
    const std::size_t length = tcp + segment.payload.size();
    if (segment.ipv6) {
        header[0] = 0x60;
        store_be16(header + 4, length);
        header[6] = 6;
        for (std::uint8_t i = 0; i < 32; ++i) header[8 + i] = static_cast<std::uint8_t>(0x20 + i);
    } else {
        header[0] = 0x45;
        store_be16(header + 2, ip + length);
        header[8] = 64;
        header[9] = 6;
        for (std::uint8_t i = 0; i < 8; ++i) header[12 + i] = static_cast<std::uint8_t>(10 + i);
        store_be16(header + 10, internet_checksum({header, 20}));
    }
    header += ip;
    store_be16(header, segment.port);
    store_be16(header + 2, 7);
    store_be32(header + 4, segment.seq);
    store_be32(header + 8, segment.ack);
    header[12] = static_cast<std::uint8_t>(tcp / 4 << 4);
    header[13] = segment.flags;
    store_be16(header + 14, 1000);
    std::copy(segment.options.begin(), segment.options.end(), header + 20);
    frame.insert(frame.end(), segment.payload.begin(), segment.payload.end());
    fill_checksum(frame);
    return frame;
}

}  // namespace lfn
