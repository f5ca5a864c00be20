// SPDX-License-Identifier: BSD-3-Clause
// What a gateway does to an IPv4 datagram that passes it (RFC 791, RFC 1812 5.2 and 5.3.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace lfn::lab {

/// Octets of the datagram at the head of `frame`, padding behind it left out; nothing if it is none, or its header
/// checksum is wrong.
std::optional<std::size_t> ipv4_octets(std::span<const std::uint8_t> frame);

/// Host byte order. Only of what ipv4_octets() has found sound.
std::uint32_t ipv4_destination(std::span<const std::uint8_t> datagram);

/// One hop less to live, and the header checksum with it (RFC 1624). False, and nothing changed, if it may go no
/// further.
bool ipv4_pass_hop(std::span<std::uint8_t> datagram);

}  // namespace lfn::lab
