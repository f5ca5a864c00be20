// SPDX-License-Identifier: BSD-3-Clause
#include "ports/cli/ip_address.hpp"

#include <arpa/inet.h>

#include "ports/cli/units.hpp"

namespace lfn::cli {

namespace {

std::optional<std::uint16_t> parse_port(std::string_view text) {
    const auto port = parse_count(text);
    if (!port || *port == 0 || *port > 65535) return std::nullopt;
    return static_cast<std::uint16_t>(*port);
}

// What stands in brackets, and what behind them.
std::optional<AddressWithPort> parse_bracketed(std::string_view text) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    const auto address = parse_address(text.substr(1, end - 1));
    if (!address || !address->is_ipv6) return std::nullopt;
    const std::string_view rest = text.substr(end + 1);
    if (rest.empty()) return AddressWithPort{*address};
    const auto port = rest.front() == ':' ? parse_port(rest.substr(1)) : std::nullopt;
    if (!port) return std::nullopt;
    return AddressWithPort{*address, *port};
}

}  // namespace

std::optional<IpAddress> parse_address(std::string_view text) {
    in_addr ipv4{};
    if (inet_pton(AF_INET, std::string(text).c_str(), &ipv4) == 1) return IpAddress(ntohl(ipv4.s_addr));
    Ipv6Address ipv6{};
    if (inet_pton(AF_INET6, std::string(text).c_str(), ipv6.data()) == 1) return IpAddress(ipv6);
    return std::nullopt;
}

std::optional<AddressWithLength> parse_address_with_length(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    const auto address = parse_address(text.substr(0, slash));
    const auto length = parse_count(text.substr(slash + 1));
    if (!address || !length || *length > (address->is_ipv6 ? 128U : 32U)) return std::nullopt;
    return AddressWithLength{*address, static_cast<std::uint8_t>(*length)};
}

std::optional<AddressWithPort> parse_address_with_port(std::string_view text) {
    if (text.starts_with('[')) return parse_bracketed(text);
    if (const auto address = parse_address(text)) return AddressWithPort{*address};
    const std::size_t colon = text.find(':');
    const auto address = parse_address(text.substr(0, colon));
    if (!address || colon == std::string_view::npos) return std::nullopt;
    const auto port = parse_port(text.substr(colon + 1));
    if (!port) return std::nullopt;
    return AddressWithPort{*address, *port};
}

std::string format_address(const IpAddress& address) {
    char text[INET6_ADDRSTRLEN] = "";
    const in_addr ipv4{htonl(address.ipv4)};
    const void* octets = address.is_ipv6 ? static_cast<const void*>(address.ipv6.data()) : &ipv4;
    inet_ntop(address.is_ipv6 ? AF_INET6 : AF_INET, octets, text, sizeof(text));
    return text;
}

}  // namespace lfn::cli
