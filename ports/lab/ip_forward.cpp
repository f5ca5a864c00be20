// SPDX-License-Identifier: BSD-3-Clause
#include "ports/lab/ip_forward.hpp"

namespace lfn::lab {

namespace {

constexpr std::size_t shortest_header = 20;
constexpr std::size_t total_length_at = 2;
constexpr std::size_t time_to_live_at = 8;
constexpr std::size_t checksum_at = 10;
constexpr std::size_t destination_at = 16;

unsigned get16(std::span<const std::uint8_t> octets, std::size_t at) {
    return static_cast<unsigned>(octets[at] << 8 | octets[at + 1]);
}

// Of 16-bit words, ones' complement; all ones over a header whose checksum is right.
unsigned sum_of(std::span<const std::uint8_t> header) {
    std::uint32_t sum = 0;
    for (std::size_t at = 0; at + 1 < header.size(); at += 2) sum += get16(header, at);
    while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
    return sum;
}

}  // namespace

std::optional<std::size_t> ipv4_octets(std::span<const std::uint8_t> frame) {
    if (frame.size() < shortest_header || frame[0] >> 4 != 4) return std::nullopt;
    const std::size_t header = (frame[0] & 0x0fU) * std::size_t{4};
    const std::size_t total = get16(frame, total_length_at);
    if (header < shortest_header || total < header || total > frame.size()) return std::nullopt;
    if (sum_of(frame.first(header)) != 0xffff) return std::nullopt;
    return total;
}

std::uint32_t ipv4_destination(std::span<const std::uint8_t> datagram) {
    return static_cast<std::uint32_t>(get16(datagram, destination_at)) << 16 | get16(datagram, destination_at + 2);
}

bool ipv4_pass_hop(std::span<std::uint8_t> datagram) {
    if (datagram[time_to_live_at] <= 1) return false;
    --datagram[time_to_live_at];
    // The word that holds it is 0x0100 less, so the checksum is as much more.
    const unsigned checksum = get16(datagram, checksum_at) + 0x0100;
    const unsigned folded = (checksum & 0xffff) + (checksum >> 16);
    datagram[checksum_at] = static_cast<std::uint8_t>(folded >> 8);
    datagram[checksum_at + 1] = static_cast<std::uint8_t>(folded & 0xff);
    return true;
}

}  // namespace lfn::lab
