// SPDX-License-Identifier: BSD-3-Clause
// Frames that wait to be written to a TAP interface.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ports/tap/tcp_view.hpp"

namespace lfn {

class TransmitQueue {
public:
    struct Frame {
        std::unique_ptr<std::uint8_t[]> room;
        std::size_t size = 0;
        std::optional<TcpView> tcp;  ///< if it was looked at
        bool superseded = false;     ///< need not be sent
        std::span<const std::uint8_t> octets() const { return {room.get(), size}; }
    };

    TransmitQueue(std::size_t frames, std::size_t frame_octets_max, bool look_at_tcp, bool thin_acks);

    bool empty() const { return queued_ == 0; }
    bool full() const { return queued_ == frames_.size(); }
    std::size_t size() const { return queued_; }
    /// The one that waits longest is 0.
    const Frame& operator[](std::size_t index) const { return frames_[(first_ + index) % frames_.size()]; }

    /// Room for a frame; not when full. It joins the queue with end(), and supersedes what is in it.
    std::uint8_t* begin(std::size_t octets);
    void end();
    void pop(std::size_t frames);
    /// Sets PSH in the last data segment, if it is not set: it says to whoever merges segments that no more come now.
    void push_last();

    /// Acknowledgements superseded since the queue was made.
    std::uint64_t acks_thinned() const { return acks_thinned_; }

private:
    Frame& frame(std::size_t index) { return frames_[(first_ + index) % frames_.size()]; }
    void thin_acks(const TcpView& added);
    static bool counts(const Frame& frame);

    std::vector<Frame> frames_;  // a ring
    std::size_t first_ = 0, queued_ = 0;
    std::size_t pure_acks_ = 0;  // in the queue, not superseded
    bool look_at_tcp_, thin_acks_;
    std::uint64_t acks_thinned_ = 0;
};

}  // namespace lfn
