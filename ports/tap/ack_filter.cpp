// SPDX-License-Identifier: BSD-3-Clause
#include "ports/tap/ack_filter.hpp"

#include <algorithm>

#include "ports/tap/tap_device.hpp"

namespace lfn {

namespace {

constexpr std::size_t ip_header_octets = 20;  // without options, as every stack of ours sends them
constexpr std::size_t tcp_header_octets = 20;
constexpr std::uint8_t flag_ack = 0x10;  // ECE and CWR, too, make an acknowledgement more than that

std::uint32_t be16(const std::uint8_t* octets) {
    return static_cast<std::uint32_t>(octets[0] << 8 | octets[1]);
}
std::uint32_t be32(const std::uint8_t* octets) {
    return be16(octets) << 16 | be16(octets + 2);
}

bool is_tcp_over_ipv4(std::span<const std::uint8_t> frame) {
    if (frame.size() < ethernet_header_octets + ip_header_octets + tcp_header_octets) return false;
    const std::uint8_t* ip = frame.data() + ethernet_header_octets;
    const bool fragment = (be16(ip + 6) & 0x3fff) != 0;
    return be16(frame.data() + 12) == 0x0800 && ip[0] == 0x45 && ip[9] == 6 && !fragment;
}

}  // namespace

std::optional<AckView> view_ack(std::span<const std::uint8_t> frame) {
    if (!is_tcp_over_ipv4(frame)) return std::nullopt;
    const std::uint8_t* ip = frame.data() + ethernet_header_octets;
    const std::uint8_t* tcp = ip + ip_header_octets;
    const std::size_t ip_length = be16(ip + 2);
    const std::size_t header = static_cast<std::size_t>(tcp[12] >> 4) * 4;
    if (header < tcp_header_octets || ip_length < ip_header_octets + header ||
        ip_length + ethernet_header_octets > frame.size() || (tcp[13] & flag_ack) == 0) {
        return std::nullopt;
    }
    AckView view;
    view.addresses = static_cast<std::uint64_t>(be32(ip + 12)) << 32 | be32(ip + 16);
    view.ports = be32(tcp);
    view.seq = be32(tcp + 4);
    view.ack = be32(tcp + 8);
    view.pure = tcp[13] == flag_ack && ip_length == ip_header_octets + header;
    view.options = {tcp + tcp_header_octets, header - tcp_header_octets};
    return view;
}

bool supersedes(const AckView& later, const AckView& earlier) {
    const std::uint32_t advance = later.ack - earlier.ack;
    return earlier.pure && later.addresses == earlier.addresses && later.ports == earlier.ports && advance != 0 &&
           advance < 0x80000000U && std::ranges::equal(later.options, earlier.options);
}

}  // namespace lfn
