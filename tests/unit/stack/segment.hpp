// SPDX-License-Identifier: BSD-3-Clause
// A TCP segment as it is on the wire, and IPv4 packets that carry one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <ostream>
#include <span>
#include <vector>

namespace lfn::test {

using Octets = std::vector<std::uint8_t>;

// RFC 9293 3.1
namespace flag {
inline constexpr std::uint8_t fin = 0x01;
inline constexpr std::uint8_t syn = 0x02;
inline constexpr std::uint8_t rst = 0x04;
inline constexpr std::uint8_t psh = 0x08;
inline constexpr std::uint8_t ack = 0x10;
inline constexpr std::uint8_t ece = 0x40;  // RFC 3168 6.1
inline constexpr std::uint8_t cwr = 0x80;
}  // namespace flag

namespace kind {
inline constexpr std::uint8_t end = 0;
inline constexpr std::uint8_t nop = 1;
inline constexpr std::uint8_t mss = 2;
inline constexpr std::uint8_t window_scale = 3;
inline constexpr std::uint8_t sack_permitted = 4;
inline constexpr std::uint8_t sack = 5;
inline constexpr std::uint8_t timestamps = 8;
}  // namespace kind

struct Segment {
    std::uint16_t source_port = 0;
    std::uint16_t destination_port = 0;
    std::uint32_t seq = 0;
    std::uint32_t ack = 0;
    std::uint8_t flags = 0;
    std::uint16_t window = 0;  // as in the header: not scaled
    Octets options{};          // sent as they are, padded to four octets with zeros
    Octets payload{};
    std::uint8_t tos = 0;  // of the IP header

    bool has(std::uint8_t some_flag) const { return (flags & some_flag) != 0; }
    // Sequence numbers that the segment takes up.
    std::uint32_t sequence_length() const;
    // The value octets (without kind and length) of the first option of this kind.
    std::optional<Octets> option(std::uint8_t option_kind) const;
};

std::ostream& operator<<(std::ostream& out, const Segment& segment);

// IPv4 addresses as numbers: 10.0.0.1 is 0x0a000001.
struct Path {
    std::uint32_t source;
    std::uint32_t destination;
};

// An IPv4 packet (20-octet header) with the segment in it, checksums set.
Octets encode(const Path& path, const Segment& segment);

// Nothing if it is no whole IPv4 packet with a TCP segment in it, or if a checksum is wrong.
std::optional<Segment> decode(std::span<const std::uint8_t> packet);

// Options, ready to be put after one another.
Octets mss_option(std::uint16_t mss);
Octets window_scale_option(std::uint8_t shift);
Octets timestamps_option(std::uint32_t value, std::uint32_t echo);
Octets join(std::initializer_list<Octets> parts);

}  // namespace lfn::test
