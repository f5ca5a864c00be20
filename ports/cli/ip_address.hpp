// SPDX-License-Identifier: BSD-3-Clause
// IP addresses as people write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ports/realtime/ip_address.hpp"

namespace lfn::cli {

struct AddressWithLength {
    IpAddress address;
    std::uint8_t prefix_length = 24;
};
struct AddressWithPort {
    IpAddress address;
    std::uint16_t port = 0;  ///< 0: none was given
};

/// "10.0.0.2", "fd00::2".
std::optional<IpAddress> parse_address(std::string_view text);
/// "10.0.0.2/24", "fd00::2/64".
std::optional<AddressWithLength> parse_address_with_length(std::string_view text);
/// "10.0.0.2" or "10.0.0.2:5001", "fd00::2" or "[fd00::2]:5001".
std::optional<AddressWithPort> parse_address_with_port(std::string_view text);

std::string format_address(const IpAddress& address);

}  // namespace lfn::cli
