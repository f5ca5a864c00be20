// SPDX-License-Identifier: BSD-3-Clause
// Marks in the IP header that stand for a drop (explicit congestion notification, RFC 3168 5). Models the header field
// and IPv4's header checksum; knows nothing of TCP. Does not look behind VLAN tags or into tunnels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lfn {

/// Sets the codepoint CE in an IPv4 or IPv6 packet whose sender can take it (ECT(0), ECT(1), or marked already), and
/// mends IPv4's header checksum. False, and nothing is touched: it cannot, or this is no such packet.
bool mark_congestion(std::span<std::uint8_t> packet);

/// The same with a frame: `link_header_octets` in front of the packet; an Ethernet header (14) must say what follows.
bool mark_congestion_in_frame(std::span<std::uint8_t> frame, std::size_t link_header_octets);

}  // namespace lfn
