// SPDX-License-Identifier: BSD-3-Clause
#include "ports/tap/tap_host.hpp"

#include <algorithm>

namespace lfn {

namespace {

// Locally administered (IEEE 802: the second bit of the first octet), different for each host of a network.
void put_hardware_address(lfn_interface& interface) {
    const std::uint32_t address = interface.address != 0 ? interface.address : load_be32(interface.ipv6_address + 12);
    const HardwareAddress chosen = {0x02,
                                    0x11,
                                    static_cast<std::uint8_t>(address >> 24),
                                    static_cast<std::uint8_t>(address >> 16),
                                    static_cast<std::uint8_t>(address >> 8),
                                    static_cast<std::uint8_t>(address)};
    std::copy(chosen.begin(), chosen.end(), interface.hardware_address);
}

}  // namespace

bool TapHost::open(const TapHostOptions& options) {
    if (!device_.open(options.tap)) return false;
    lfn_interface interface {};
    interface.kind = LFN_LINK_ETHERNET;
    interface.address = options.address;
    interface.netmask = options.prefix_length == 0 ? 0 : ~std::uint32_t{0} << (32 - options.prefix_length);
    interface.gateway = options.gateway;
    interface.has_ipv6 = options.ipv6;
    std::ranges::copy(options.ipv6_address, interface.ipv6_address);
    std::ranges::copy(options.ipv6_gateway, interface.ipv6_gateway);
    interface.mtu = device_.mtu();
    interface.checksum_offload = device_.offload();
    put_hardware_address(interface);
    port_ = std::make_unique<TapPort>(loop_, device_, options.port);
    const lfn_stack& stack = options.stack != nullptr ? *options.stack : *lfn_stack_lfn();
    host_ =
        std::make_unique<RealtimeHost>(loop_, *port_, stack, interface, random_seed(), options.defaults, options.costs);
    return true;
}

}  // namespace lfn
