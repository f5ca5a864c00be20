// SPDX-License-Identifier: BSD-3-Clause
// Stages that hold frames for a time. They always go through the loop, even for no delay at all, so that a receiver
// never runs inside its sender's call.
#pragma once

#include <cstdint>
#include <vector>

#include "emulators/link/plans.hpp"
#include "emulators/link/stage.hpp"
#include "emulators/time/random.hpp"

namespace lfn {

/// Constant delay; keeps the order. One timer, however many frames are under way.
class Delay final : public Stage {
public:
    Delay(Loop& loop, Duration delay);
    void accept(FramePtr frame) override;
    Duration delay() const { return delay_; }

private:
    void release();

    Loop& loop_;
    Duration delay_;
    FrameList held_;
    Timer due_;
};

/// A delay that is another one for each frame, as the derived class says.
class VaryingDelay : public Stage {
public:
    enum class Order : std::uint8_t {
        kept,   ///< a frame waits for those before it
        mixed,  ///< frames overtake one another
    };
    void accept(FramePtr frame) final;

protected:
    VaryingDelay(Loop& loop, Order order);
    /// Of the frame that comes now; not negative.
    virtual Duration delay_now() = 0;
    Time now() const { return loop_.now(); }

private:
    struct Held {
        Time due;
        std::uint64_t arrival;
        FramePtr frame;
    };
    static bool later(const Held& left, const Held& right);
    void release();

    Loop& loop_;
    Order order_;
    std::vector<Held> held_;  // a heap, the next to leave in front
    std::uint64_t arrivals_ = 0;
    Time latest_due_{};
    Timer due_;
};

/// Delay that differs from frame to frame: each of the 2 `spread` + 1 nanosecond values in `delay` +/- `spread` has the
/// same chance. In place of a Delay.
class Jitter final : public VaryingDelay {
public:
    /// `spread` is at most `delay`.
    Jitter(Loop& loop, Duration delay, Duration spread, Order order, Random random);

private:
    Duration delay_now() override;

    Duration delay_;
    Duration spread_;
    Random random_;
};

/// Delay that changes at the times of a schedule, as at a handover from one satellite to the next: a frame that comes
/// after a step down overtakes those before it. In place of a Delay.
class SteppedDelay final : public VaryingDelay {
public:
    SteppedDelay(Loop& loop, const DelaySchedule& schedule) : VaryingDelay(loop, Order::mixed), schedule_(schedule) {}

private:
    Duration delay_now() override { return schedule_.at(now()); }

    DelaySchedule schedule_;
};

/// Holds a frame back by `extra` with the given probability, passes the others at once: those overtake it.
class Reorder final : public Stage {
public:
    Reorder(Loop& loop, double probability, Duration extra, Random random);
    void accept(FramePtr frame) override;

private:
    void release();

    Loop& loop_;
    double probability_;
    Duration extra_;
    Random random_;
    FrameList held_;
    Timer due_;
};

}  // namespace lfn
