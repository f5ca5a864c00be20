// SPDX-License-Identifier: BSD-3-Clause
// IPv4 addresses as people write them; in host byte order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lfn::cli {

struct AddressWithLength {
    std::uint32_t address = 0;
    std::uint8_t prefix_length = 24;
};
struct AddressWithPort {
    std::uint32_t address = 0;
    std::uint16_t port = 0;  ///< 0: none was given
};

/// "10.0.0.2".
std::optional<std::uint32_t> parse_address(std::string_view text);
/// "10.0.0.2/24".
std::optional<AddressWithLength> parse_address_with_length(std::string_view text);
/// "10.0.0.2" or "10.0.0.2:5001".
std::optional<AddressWithPort> parse_address_with_port(std::string_view text);

std::string format_address(std::uint32_t address);

}  // namespace lfn::cli
