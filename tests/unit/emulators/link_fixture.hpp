// SPDX-License-Identifier: BSD-3-Clause
// What the link tests share: a sink that remembers, and ways to feed a stage.
#pragma once

#include <cstdint>
#include <vector>

#include "emulators/link/transmitter.hpp"

namespace lfn::test {

struct Arrival {
    Time time;
    std::uint64_t serial;
    std::size_t size;
    friend bool operator==(const Arrival&, const Arrival&) = default;
};

class RecordingSink final : public FrameSink {
public:
    explicit RecordingSink(Loop& loop) : loop_(loop) {}
    void accept(FramePtr frame) override {
        received.add(frame->size());
        arrivals.push_back({loop_.now(), frame->serial, frame->size()});
    }
    std::vector<std::uint64_t> serials() const {
        std::vector<std::uint64_t> result;
        for (const Arrival& arrival : arrivals) result.push_back(arrival.serial);
        return result;
    }

    FrameCount received;
    std::vector<Arrival> arrivals;

private:
    Loop& loop_;
};

/// Sends `count` frames into a sink, one each `interval`, sizes going round 40, 41, ... 1499.
class Source {
public:
    Source(Loop& loop, FramePool& pool, FrameSink& sink, std::uint64_t count, Duration interval)
        : pool_(pool),
          sink_(sink),
          left_(count),
          interval_(interval),
          next_(loop, Callback::bind<&Source::send>(*this)) {
        next_.schedule_after(Duration::zero());
    }

private:
    void send() {
        if (left_-- == 0) return;
        const std::size_t size = 40 + left_ % 1460;
        next_.schedule_after(interval_);
        sink_.accept(pool_.make(size));
    }

    FramePool& pool_;
    FrameSink& sink_;
    std::uint64_t left_;
    Duration interval_;
    Timer next_;
};

/// Keeps a transmitter full: offers until refused, and again when it drains.
class GreedySource {
public:
    GreedySource(FramePool& pool, Transmitter& transmitter, std::uint64_t count, std::size_t size)
        : pool_(pool), transmitter_(transmitter), left_(count), size_(size) {
        transmitter.on_drain(Callback::bind<&GreedySource::fill>(*this));
    }
    void fill() {
        while (left_ > 0) {
            if (waiting_ == nullptr) waiting_ = pool_.make(size_);
            if (!transmitter_.offer(waiting_)) return;
            --left_;
        }
    }
    std::uint64_t left() const { return left_; }

private:
    FramePool& pool_;
    Transmitter& transmitter_;
    std::uint64_t left_;
    std::size_t size_;
    FramePtr waiting_;
};

}  // namespace lfn::test
