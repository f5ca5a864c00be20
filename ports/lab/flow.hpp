// SPDX-License-Identifier: BSD-3-Clause
// A flow: so many octets from one host to another over one connection, and what came of it; and the watch over a run in
// which flows move.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "ports/lab/workload.hpp"

namespace lfn::lab {

struct FlowReport {
    bool intact = false;       ///< every octet arrived, and the digests agree
    std::uint64_t octets = 0;  ///< that arrived
    std::string sent_digest, received_digest;
    double seconds = 0;  ///< from the first SYN to the last octet
    double goodput = 0;  ///< octets a second
    lfn_tcp_info sender{}, receiver{};
};

class Flow {
public:
    /// Of no octets it is nothing, and done from the start.
    Flow(StackHost& from, StackHost& to, Loop& loop, std::uint64_t octets, std::uint64_t seed)
        : octets_(octets), source_(from, loop, octets, seed), sink_(to, loop) {}

    /// False: failure() says why.
    bool start(std::uint32_t address, std::uint16_t port, const lfn_tcp_settings& source, const lfn_tcp_settings& sink);
    bool done() const;
    bool failed() const;
    std::uint64_t arrived() const { return sink_.end().digest.octets(); }
    /// As a phrase that begins with `name`; empty if the flow is done and whole.
    std::string failure(std::string_view name) const;
    /// With what a connection that is still there says now.
    FlowReport report();

private:
    std::uint64_t octets_;
    Source source_;
    Sink sink_;
};

/// Looks at a run every so often and stops the loop when it is over, or has not moved for too long.
class Watch {
public:
    struct Config {
        Duration interval = std::chrono::milliseconds(250);
        Duration patience = std::chrono::minutes(20);
        std::function<std::uint64_t()> arrived;  ///< octets so far
        std::function<bool()> over;
        std::function<void(std::uint64_t octets, Time now)> on_look{};  ///< may be empty
    };
    Watch(Loop& loop, Config config);
    void start();

private:
    void look();

    Loop& loop_;
    Config config_;
    Timer timer_;
    std::uint64_t last_arrived_ = 0;
    Time last_moved_{};
};

}  // namespace lfn::lab
