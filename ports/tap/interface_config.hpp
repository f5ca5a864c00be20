// SPDX-License-Identifier: BSD-3-Clause
// What netdevice(7) can set and tell of an interface, in the current network namespace.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>

#include "ports/realtime/ip_address.hpp"

namespace lfn {

/// Each function returns false if it failed; then error() names the interface, the reason and the remedy.
class InterfaceConfig {
public:
    explicit InterfaceConfig(std::string name);
    ~InterfaceConfig();
    InterfaceConfig(const InterfaceConfig&) = delete;
    InterfaceConfig& operator=(const InterfaceConfig&) = delete;

    bool set_mtu(std::uint16_t octets);
    bool get_mtu(std::uint16_t& octets);
    /// IPv4, host byte order.
    bool set_address(std::uint32_t address, std::uint8_t prefix_length);
    /// For good at once, without asking whether anybody has it.
    bool set_ipv6_address(const Ipv6Address& address, std::uint8_t prefix_length);
    bool get_hardware_address(std::array<std::uint8_t, 6>& address);
    /// For how long GRO may hold segments back to merge more with them; of drivers that poll (NAPI). Needs root.
    bool set_gro_timeout(std::chrono::nanoseconds timeout);
    /// Does nothing if it is up.
    bool bring_up();
    bool bring_down();

    const std::string& error() const { return error_; }

private:
    bool call(unsigned long request, void* argument, const std::string& remedy);

    std::string name_;
    int socket_ = -1;
    std::string error_;
};

}  // namespace lfn
