// SPDX-License-Identifier: BSD-3-Clause
#include "emulators/time/loop.hpp"

#include <algorithm>

namespace lfn {

namespace {
constexpr std::size_t arity = 4;  // four 24-byte children span two cache lines; half the depth of a binary heap
}

Loop::~Loop() {
    for (const Entry& entry : heap_) entry.timer->heap_index_ = Timer::not_in_heap;
}

std::optional<Time> Loop::next_due() const {
    if (heap_.empty()) return std::nullopt;
    return heap_.front().due;
}

bool Loop::run_one() {
    if (heap_.empty()) return false;
    const Time due = heap_.front().due;
    if (now_ < due) now_ = advance(due);
    // Over real time, advance() may have run user code: look again.
    if (heap_.empty() || now_ < heap_.front().due) return false;
    Timer& timer = *heap_.front().timer;
    const Callback callback = timer.callback_;  // the callback may destroy its timer
    remove(timer);
    ++events_run_;
    callback();
    return true;
}

std::uint64_t Loop::run_until(Time limit) {
    const std::uint64_t before_run = events_run_;
    stopped_ = false;
    while (!stopped_) {
        if (!heap_.empty() && heap_.front().due <= limit) {
            run_one();
        } else if (now_ < limit) {
            now_ = advance(limit);
        } else {
            break;
        }
    }
    return events_run_ - before_run;
}

std::uint64_t Loop::run() {
    const std::uint64_t before_run = events_run_;
    stopped_ = false;
    while (!stopped_ && !heap_.empty()) run_one();
    return events_run_ - before_run;
}

void Loop::book(Timer& timer, Time due) {
    const Entry entry{std::max(due, now_), next_booking_++, &timer};
    if (!timer.pending()) {
        heap_.push_back(entry);
        sift_up(heap_.size() - 1, entry);
        return;
    }
    const std::size_t index = timer.heap_index_;
    if (before(entry, heap_[index])) {
        sift_up(index, entry);
    } else {
        sift_down(index, entry);
    }
}

void Loop::remove(Timer& timer) {
    const std::size_t index = timer.heap_index_;
    timer.heap_index_ = Timer::not_in_heap;
    const Entry last = heap_.back();
    heap_.pop_back();
    if (index == heap_.size()) return;
    if (index > 0 && before(last, heap_[(index - 1) / arity])) {
        sift_up(index, last);
    } else {
        sift_down(index, last);
    }
}

void Loop::place(std::size_t index, const Entry& entry) {
    heap_[index] = entry;
    entry.timer->heap_index_ = index;
}

void Loop::sift_up(std::size_t index, const Entry& entry) {
    while (index > 0) {
        const std::size_t parent = (index - 1) / arity;
        if (!before(entry, heap_[parent])) break;
        place(index, heap_[parent]);
        index = parent;
    }
    place(index, entry);
}

void Loop::sift_down(std::size_t index, const Entry& entry) {
    for (;;) {
        const std::size_t children_begin = index * arity + 1;
        if (children_begin >= heap_.size()) break;
        const std::size_t child = first_child(children_begin);
        if (!before(heap_[child], entry)) break;
        place(index, heap_[child]);
        index = child;
    }
    place(index, entry);
}

std::size_t Loop::first_child(std::size_t children_begin) const {
    const std::size_t children_end = std::min(children_begin + arity, heap_.size());
    std::size_t first = children_begin;
    for (std::size_t child = children_begin + 1; child < children_end; ++child) {
        if (before(heap_[child], heap_[first])) first = child;
    }
    return first;
}

}  // namespace lfn
