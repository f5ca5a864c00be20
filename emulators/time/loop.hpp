// SPDX-License-Identifier: BSD-3-Clause
// The event loop of virtual time, and the timers that are its only events.
//
// Events run in order of (due time, booking number): of two that are due together, the one that was booked first runs
// first. Nothing else decides, so one program has one history. Time stands still while an event runs and jumps to the
// next due time between events.
//
// The queue is an indexed 4-ary heap of pointers to timers: booking, moving and cancelling cost O(log n) and allocate
// nothing once the heap has reached its largest size.
//
// A loop over real time derives from Loop and overrides advance(): timers and everything built on them stay as they
// are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "emulators/time/callback.hpp"
#include "emulators/time/time.hpp"

namespace lfn {

class Loop;

/// An event that is due. Owned by its user, tied to one Loop, which must outlive every call but the destructor's.
/// One booking at a time: scheduling a pending timer moves it, with a new booking number.
class Timer {
public:
    Timer(Loop& loop, Callback callback) : loop_(loop), callback_(callback) {}
    ~Timer() { cancel(); }
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

    /// Due at `due`, or now if that is past: it still waits for the events that were booked before it.
    void schedule_at(Time due);
    /// Due `delay` from now; a negative delay counts as zero, Duration::max() as the end of time.
    void schedule_after(Duration delay);
    /// Does nothing if not pending. A timer is no longer pending when its callback runs.
    void cancel();

    bool pending() const { return heap_index_ != not_in_heap; }
    /// When it runs; only if pending.
    Time due() const;
    Loop& loop() const { return loop_; }

private:
    friend class Loop;
    static constexpr std::size_t not_in_heap = SIZE_MAX;

    Loop& loop_;
    Callback callback_;
    std::size_t heap_index_ = not_in_heap;
};

class Loop {
public:
    Loop() = default;
    virtual ~Loop();
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    Time now() const { return now_; }
    bool empty() const { return heap_.empty(); }
    std::size_t pending_events() const { return heap_.size(); }
    /// When the next event is due; nothing if none is booked.
    std::optional<Time> next_due() const;
    /// Events run since the loop was made.
    std::uint64_t events_run() const { return events_run_; }

    /// Runs the next event and returns true, or false if there is none (or, over real time, if it is not due yet).
    bool run_one();
    /// Runs every event that is due at or before `limit`, those that they book included, then sets now() to `limit`.
    /// After stop() it returns at the time of the last event. Returns the number of events run.
    std::uint64_t run_until(Time limit);
    std::uint64_t run_for(Duration duration) { return run_until(now_ + duration); }
    /// Runs until no event is left or stop() is called. Returns the number of events run.
    std::uint64_t run();
    /// Called from an event: the run_ call in progress returns once that event is done. Has no effect between runs.
    void stop() { stopped_ = true; }

protected:
    /// Called between events to move the clock towards `target`, never backwards. Virtual time is there at once. A loop
    /// over real time sleeps until `target` or until one of its descriptors is ready, serves that, and returns the time
    /// then: events wait until it has reached their due time.
    virtual Time advance(Time target) { return target; }
    /// For an override of advance() that calls user code before it returns.
    void set_now(Time now) { now_ = now; }

private:
    friend class Timer;
    struct Entry {
        Time due;
        std::uint64_t booking;
        Timer* timer;
    };
    static bool before(const Entry& left, const Entry& right) {
        return left.due != right.due ? left.due < right.due : left.booking < right.booking;
    }

    void book(Timer& timer, Time due);
    void remove(Timer& timer);
    void place(std::size_t index, const Entry& entry);
    void sift_up(std::size_t index, const Entry& entry);
    void sift_down(std::size_t index, const Entry& entry);
    std::size_t first_child(std::size_t children_begin) const;

    std::vector<Entry> heap_;
    Time now_{};
    std::uint64_t next_booking_ = 0;
    std::uint64_t events_run_ = 0;
    bool stopped_ = false;
};

inline void Timer::schedule_at(Time due) {
    loop_.book(*this, due);
}

inline void Timer::schedule_after(Duration delay) {
    loop_.book(*this, loop_.now() + std::min(delay, Time::max() - loop_.now()));
}

inline void Timer::cancel() {
    if (pending()) loop_.remove(*this);
}

inline Time Timer::due() const {
    return loop_.heap_[heap_index_].due;
}

}  // namespace lfn
