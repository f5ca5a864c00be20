// SPDX-License-Identifier: BSD-3-Clause
#include "ports/cli/ip_address.hpp"

#include <arpa/inet.h>

#include "ports/cli/units.hpp"

namespace lfn::cli {

std::optional<std::uint32_t> parse_address(std::string_view text) {
    in_addr address{};
    if (inet_pton(AF_INET, std::string(text).c_str(), &address) != 1) return std::nullopt;
    return ntohl(address.s_addr);
}

std::optional<AddressWithLength> parse_address_with_length(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    const auto address = parse_address(text.substr(0, slash));
    const auto length = parse_count(text.substr(slash + 1));
    if (!address || !length || *length > 32) return std::nullopt;
    return AddressWithLength{*address, static_cast<std::uint8_t>(*length)};
}

std::optional<AddressWithPort> parse_address_with_port(std::string_view text) {
    const std::size_t colon = text.find(':');
    const auto address = parse_address(text.substr(0, colon));
    if (!address) return std::nullopt;
    if (colon == std::string_view::npos) return AddressWithPort{*address};
    const auto port = parse_count(text.substr(colon + 1));
    if (!port || *port == 0 || *port > 65535) return std::nullopt;
    return AddressWithPort{*address, static_cast<std::uint16_t>(*port)};
}

std::string format_address(std::uint32_t address) {
    const in_addr network{htonl(address)};
    char text[INET_ADDRSTRLEN] = "";
    inet_ntop(AF_INET, &network, text, sizeof(text));
    return text;
}

}  // namespace lfn::cli
