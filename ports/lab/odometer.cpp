// SPDX-License-Identifier: BSD-3-Clause
#include "ports/lab/odometer.hpp"

namespace lfn::lab {

namespace {

constexpr std::uint8_t protocol_tcp = 6;
constexpr std::uint8_t flag_fin = 0x01;
constexpr std::uint8_t flag_syn = 0x02;

std::uint32_t octets32(const std::uint8_t* at) {
    return static_cast<std::uint32_t>(at[0]) << 24 | static_cast<std::uint32_t>(at[1]) << 16 |
           static_cast<std::uint32_t>(at[2]) << 8 | at[3];
}

// SYN and FIN take up one sequence number each.
std::uint32_t sequence_flags(std::uint8_t flags) {
    return ((flags & flag_syn) != 0 ? 1U : 0U) + ((flags & flag_fin) != 0 ? 1U : 0U);
}

bool before(std::uint32_t left, std::uint32_t right) {
    return static_cast<std::int32_t>(left - right) < 0;
}

}  // namespace

std::optional<SegmentView> view_segment(std::span<const std::uint8_t> datagram) {
    if (datagram.size() < 20 || datagram[0] >> 4 != 4 || datagram[9] != protocol_tcp) return std::nullopt;
    const std::size_t ip_header = (datagram[0] & 0x0fU) * 4U;
    const std::size_t total = static_cast<std::size_t>(datagram[2]) << 8 | datagram[3];
    if (ip_header < 20 || total > datagram.size() || total < ip_header + 20) return std::nullopt;
    const std::uint8_t* tcp = datagram.data() + ip_header;
    const std::size_t tcp_header = (tcp[12] >> 4) * 4U;
    if (tcp_header < 20 || total < ip_header + tcp_header) return std::nullopt;
    return SegmentView{octets32(tcp + 4), tcp[13], static_cast<std::uint32_t>(total - ip_header - tcp_header)};
}

void Odometer::count(std::span<const std::uint8_t> datagram) {
    const auto segment = view_segment(datagram);
    if (!segment) return;
    ++segments_;
    payload_octets_ += segment->payload_octets;
    const std::uint32_t length = segment->payload_octets + sequence_flags(segment->flags);
    if (length == 0) return;
    if (next_ && before(segment->seq, *next_)) {
        ++retransmitted_segments_;
        retransmitted_octets_ += segment->payload_octets;
    }
    const std::uint32_t end = segment->seq + length;
    if (!next_ || before(*next_, end)) next_ = end;
}

}  // namespace lfn::lab
