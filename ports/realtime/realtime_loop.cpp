// SPDX-License-Identifier: BSD-3-Clause
#include "ports/realtime/realtime_loop.hpp"

#include <sys/prctl.h>
#include <time.h>

#include <algorithm>

namespace lfn {

namespace {

constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;
constexpr unsigned long timer_slack_ns = 1;  // Linux lets a sleep last 50 us longer by default

std::int64_t monotonic_ns() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * nanoseconds_per_second + now.tv_nsec;
}

timespec timespec_of(Duration duration) {
    timespec result{};
    result.tv_sec = static_cast<time_t>(duration.count() / nanoseconds_per_second);
    result.tv_nsec = static_cast<long>(duration.count() % nanoseconds_per_second);
    return result;
}

}  // namespace

FdWatch::FdWatch(RealtimeLoop& loop, Callback on_ready) : loop_(loop), on_ready_(on_ready) {
    loop_.watches_.push_back(this);
}

FdWatch::~FdWatch() {
    std::erase(loop_.watches_, this);
    std::replace(loop_.polled_.begin(), loop_.polled_.end(), this, static_cast<FdWatch*>(nullptr));
}

void FdWatch::set(int fd, short events) {
    // What a poll in progress found out belongs to another descriptor.
    if (fd != fd_) std::replace(loop_.polled_.begin(), loop_.polled_.end(), this, static_cast<FdWatch*>(nullptr));
    fd_ = fd;
    events_ = events;
}

RealtimeLoop::RealtimeLoop() : start_ns_(monotonic_ns()) {
    prctl(PR_SET_TIMERSLACK, timer_slack_ns);
}

RealtimeLoop::~RealtimeLoop() = default;

Time RealtimeLoop::real_now() const {
    return Time(Duration(monotonic_ns() - start_ns_));
}

// Descriptors are served at real time, but not beyond `target`: what is due then must find the clock there.
Time RealtimeLoop::advance(Time target) {
    const Time before = real_now();
    const bool ready = poll_for(before < target ? target - before : Duration::zero());
    set_now(std::max(now(), std::min(real_now(), target)));
    if (ready) serve();
    return now();
}

bool RealtimeLoop::poll_for(Duration timeout) {
    descriptors_.clear();
    polled_.clear();
    for (FdWatch* watch : watches_) {
        if (watch->fd_ < 0) continue;
        descriptors_.push_back({watch->fd_, watch->events_, 0});
        polled_.push_back(watch);
    }
    if (guest_ != nullptr) guest_->fill(descriptors_, timeout);
    const timespec wait = timespec_of(timeout);
    const int ready = metered(polls_, [&] { return ppoll(descriptors_.data(), descriptors_.size(), &wait, nullptr); });
    return ready > 0 || guest_ != nullptr;
}

void RealtimeLoop::serve() {
    const std::size_t watched = polled_.size();
    for (std::size_t index = 0; index < watched; ++index) {
        FdWatch* watch = polled_[index];
        if (watch == nullptr || descriptors_[index].revents == 0) continue;
        watch->ready_ = descriptors_[index].revents;
        watch->on_ready_();
    }
    if (guest_ != nullptr) guest_->serve(std::span(descriptors_).subspan(watched));
}

}  // namespace lfn
