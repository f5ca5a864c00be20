// SPDX-License-Identifier: BSD-3-Clause
#include "ports/tap/tcp_view.hpp"

#include "ports/tap/tap_device.hpp"

namespace lfn {

namespace {

constexpr std::size_t ipv4_octets = 20, ipv6_octets = 40;  // headers without options
constexpr std::size_t tcp_octets_min = 20;
constexpr std::uint8_t protocol_tcp = 6;

// Octets of the IP packet, header included; 0: not what we look for.
std::size_t packet_octets(const std::uint8_t* ip, bool ipv6) {
    if (ipv6) return ip[0] >> 4 == 6 && ip[6] == protocol_tcp ? ipv6_octets + load_be16(ip + 4) : 0;
    const bool fragment = (load_be16(ip + 6) & 0x3fff) != 0;
    return ip[0] == 0x45 && ip[9] == protocol_tcp && !fragment ? load_be16(ip + 2) : 0;
}

std::uint32_t sum_of(std::span<const std::uint8_t> octets) {
    std::uint32_t sum = 0;  // of up to 2^16 words
    for (std::size_t at = 0; at + 1 < octets.size(); at += 2) sum += load_be16(octets.data() + at);
    return sum;
}

std::uint16_t fold(std::uint32_t sum) {
    while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
    return static_cast<std::uint16_t>(sum);
}

}  // namespace

std::span<const std::uint8_t> TcpView::addresses() const {
    const std::uint8_t* ip = frame + ethernet_header_octets;
    return ipv6 ? std::span(ip + 8, 32) : std::span(ip + 12, 8);
}

std::span<const std::uint8_t> TcpView::options() const {
    return {frame + tcp_offset + tcp_octets_min, payload_offset - tcp_offset - tcp_octets_min};
}

std::optional<TcpView> view_tcp(std::span<const std::uint8_t> frame) {
    if (frame.size() < ethernet_header_octets + ipv4_octets + tcp_octets_min) return std::nullopt;
    const std::uint32_t type = load_be16(frame.data() + 12);
    if (type != 0x0800 && type != 0x86dd) return std::nullopt;
    TcpView view;
    view.frame = frame.data();
    view.ipv6 = type == 0x86dd;
    view.tcp_offset = ethernet_header_octets + (view.ipv6 ? ipv6_octets : ipv4_octets);
    if (frame.size() < view.tcp_offset + tcp_octets_min) return std::nullopt;
    const std::size_t end = ethernet_header_octets + packet_octets(frame.data() + ethernet_header_octets, view.ipv6);
    const std::uint8_t* tcp = frame.data() + view.tcp_offset;
    const std::size_t header = static_cast<std::size_t>(tcp[12] >> 4) * 4;
    view.payload_offset = view.tcp_offset + header;
    if (header < tcp_octets_min || end < view.payload_offset || end > frame.size()) return std::nullopt;
    view.payload_octets = end - view.payload_offset;
    view.seq = load_be32(tcp + 4);
    view.ack = load_be32(tcp + 8);
    view.flags = tcp[13];
    return view;
}

std::uint16_t pseudo_header_sum(const TcpView& view, std::size_t tcp_octets) {
    const auto length = static_cast<std::uint32_t>(tcp_octets);
    return fold(sum_of(view.addresses()) + (length >> 16) + (length & 0xffff) + protocol_tcp);
}

std::uint16_t internet_checksum(std::span<const std::uint8_t> octets) {
    return static_cast<std::uint16_t>(~fold(sum_of(octets)));
}

void set_psh(std::uint8_t* frame, TcpView& view) {
    if ((view.flags & tcp_flag_psh) != 0) return;
    view.flags |= tcp_flag_psh;
    std::uint8_t* tcp = frame + view.tcp_offset;
    tcp[13] = view.flags;
    // One bit was added to one word: what is summed grows by its value.
    const std::uint32_t sum = (~load_be16(tcp + 16) & 0xffff) + tcp_flag_psh;
    store_be16(tcp + 16, static_cast<std::uint16_t>(~fold(sum)));
}

}  // namespace lfn
