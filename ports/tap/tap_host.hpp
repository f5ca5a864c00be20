// SPDX-License-Identifier: BSD-3-Clause
// A host on a TAP interface: the kernel and it are the two ends of an Ethernet.
#pragma once

#include <memory>
#include <string>

#include "ports/realtime/realtime_host.hpp"
#include "ports/tap/tap_port.hpp"

namespace lfn {

struct TapHostOptions {
    TapOptions tap;
    TapPortOptions port;
    std::uint32_t address = 0;  ///< IPv4, host byte order; 0: none
    std::uint8_t prefix_length = 24;
    std::uint32_t gateway = 0;                   ///< 0: none
    bool ipv6 = false;                           ///< speaks IPv6, with a link-local address at least
    Ipv6Address ipv6_address{};                  ///< of a network of 64 bits; all zero: none
    Ipv6Address ipv6_gateway{};                  ///< all zero: none
    const lfn_stack* stack = nullptr;            ///< null: lfn
    const lfn_tcp_settings* defaults = nullptr;  ///< windows of a stack that has no settings per connection
    lfn_stack_costs* costs = nullptr;            ///< for benchmarks
};

class TapHost {
public:
    explicit TapHost(RealtimeLoop& loop) : loop_(loop) {}

    /// On failure returns false, and error() has a sentence with the reason and the remedy.
    bool open(const TapHostOptions& options);
    const std::string& error() const { return device_.error(); }

    /// These need an open host.
    RealtimeHost& host() { return *host_; }
    TapPort& port() { return *port_; }
    const TapDevice& device() const { return device_; }
    TapDevice& device() { return device_; }
    const std::string& host_failure() const { return host_->failure(); }

private:
    RealtimeLoop& loop_;
    TapDevice device_;
    std::unique_ptr<TapPort> port_;
    std::unique_ptr<RealtimeHost> host_;
};

}  // namespace lfn
