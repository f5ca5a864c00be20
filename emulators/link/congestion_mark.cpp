// SPDX-License-Identifier: BSD-3-Clause
#include "emulators/link/congestion_mark.hpp"

namespace lfn {

namespace {

constexpr std::uint8_t codepoint_mask = 3;
constexpr std::uint8_t not_capable = 0;
constexpr std::uint8_t congestion_experienced = 3;
constexpr std::size_t ipv4_octets = 20, ipv6_octets = 40, ethernet_octets = 14;
constexpr std::size_t checksum_at = 10;
constexpr std::uint16_t ethertype_ipv4 = 0x0800, ethertype_ipv6 = 0x86dd;

std::uint16_t word_at(std::span<const std::uint8_t> octets, std::size_t at) {
    return static_cast<std::uint16_t>(octets[at] << 8 | octets[at + 1]);
}

// RFC 1624 3: HC' = ~(~HC + ~m + m').
std::uint16_t checksum_after(std::uint16_t checksum, std::uint16_t before, std::uint16_t after) {
    std::uint32_t sum = static_cast<std::uint16_t>(~checksum);
    sum += static_cast<std::uint16_t>(~before);
    sum += after;
    sum = (sum & 0xffff) + (sum >> 16);
    sum = (sum & 0xffff) + (sum >> 16);
    return static_cast<std::uint16_t>(~sum);
}

bool mark_ipv4(std::span<std::uint8_t> packet) {
    if (packet.size() < ipv4_octets || (packet[1] & codepoint_mask) == not_capable) return false;
    const std::uint16_t before = word_at(packet, 0);
    packet[1] |= congestion_experienced;
    const std::uint16_t checksum = checksum_after(word_at(packet, checksum_at), before, word_at(packet, 0));
    packet[checksum_at] = static_cast<std::uint8_t>(checksum >> 8);
    packet[checksum_at + 1] = static_cast<std::uint8_t>(checksum);
    return true;
}

// The traffic class lies across the first two octets; its low two bits are in the high half of the second.
bool mark_ipv6(std::span<std::uint8_t> packet) {
    if (packet.size() < ipv6_octets || (packet[1] >> 4 & codepoint_mask) == not_capable) return false;
    packet[1] |= congestion_experienced << 4;
    return true;
}

}  // namespace

bool mark_congestion(std::span<std::uint8_t> packet) {
    if (packet.empty()) return false;
    if (packet[0] >> 4 == 4) return mark_ipv4(packet);
    return packet[0] >> 4 == 6 && mark_ipv6(packet);
}

bool mark_congestion_in_frame(std::span<std::uint8_t> frame, std::size_t link_header_octets) {
    if (frame.size() <= link_header_octets) return false;
    const std::span<std::uint8_t> packet = frame.subspan(link_header_octets);
    if (link_header_octets == ethernet_octets) {
        const std::uint16_t type = word_at(frame, ethernet_octets - 2);
        const std::uint16_t wanted = packet[0] >> 4 == 6 ? ethertype_ipv6 : ethertype_ipv4;
        if (type != wanted) return false;
    }
    return mark_congestion(packet);
}

}  // namespace lfn
