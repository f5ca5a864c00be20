// SPDX-License-Identifier: BSD-3-Clause
// A TCP segment in an Ethernet frame, as a network card with offloads looks at it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace lfn {

inline constexpr std::uint8_t tcp_flag_fin = 0x01, tcp_flag_syn = 0x02, tcp_flag_rst = 0x04, tcp_flag_psh = 0x08,
                              tcp_flag_ack = 0x10, tcp_flag_urg = 0x20;

/// Where things stand; the frame must outlive it. Offsets are from the frame's first octet.
struct TcpView {
    const std::uint8_t* frame = nullptr;
    bool ipv6 = false;
    std::size_t tcp_offset = 0;      ///< of TCP's header
    std::size_t payload_offset = 0;  ///< behind TCP's options
    std::size_t payload_octets = 0;  ///< as IP's length says; padding of the frame does not count
    std::uint32_t seq = 0, ack = 0;
    std::uint8_t flags = 0;

    /// Source and destination of IP: 8 or 32 octets.
    std::span<const std::uint8_t> addresses() const;
    /// Source and destination of TCP: 4 octets.
    std::span<const std::uint8_t> ports() const { return {frame + tcp_offset, 4}; }
    std::span<const std::uint8_t> options() const;
};

/// Nothing if the frame carries no TCP right behind IPv4 without options or IPv6 without extension headers, as every
/// stack of ours sends it, or is a fragment, or cut short.
std::optional<TcpView> view_tcp(std::span<const std::uint8_t> ethernet_frame);

/// The sum over TCP's pseudo-header (RFC 9293 3.1, RFC 8200 8.1) with a TCP length of `tcp_octets`, folded and not
/// inverted: what a card that completes the checksum wants to find in its place.
std::uint16_t pseudo_header_sum(const TcpView& view, std::size_t tcp_octets);

/// RFC 1071 over an even number of octets, inverted: IPv4's header checksum.
std::uint16_t internet_checksum(std::span<const std::uint8_t> octets);

/// Sets PSH in a segment whose checksum is filled in, and keeps that right (RFC 1624). `view` is of `frame`.
void set_psh(std::uint8_t* frame, TcpView& view);

inline std::uint32_t load_be16(const std::uint8_t* octets) {
    return static_cast<std::uint32_t>(octets[0] << 8 | octets[1]);
}
inline std::uint32_t load_be32(const std::uint8_t* octets) {
    return load_be16(octets) << 16 | load_be16(octets + 2);
}
inline void store_be16(std::uint8_t* octets, std::size_t value) {
    octets[0] = static_cast<std::uint8_t>(value >> 8);
    octets[1] = static_cast<std::uint8_t>(value);
}

}  // namespace lfn
