// SPDX-License-Identifier: BSD-3-Clause
#include "ports/slirp/slirp_host.hpp"

#include <algorithm>
#include <array>

namespace lfn {

bool SlirpHost::open(const SlirpHostOptions& options) {
    if (!port_.open(options.mtu, options.forwards)) return false;
    lfn_interface interface {};
    interface.kind = LFN_LINK_ETHERNET;
    interface.address = slirp_guest_address;
    interface.netmask = ~std::uint32_t{0} << (32 - slirp_prefix_length);
    interface.gateway = slirp_host_address;
    interface.mtu = options.mtu;
    // Locally administered (IEEE 802: the second bit of the first octet).
    constexpr std::array<std::uint8_t, 6> hardware_address = {0x02, 0x11, 0x0a, 0x00, 0x02, 0x0f};
    std::ranges::copy(hardware_address, interface.hardware_address);
    const lfn_stack& stack = options.stack != nullptr ? *options.stack : *lfn_stack_lfn();
    host_ = std::make_unique<RealtimeHost>(loop_, port_, stack, interface, random_seed(), options.defaults);
    return true;
}

}  // namespace lfn
