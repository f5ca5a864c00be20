// SPDX-License-Identifier: BSD-3-Clause
#include "ports/bridge/path_meter.hpp"

#include <algorithm>

namespace lfn {

namespace {

constexpr std::size_t sample_max = 1 << 20;

}  // namespace

Percentiles percentiles_of(std::vector<std::int64_t>& sample_ns) {
    Percentiles result;
    result.count = sample_ns.size();
    if (sample_ns.empty()) return result;
    std::sort(sample_ns.begin(), sample_ns.end());
    const auto rank = [&](std::size_t percent) {
        const std::size_t nearest = (percent * sample_ns.size() + 99) / 100;
        return Duration(sample_ns[std::max<std::size_t>(nearest, 1) - 1]);
    };
    result.p1 = rank(1);
    result.p50 = rank(50);
    result.p99 = rank(99);
    result.max = Duration(sample_ns.back());
    return result;
}

PathMeter::PathMeter(const RealtimeLoop& loop, std::size_t overhead_octets)
    : loop_(loop), overhead_octets_(overhead_octets) {}

void PathMeter::arrived(const Frame& frame) {
    passing_.push_back({frame.serial, loop_.real_now(), Duration::zero()});
}

void PathMeter::left_line(Time loop_time, const Frame& frame) {
    const Time real = loop_.real_now();
    // The frame was waiting when the one before it left: the time between the two is its own, in the emulation and by
    // the clock.
    if (any_left_ && frame.entered < line_end_loop_) {
        busy_ += real - line_end_real_;
        busy_octets_ += frame.size() + overhead_octets_;
    }
    any_left_ = true;
    line_end_loop_ = loop_time;
    line_end_real_ = real;
    const auto found = std::lower_bound(passing_.begin(), passing_.end(), frame.serial,
                                        [](const Passing& each, std::uint64_t serial) { return each.serial < serial; });
    if (found != passing_.end() && found->serial == frame.serial) found->line = loop_time - frame.entered;
}

// Frames before this one that are still listed were lost on the way.
void PathMeter::delivered(const Frame& frame) {
    while (!passing_.empty() && passing_.front().serial < frame.serial) passing_.pop_front();
    if (passing_.empty() || passing_.front().serial != frame.serial) return;
    const Duration delay = loop_.real_now() - passing_.front().arrived - passing_.front().line;
    keep(delay);
    passing_.pop_front();
}

// Once the sample is full, every second of it goes, and from then on every second frame is left out.
void PathMeter::keep(Duration delay) {
    if (delivered_++ % stride_ != 0) return;
    if (delays_ns_.size() == sample_max) {
        for (std::size_t i = 0; i < sample_max / 2; ++i) delays_ns_[i] = delays_ns_[2 * i];
        delays_ns_.resize(sample_max / 2);
        stride_ *= 2;
    }
    delays_ns_.push_back(delay.count());
}

Percentiles PathMeter::delay() const {
    std::vector<std::int64_t> sample = delays_ns_;
    Percentiles result = percentiles_of(sample);
    result.count = delivered_;
    return result;
}

double PathMeter::rate_bps() const {
    return busy_ > Duration::zero() ? static_cast<double>(busy_octets_) * 8 / seconds_of(busy_) : 0;
}

}  // namespace lfn
