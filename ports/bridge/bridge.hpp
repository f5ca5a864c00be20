// SPDX-License-Identifier: BSD-3-Clause
// Two TAP interfaces joined by an emulated link, in real time: whatever sends Ethernet frames on them is at the two
// ends of a satellite path.
//
// An end may also be a port of this process instead of an interface: a stack of ours (PortPair).
//
// The Ethernet header goes over the line with the packet and counts as (part of) the profile's overhead.
//
// The profile's queue is that of an interface which holds its sender back. Ours cannot hold a remote host back, so the
// bridge queues as a router does, drops from the tail and counts that; by default it holds one bandwidth-delay product
// and never less than the profile says (rule of thumb: RFC 3439 has its history). On one machine it can: with
// WhenFull::hold a full queue, the profile's own, is not read into, and what stands at the end is held up as by the
// interface of a host at the link.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "emulators/link/path.hpp"
#include "ports/bridge/path_meter.hpp"
#include "ports/bridge/port_pair.hpp"
#include "ports/pcap/capture.hpp"
#include "ports/tap/tap_port.hpp"

namespace lfn {

enum class WhenFull : std::uint8_t { drop, hold };

struct BridgeOptions {
    TapOptions left, right;
    PairedPort* left_port = nullptr;  ///< stands in for the interface; must outlive the bridge
    PairedPort* right_port = nullptr;
    const LinkProfile* link = nullptr;  ///< null: t1-satellite
    PathOptions path;                   ///< jitter must keep the order
    WhenFull when_full = WhenFull::drop;
    std::string left_capture;  ///< file: what the left end sends and gets; empty: none
    std::string right_capture;
};

/// One direction.
struct BridgeReport {
    Counters counters;
    Percentiles delay;    ///< kept, propagation only
    double rate_bps = 0;  ///< kept, while the line was busy frame upon frame; 0: it never was
    double busy_seconds = 0;
    Duration profile_delay{};
    std::uint64_t profile_rate_bps = 0;  ///< 0: unlimited
    std::size_t queue_frames = 0;        ///< 0: unlimited
};

class Bridge {
public:
    enum Side : std::uint8_t { left, right };

    explicit Bridge(RealtimeLoop& loop) : loop_(loop) {}

    /// On failure returns false, and error() has a sentence with the reason and the remedy.
    bool open(const BridgeOptions& options);
    const std::string& error() const { return error_; }
    /// Called from the loop when an interface is gone; error() says which.
    void on_gone(Callback callback) { on_gone_ = callback; }

    /// These need an open bridge. The direction is that from `from`.
    BridgeReport report(Side from) const;
    /// Closed if the end is a port.
    const TapDevice& device(Side side) const { return ends_[side]->device; }
    const Path& path(Side from) const { return from == left ? link_->a_to_b : link_->b_to_a; }
    /// Adds impairments to what comes from `from`, before the first frame.
    Path& path(Side from) { return from == left ? link_->a_to_b : link_->b_to_a; }

    /// Writes the captures out. False: error() says why.
    bool close_captures();

private:
    // An interface or a port: what comes in goes to its path, what its peer's path delivers goes out.
    struct End final : FrameReceiver, FrameSink {
        End(Bridge& owner, std::size_t overhead_octets) : bridge(owner), meter(owner.loop_, overhead_octets) {}
        void batch_begin() override {}
        void receive(std::span<const std::uint8_t> octets) override;
        void batch_end() override {}
        void port_ready() override {}
        void port_gone(const std::string& reason) override;
        void accept(FramePtr frame) override;
        void hold_up(FramePtr frame);
        void on_drain();

        Bridge& bridge;
        TapDevice device;
        std::unique_ptr<TapPort> tap;
        PairedPort* paired = nullptr;
        FramePort* port = nullptr;  // the one or the other
        FramePtr held;              // until the transmitter has room
        std::size_t frame_octets_max = tap_frame_octets_max;
        Transmitter* transmitter = nullptr;
        PathMeter meter;  // of the path that starts here
        CaptureWriter capture;
    };

    bool open_end(Side side, const TapOptions& tap, PairedPort* port);
    bool open_captures(const BridgeOptions& options);
    void wire(Side from, Side to);

    RealtimeLoop& loop_;
    FramePool pool_{tap_frame_octets_max};
    LinkProfile profile_;
    PathOptions path_options_;
    std::array<std::unique_ptr<End>, 2> ends_;
    std::unique_ptr<DuplexLink> link_;
    WhenFull when_full_ = WhenFull::drop;
    std::string error_;
    Callback on_gone_;
};

/// The profile as the bridge uses it: overhead beyond the Ethernet header.
LinkProfile bridge_profile(const LinkProfile& profile);
/// The frames that the bridge's queue holds unless it is told otherwise.
std::size_t bridge_queue_frames(const LinkProfile& profile);

}  // namespace lfn
