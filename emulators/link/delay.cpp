// SPDX-License-Identifier: BSD-3-Clause
#include "emulators/link/delay.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lfn {

Delay::Delay(Loop& loop, Duration delay)
    : loop_(loop), delay_(delay), due_(loop, Callback::bind<&Delay::release>(*this)) {
    assert(delay >= Duration::zero());
}

void Delay::accept(FramePtr frame) {
    count_in(*frame);
    mutable_counters().queued.add(frame->size());
    frame->release_due = loop_.now() + delay_;
    if (held_.empty()) due_.schedule_at(frame->release_due);
    held_.push_back(std::move(frame));
}

void Delay::release() {
    FramePtr frame = held_.pop_front();
    mutable_counters().queued.remove(frame->size());
    if (!held_.empty()) due_.schedule_at(held_.front().release_due);
    forward(std::move(frame));
}

VaryingDelay::VaryingDelay(Loop& loop, Order order)
    : loop_(loop), order_(order), due_(loop, Callback::bind<&VaryingDelay::release>(*this)) {}

bool VaryingDelay::later(const Held& left, const Held& right) {
    return left.due != right.due ? left.due > right.due : left.arrival > right.arrival;
}

void VaryingDelay::accept(FramePtr frame) {
    count_in(*frame);
    mutable_counters().queued.add(frame->size());
    Time due = loop_.now() + delay_now();
    if (order_ == Order::kept) due = std::max(due, latest_due_);
    latest_due_ = due;
    held_.push_back({due, arrivals_++, std::move(frame)});
    std::push_heap(held_.begin(), held_.end(), later);
    due_.schedule_at(held_.front().due);
}

void VaryingDelay::release() {
    std::pop_heap(held_.begin(), held_.end(), later);
    FramePtr frame = std::move(held_.back().frame);
    held_.pop_back();
    mutable_counters().queued.remove(frame->size());
    if (!held_.empty()) due_.schedule_at(held_.front().due);
    forward(std::move(frame));
}

Jitter::Jitter(Loop& loop, Duration delay, Duration spread, Order order, Random random)
    : VaryingDelay(loop, order), delay_(delay), spread_(spread), random_(random) {
    assert(spread >= Duration::zero() && spread <= delay);
}

Duration Jitter::delay_now() {
    const std::uint64_t values = 2 * static_cast<std::uint64_t>(spread_.count()) + 1;
    return delay_ - spread_ + Duration(static_cast<Duration::rep>(random_.below(values)));
}

Reorder::Reorder(Loop& loop, double probability, Duration extra, Random random)
    : loop_(loop),
      probability_(probability),
      extra_(extra),
      random_(random),
      due_(loop, Callback::bind<&Reorder::release>(*this)) {
    assert(extra >= Duration::zero());
}

void Reorder::accept(FramePtr frame) {
    count_in(*frame);
    if (!random_.chance(probability_)) {
        forward(std::move(frame));
        return;
    }
    mutable_counters().queued.add(frame->size());
    frame->release_due = loop_.now() + extra_;
    if (held_.empty()) due_.schedule_at(frame->release_due);
    held_.push_back(std::move(frame));
}

void Reorder::release() {
    FramePtr frame = held_.pop_front();
    mutable_counters().queued.remove(frame->size());
    if (!held_.empty()) due_.schedule_at(held_.front().release_due);
    forward(std::move(frame));
}

}  // namespace lfn
