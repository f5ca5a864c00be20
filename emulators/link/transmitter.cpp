// SPDX-License-Identifier: BSD-3-Clause
#include "emulators/link/transmitter.hpp"

#include <algorithm>
#include <utility>

#include "emulators/link/congestion_mark.hpp"

namespace lfn {

Transmitter::Transmitter(Loop& loop, const TransmitterOptions& options)
    : loop_(loop), options_(options), last_bit_(loop, Callback::bind<&Transmitter::on_last_bit>(*this)) {}

bool Transmitter::has_room(std::size_t size) const {
    if (queue_.empty()) return true;
    const std::uint64_t octets = counters().queued.octets + size;
    return (options_.queue_frames == 0 || queue_.size() < options_.queue_frames) &&
           (options_.queue_octets == 0 || octets <= options_.queue_octets);
}

bool Transmitter::offer(FramePtr& frame) {
    if (!has_room(frame->size())) {
        mutable_counters().refused.add(frame->size());
        refused_ = true;
        return false;
    }
    count_in(*frame);
    if (chosen_for_mark()) mark(*frame);
    enqueue(std::move(frame));
    return true;
}

void Transmitter::accept(FramePtr frame) {
    count_in(*frame);
    if (!has_room(frame->size())) {
        drop(std::move(frame), DropCause::queue_full);
    } else if (chosen_for_mark() && !mark(*frame)) {
        drop(std::move(frame), DropCause::aqm);
    } else {
        enqueue(std::move(frame));
    }
}

bool Transmitter::chosen_for_mark() {
    const std::size_t from = options_.mark_frames;
    if (from == 0 || queue_.size() < from) return false;
    marks_due_ += std::min(queue_.size() - from + 1, from);
    if (marks_due_ < from) return false;
    marks_due_ -= from;
    return true;
}

bool Transmitter::mark(Frame& frame) {
    if (!mark_congestion_in_frame(frame.octets(), options_.link_header_octets)) return false;
    mutable_counters().marked.add(frame.size());
    return true;
}

bool Transmitter::drained() const {
    const bool room = options_.queue_frames == 0 || queue_.size() < options_.queue_frames;
    return room && queue_.size() <= options_.drain_frames;
}

void Transmitter::enqueue(FramePtr frame) {
    frame->entered = loop_.now();
    if (!limited()) {
        forward(std::move(frame));
        return;
    }
    mutable_counters().queued.add(frame->size());
    const bool idle = queue_.empty();
    queue_.push_back(std::move(frame));
    if (idle) {
        remainder_ = 0;
        start_next();
    }
}

void Transmitter::start_next() {
    constexpr std::uint64_t nanobits_per_octet = 8'000'000'000U;  // 2^64 holds 2 GB frames
    const std::uint64_t rate_bps = rate_now();
    if (rate_bps != rate_bps_) remainder_ = 0;
    rate_bps_ = rate_bps;
    const std::uint64_t nanobits = (queue_.front().size() + options_.overhead_octets) * nanobits_per_octet + remainder_;
    remainder_ = nanobits % rate_bps;
    last_bit_.schedule_after(Duration(static_cast<Duration::rep>(nanobits / rate_bps)));
}

void Transmitter::on_last_bit() {
    FramePtr frame = queue_.pop_front();
    mutable_counters().queued.remove(frame->size());
    if (!queue_.empty()) start_next();
    forward(std::move(frame));
    if (refused_ && drained()) {
        refused_ = false;
        if (on_drain_) on_drain_();
    }
}

}  // namespace lfn
