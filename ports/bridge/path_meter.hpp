// SPDX-License-Identifier: BSD-3-Clause
// How well a path keeps its profile in real time: by the clock, when each frame came in and went out, whatever the
// loop's own time says.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "emulators/link/stage.hpp"
#include "ports/realtime/realtime_loop.hpp"

namespace lfn {

/// Of a sample of durations; zeros if it is empty.
struct Percentiles {
    std::uint64_t count = 0;  ///< of what the sample was taken from
    Duration p1{}, p50{}, p99{}, max{};
};
/// By nearest rank. Sorts the sample.
Percentiles percentiles_of(std::vector<std::int64_t>& sample_ns);

/// Watches one path that keeps the order of its frames. In front of the line it sees frames come (arrived()), behind
/// the line and behind the delay it is an observer.
class PathMeter {
public:
    /// `overhead_octets`: per frame on the line.
    PathMeter(const RealtimeLoop& loop, std::size_t overhead_octets);

    /// A frame is about to be handed to the transmitter.
    void arrived(const Frame& frame);
    FrameObserver& at_line_end() { return line_end_; }
    FrameObserver& at_receiver() { return receiver_; }

    /// From the end of a frame's time on the line, as it should have been, to its delivery: the delay that was kept.
    Percentiles delay() const;
    /// Bits per second over all the time in which the line was busy frame upon frame; 0: it never was.
    double rate_bps() const;
    /// Seconds of that time.
    double busy_seconds() const { return seconds_of(busy_); }

private:
    struct LineEnd final : FrameObserver {
        explicit LineEnd(PathMeter& owner) : meter(owner) {}
        void observe(Time time, const Frame& frame) override { meter.left_line(time, frame); }
        PathMeter& meter;
    };
    struct Receiver final : FrameObserver {
        explicit Receiver(PathMeter& owner) : meter(owner) {}
        void observe(Time, const Frame& frame) override { meter.delivered(frame); }
        PathMeter& meter;
    };
    struct Passing {
        std::uint64_t serial;
        Time arrived;   // by the clock
        Duration line;  // waiting and on the line, as emulated
    };

    void left_line(Time loop_time, const Frame& frame);
    void delivered(const Frame& frame);

    const RealtimeLoop& loop_;
    std::size_t overhead_octets_;
    LineEnd line_end_{*this};
    Receiver receiver_{*this};
    std::deque<Passing> passing_;  // frames that have come and are not known to be gone
    void keep(Duration delay);
    std::vector<std::int64_t> delays_ns_;  // of every stride-th frame, so that a bridge may run for ever
    std::uint64_t delivered_ = 0, stride_ = 1;
    Time line_end_loop_{}, line_end_real_{};  // of the frame before
    bool any_left_ = false;
    Duration busy_{};
    std::uint64_t busy_octets_ = 0;
};

}  // namespace lfn
