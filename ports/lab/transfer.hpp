// SPDX-License-Identifier: BSD-3-Clause
// One transfer in virtual time: two hosts, a duplex link, so many octets from one to the other, and what came of it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "emulators/link/path.hpp"
#include "lfn/stack.h"
#include "ports/lab/shared_link.hpp"

namespace lfn::lab {

struct TransferOptions {
    const LinkProfile* link = nullptr;  ///< null: t1-satellite
    std::optional<double> bit_error_rate{};
    std::optional<std::uint64_t> rate_bps{};
    std::optional<Duration> round_trip{};
    Duration jitter{};     ///< each frame's delay varies by so much either way
    bool reorder = false;  ///< and frames may overtake each other

    std::uint64_t octets = 10'000'000;
    std::uint32_t window = 224 * 1024;  ///< octets of receive window; the sender may have as much in flight
    std::uint32_t send_buffer = 0;      ///< octets; 0: twice the window
    std::uint16_t mss = 512;            ///< the interfaces' MTU less 40 octets of headers
    std::uint64_t seed = 1;

    const lfn_stack* sender = nullptr;    ///< null: lfn
    const lfn_stack* receiver = nullptr;  ///< null: lfn
    /// Settings of both ends; the windows in it are ignored.
    lfn_tcp_settings tcp{};

    /// Adds what else goes wrong to the path of the data (Path::add), before the first frame.
    std::function<void(Path& data)> impair{};

    std::string sender_capture{};    ///< file name; empty: none
    std::string receiver_capture{};  ///< file name; empty: none
    /// Virtual time without a new octet at the sink after which the transfer is given up.
    Duration patience = std::chrono::hours(1);
    /// Called now and then with the octets that have arrived; for showing progress.
    std::function<void(std::uint64_t octets, Time now)> on_progress{};
    /// The same with the packets, both ways, that have entered the link; for measuring a part of the transfer.
    std::function<void(std::uint64_t octets, std::uint64_t packets, Time now)> on_look{};
};

/// What one direction of the link did.
struct PathReport {
    Counters counters;
    std::uint64_t segments = 0;        ///< TCP segments on the line
    std::uint64_t payload_octets = 0;  ///< on the line, repeated ones included
    std::uint64_t lost_octets = 0;     ///< of payload
    std::uint64_t retransmitted_segments = 0;
    std::uint64_t retransmitted_octets = 0;
};

struct TransferReport {
    bool intact = false;  ///< every octet arrived, and the digests agree
    bool closed = false;  ///< both ends closed in good order
    std::string failure;  ///< why not, as a phrase; empty if all went well

    std::uint64_t delivered_octets = 0;
    std::string sent_digest, received_digest;
    double seconds = 0;       ///< from the first SYN to the last octet at the sink
    double goodput = 0;       ///< octets per second over that time
    double over_seconds = 0;  ///< when it had ended or was given up, to a second; 0: not known
    double ceiling = 0;       ///< what the link allows, octets per second; 0: no limit
    double efficiency() const { return ceiling > 0 ? goodput / ceiling : 0; }

    PathReport forward, backward;
    std::uint64_t packets() const { return forward.counters.in.frames + backward.counters.in.frames; }
    lfn_tcp_info sender{}, receiver{};
    /// When the sender had the most in flight: octets of it, and octets of memory that its stack then held in all. Seen
    /// once a second.
    std::uint32_t most_in_flight = 0;
    std::uint64_t memory_then = 0;
    std::uint64_t events = 0;
    /// Of a link that has any. The paths' frame counters are then of all flows, the rest of this one.
    std::vector<SharedFlowReport> competitors{};
};

/// What the link allows in the long run, octets of payload a second; 0: no limit.
double ceiling_of(const TransferOptions& options);

/// Runs it. On unusable options (a capture that cannot be written) the report has nothing but a failure.
TransferReport run_transfer(const TransferOptions& options);

}  // namespace lfn::lab
