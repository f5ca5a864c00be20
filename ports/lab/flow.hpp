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
    bool intact = false;  ///< every octet arrived, and the digests agree; of an endless flow, those that arrived do
    std::uint64_t octets = 0;                  ///< that arrived
    std::string sent_digest, received_digest;  ///< of an endless flow, both of as many octets as arrived
    double seconds = 0;                        ///< from the first SYN to the last octet
    double goodput = 0;                        ///< octets a second
    lfn_tcp_info sender{}, receiver{};
};

class Flow {
public:
    /// More than any run sends: a flow that lasts as long as the run.
    static constexpr std::uint64_t endless = std::uint64_t{1} << 62;

    /// Of no octets it is nothing, and done from the start.
    Flow(StackHost& from, StackHost& to, Loop& loop, std::uint64_t octets, std::uint64_t seed)
        : octets_(octets), seed_(seed), source_(from, loop, octets, seed), sink_(to, loop) {}

    /// False: failure() says why.
    bool start(std::uint32_t address, std::uint16_t port, const lfn_tcp_settings& source, const lfn_tcp_settings& sink);
    bool done() const;
    bool failed() const;
    bool is_endless() const { return octets_ == endless; }
    std::uint64_t arrived() const { return sink_.end().digest.octets(); }
    /// What has arrived so far is what the source sends.
    bool intact_so_far() const;
    /// As a phrase that begins with `name`; empty if the flow is done and whole, or endless and whole so far.
    std::string failure(std::string_view name) const;
    /// With what a connection that is still there says now.
    FlowReport report();

private:
    std::uint64_t octets_;
    std::uint64_t seed_;
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
