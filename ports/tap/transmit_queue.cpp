// SPDX-License-Identifier: BSD-3-Clause
#include "ports/tap/transmit_queue.hpp"

#include <cassert>

#include "ports/tap/ack_filter.hpp"

namespace lfn {

TransmitQueue::TransmitQueue(std::size_t frames, std::size_t frame_octets_max, bool look_at_tcp, bool thin_acks)
    : frames_(frames), look_at_tcp_(look_at_tcp || thin_acks), thin_acks_(thin_acks) {
    for (Frame& each : frames_) each.room = std::make_unique_for_overwrite<std::uint8_t[]>(frame_octets_max);
}

std::uint8_t* TransmitQueue::begin(std::size_t octets) {
    assert(!full());
    Frame& free = frame(queued_);
    free.size = octets;
    return free.room.get();
}

void TransmitQueue::end() {
    Frame& added = frame(queued_);
    added.superseded = false;
    added.tcp = look_at_tcp_ ? view_tcp(added.octets()) : std::nullopt;
    if (thin_acks_ && added.tcp) thin_acks(*added.tcp);
    if (counts(added)) ++pure_acks_;
    ++queued_;
}

bool TransmitQueue::counts(const Frame& frame) {
    return !frame.superseded && frame.tcp && is_pure_ack(*frame.tcp);
}

void TransmitQueue::thin_acks(const TcpView& added) {
    std::size_t left = pure_acks_;
    for (std::size_t index = queued_; index-- > 0 && left > 0;) {
        Frame& earlier = frame(index);
        if (!counts(earlier)) continue;
        --left;
        if (!supersedes(added, *earlier.tcp)) continue;
        earlier.superseded = true;
        --pure_acks_;
        ++acks_thinned_;
        return;  // those before it fell when it came
    }
}

void TransmitQueue::pop(std::size_t frames) {
    assert(frames <= queued_);
    for (std::size_t index = 0; index < frames; ++index) {
        if (counts(frame(index))) --pure_acks_;
    }
    queued_ -= frames;
    first_ = queued_ == 0 ? 0 : (first_ + frames) % frames_.size();  // what is in the cache is used again
}

void TransmitQueue::push_last() {
    for (std::size_t index = queued_; index-- > 0;) {
        Frame& last = frame(index);
        if (!last.tcp || last.tcp->payload_octets == 0) continue;
        set_psh(last.room.get(), *last.tcp);
        return;
    }
}

}  // namespace lfn
