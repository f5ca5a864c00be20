// SPDX-License-Identifier: BSD-3-Clause
// A host behind libslirp, for ordinary users.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ports/realtime/realtime_host.hpp"
#include "ports/slirp/slirp_port.hpp"

namespace lfn {

struct SlirpHostOptions {
    std::uint16_t mtu = 1500;  ///< at most 9000: beyond, libslirp collapses (observed in 4.7)
    std::vector<SlirpForward> forwards;
    const lfn_stack* stack = nullptr;            ///< null: lfn
    const lfn_tcp_settings* defaults = nullptr;  ///< windows of a stack that has no settings per connection
};

class SlirpHost {
public:
    explicit SlirpHost(RealtimeLoop& loop) : loop_(loop), port_(loop) {}

    /// On failure returns false, and error() has a sentence with the reason and the remedy.
    bool open(const SlirpHostOptions& options);
    const std::string& error() const { return port_.error(); }

    /// Needs an open host.
    RealtimeHost& host() { return *host_; }
    SlirpPort& port() { return port_; }

private:
    RealtimeLoop& loop_;
    SlirpPort port_;
    std::unique_ptr<RealtimeHost> host_;
};

}  // namespace lfn
