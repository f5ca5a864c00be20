// SPDX-License-Identifier: BSD-3-Clause
// The event loop of real time: the timers of Loop, and file descriptors, in one thread, over ppoll().
//
// Loop time is CLOCK_MONOTONIC since the loop was made, with one difference: a timer that runs late (the processor was
// elsewhere) still finds now() at its own due time. So a chain of timers, such as the frames of a transmitter, keeps
// its rate however late each of them is, and loop time lags real time by that lateness and no more. Descriptors are
// looked at between any two timers that are due at different times.
//
// A loop that only serves descriptors has no end of its own: run_until(Time::max()) and stop().
#pragma once

#include <poll.h>

#include <span>
#include <vector>

#include "emulators/time/loop.hpp"
#include "ports/realtime/call_meter.hpp"

namespace lfn {

class RealtimeLoop;

/// A descriptor that the loop looks at. Owned by its user, who also owns the descriptor; the loop must outlive it.
class FdWatch {
public:
    /// `on_ready` runs when the descriptor is ready, or in error; it may destroy the watch.
    FdWatch(RealtimeLoop& loop, Callback on_ready);
    ~FdWatch();
    FdWatch(const FdWatch&) = delete;
    FdWatch& operator=(const FdWatch&) = delete;

    /// Looks at `fd` for `events`: POLLIN, POLLOUT, both or none; errors and hang-ups are always told.
    void set(int fd, short events);
    /// Looks at nothing any more.
    void clear() { set(-1, 0); }

    short events() const { return events_; }
    /// What the last call of on_ready was for: poll()'s revents.
    short ready() const { return ready_; }

private:
    friend class RealtimeLoop;
    RealtimeLoop& loop_;
    Callback on_ready_;
    int fd_ = -1;
    short events_ = 0;
    short ready_ = 0;
};

/// Code that brings its own set of descriptors to each poll, as libslirp does.
class PollGuest {
public:
    /// Appends descriptors, and shortens `timeout` if something of the guest's is due before.
    virtual void fill(std::vector<pollfd>& descriptors, Duration& timeout) = 0;
    /// After every poll, with the descriptors that fill() appended.
    virtual void serve(std::span<const pollfd> descriptors) = 0;

protected:
    ~PollGuest() = default;
};

class RealtimeLoop final : public Loop {
public:
    RealtimeLoop();
    ~RealtimeLoop() override;

    /// Real time on the scale of now(), which it is never behind.
    Time real_now() const;
    /// One guest, or null.
    void set_guest(PollGuest* guest) { guest_ = guest; }
    /// Counts the polls, and the time that they wait; null: no more.
    void set_meter(CallMeter* polls) { polls_ = polls; }

protected:
    Time advance(Time target) override;

private:
    friend class FdWatch;
    bool poll_for(Duration timeout);
    void serve();

    std::int64_t start_ns_;
    std::vector<FdWatch*> watches_;
    PollGuest* guest_ = nullptr;
    CallMeter* polls_ = nullptr;
    std::vector<pollfd> descriptors_;  // of the poll in progress: the watches', then the guest's
    std::vector<FdWatch*> polled_;     // those of descriptors_; null once a watch is gone or set anew
};

}  // namespace lfn
