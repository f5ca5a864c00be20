// SPDX-License-Identifier: BSD-3-Clause
// Several flows that share one link: each between two hosts of its own, all through the same drop-tail queue, as behind
// a router. For what one flow leaves to another.
//
//   sender - access line -\                                 /- receiver
//   sender - access line --> queue, line, delay (the link) --- receiver      and the same way back for ACKs
//
// An access line is ten times as fast as the link (chosen: it never is the bottleneck) and pushes back on its host; the
// link's queue is a router's and drops.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "emulators/link/path.hpp"
#include "lfn/stack.h"
#include "ports/lab/flow.hpp"
#include "ports/lab/odometer.hpp"

namespace lfn::lab {

struct SharedFlowOptions {
    const lfn_stack* sender = nullptr;    ///< null: lfn
    const lfn_stack* receiver = nullptr;  ///< null: lfn
    lfn_tcp_settings tcp{};  ///< of both ends; the windows in it are ignored. As it is, all off: lwIP's NewReno.
    std::uint32_t window = 1 << 20;        ///< octets of receive window; the send buffer is twice as much
    std::uint64_t octets = Flow::endless;  ///< endless: as long as the run lasts
    Duration start{};                      ///< after the begin of the run
    /// Each sees what that host sends and what reaches it, as a capture does; null: nobody. Sender's, receiver's.
    std::array<FrameObserver*, 2> observers{};
};

struct SharedLinkOptions {
    const LinkProfile* link = nullptr;  ///< null: geo-10m
    std::optional<double> bit_error_rate{};
    std::optional<std::uint64_t> rate_bps{};  ///< must not be unlimited
    std::optional<Duration> round_trip{};
    Duration jitter{};             ///< each frame's delay varies by so much either way
    bool reorder = false;          ///< and frames may overtake each other
    std::size_t queue_frames = 0;  ///< of the link, each way; 0: rate x round trip, at least 10
    std::size_t mark_frames = 0;   ///< as in TransmitterOptions; 0: the link's
    std::uint16_t mss = 1460;
    std::uint64_t seed = 1;
    std::vector<SharedFlowOptions> flows;  ///< at most 100

    /// Goodput is measured from `warm_up` to the end: `duration` after it, or if that is nothing when all flows that
    /// end have ended.
    Duration warm_up{};
    Duration duration{};
    Duration patience = std::chrono::minutes(30);  ///< without an octet of any flow that ends
    std::function<void(std::uint64_t octets, Time now)> on_progress{};
};

struct SharedFlowReport : FlowReport {
    /// Octets that arrived while it was measured, a second. (`goodput` is over the flow's own life.)
    double measured_goodput = 0;
    double share = 0;                   ///< of all flows' measured goodput
    Odometer sent{}, received{};        ///< the data: from the sender, and at the receiver
    Odometer sent_back, received_back;  ///< the acknowledgements: from the receiver, and at the sender
    /// Sent and not arrived: dropped by the queue, or damaged, or still under way.
    std::uint64_t lost_segments() const { return sent.segments() - received.segments(); }
};

struct SharedLinkReport {
    std::string failure;  ///< as a phrase; empty if all went well
    std::vector<SharedFlowReport> flows;
    Counters forward, backward;  ///< of the link
    double measured_seconds = 0;
    double utilisation = 0;  ///< of the link's rate, by payload that arrived while it was measured
    double fairness = 0;     ///< Jain's index: 1 if all have the same, 1/n if one has all
    std::uint64_t events = 0;
};

SharedLinkReport run_shared_link(const SharedLinkOptions& options);

}  // namespace lfn::lab
