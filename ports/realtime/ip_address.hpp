// SPDX-License-Identifier: BSD-3-Clause
// An IP address of either family.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace lfn {

/// In network order, as people write it.
using Ipv6Address = std::array<std::uint8_t, 16>;

inline bool is_unspecified(const Ipv6Address& address) {
    return std::ranges::all_of(address, [](std::uint8_t octet) { return octet == 0; });
}

struct IpAddress {
    IpAddress() = default;
    /// In host byte order.
    IpAddress(std::uint32_t address) : ipv4(address) {}  // NOLINT(google-explicit-constructor): it is an address
    IpAddress(const Ipv6Address& address) : is_ipv6(true), ipv6(address) {}  // NOLINT(google-explicit-constructor)

    bool is_ipv6 = false;
    std::uint32_t ipv4 = 0;
    Ipv6Address ipv6{};

    bool operator==(const IpAddress&) const = default;
};

}  // namespace lfn
