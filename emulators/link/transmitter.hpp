// SPDX-License-Identifier: BSD-3-Clause
// A transmitter: a short queue and a line of a given bit rate, as in a network interface.
//
// The time on the line is exact: of bits / rate the part below a nanosecond is carried to the next frame for as long as
// the line stays busy, so a busy line never drifts from its rate. A frame leaves when its last bit does.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulators/link/plans.hpp"
#include "emulators/link/stage.hpp"

namespace lfn {

struct TransmitterOptions {
    /// Bits per second; 0 is unlimited: frames pass at once and nothing ever queues.
    std::uint64_t rate_bps = 0;
    /// If there is one, in place of rate_bps: a frame leaves at the rate that holds when its first bit does.
    RateSchedule rates{};
    /// Frames held at most, the one on the line included; 0 is unlimited.
    std::size_t queue_frames = 3;
    /// After a refusal on_drain() is called once no more than so many frames are held (and fewer than queue_frames):
    /// the sender is woken for two frames rather than for one, and the line still does not fall idle.
    std::size_t drain_frames = 1;
    /// Octets held at most, the frame on the line included; 0 is unlimited.
    std::size_t queue_octets = 0;
    /// Octets that the line adds to every frame (framing, checksum): they take time and are not counted.
    std::size_t overhead_octets = 0;
    /// Active queue management as RED's, of the queue as it is and evenly instead of by chance: of the frames that find
    /// so many held a part is marked, that rises from none to all at twice as many; what cannot be marked (RFC 3168 5)
    /// is dropped by accept(), and passes by offer(). 0: never.
    std::size_t mark_frames = 0;
    /// In front of the IP packet, for marks: 0, or an Ethernet header's 14.
    std::size_t link_header_octets = 0;
};

class Transmitter final : public Stage {
public:
    Transmitter(Loop& loop, const TransmitterOptions& options);

    /// Takes the frame, or returns false and leaves it with the caller: the queue is full. A full queue is what a
    /// driver turns into ERR_MEM.
    bool offer(FramePtr& frame);
    /// As offer(), but a frame that finds no room is dropped, as in a router.
    void accept(FramePtr frame) override;
    /// Called when the queue has drained after a refusal (see drain_frames); it may offer(). Once for any number of
    /// refusals.
    void on_drain(Callback callback) { on_drain_ = callback; }

    /// True if a frame of `size` octets would be taken now. An empty queue takes a frame of any size.
    bool has_room(std::size_t size) const;
    const TransmitterOptions& options() const { return options_; }

private:
    void enqueue(FramePtr frame);
    bool chosen_for_mark();
    bool mark(Frame& frame);
    void start_next();
    void on_last_bit();
    bool limited() const { return options_.rate_bps != 0 || options_.rates.any(); }
    std::uint64_t rate_now() const { return options_.rates.any() ? options_.rates.at(loop_.now()) : options_.rate_bps; }
    bool drained() const;

    Loop& loop_;
    TransmitterOptions options_;
    FrameList queue_;  // the front is on the line
    Timer last_bit_;
    Callback on_drain_;
    std::uint64_t rate_bps_ = 0;   // of the frame on the line
    std::uint64_t remainder_ = 0;  // of a nanosecond, in units of 1 / rate_bps_
    bool refused_ = false;
    std::size_t marks_due_ = 0;  // in units of 1 / mark_frames
};

}  // namespace lfn
