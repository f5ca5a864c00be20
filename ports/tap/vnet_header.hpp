// SPDX-License-Identifier: BSD-3-Clause
// The header that stands before each frame on a TAP interface with offloads (IFF_VNET_HDR): what the kernel leaves to a
// network card, and what it takes for granted. Source: Virtual I/O Device 1.2, 5.1.6 (legacy form, ten octets in the
// machine's byte order); Linux, include/uapi/linux/virtio_net.h, which is no C++.
//
// One header for several segments: the frame is a train of them, up to 64 KB, cut at `gso_size` octets of payload.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace lfn {

struct VnetHeader {
    std::uint8_t flags = 0;
    std::uint8_t gso_type = 0;
    std::uint16_t hdr_len = 0;      ///< of all headers; a hint
    std::uint16_t gso_size = 0;     ///< octets of payload in a segment
    std::uint16_t csum_start = 0;   ///< where the sum begins, in the frame
    std::uint16_t csum_offset = 0;  ///< where it goes, from there
};
inline constexpr std::size_t vnet_header_octets = sizeof(VnetHeader);
static_assert(vnet_header_octets == 10);

// flags
inline constexpr std::uint8_t vnet_needs_csum = 1;  ///< the checksum is to be completed
inline constexpr std::uint8_t vnet_data_valid = 2;  ///< it has been checked
// gso_type
inline constexpr std::uint8_t vnet_gso_none = 0, vnet_gso_tcpv4 = 1, vnet_gso_tcpv6 = 4;
inline constexpr std::uint8_t vnet_gso_ecn = 0x80;  ///< on top of one of them: the train has CWR set

/// What came in one read: header and frame apart.
struct VnetFrame {
    std::span<const std::uint8_t> frame;
    /// The transport's checksum is right, or is not filled in because nothing has left the machine.
    bool verified = false;
    std::uint16_t gso_size = 0;  ///< octets of payload in a segment; 0: the frame is one
};

/// Takes a message from the kernel apart. Nothing if it is cut short, points outside of its frame, is of a kind that
/// was not asked for (we take TCP alone), or is longer than an IP packet can say (65535 octets with its Ethernet
/// header).
std::optional<VnetFrame> parse_vnet(std::span<const std::uint8_t> message);

}  // namespace lfn
