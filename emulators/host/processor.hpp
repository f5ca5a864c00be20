// SPDX-License-Identifier: BSD-3-Clause
// A host's processor: it does one thing at a time, and everything that it does takes virtual time.
//
// Theory of operation. The program runs in a fiber. Work is spent as it is done; the time of it is owed to the loop and
// paid by yielding until the loop has come that far (settle). Whoever does something whose time others can see, or that
// others can have changed meanwhile, settles first. Paying is put off otherwise: as long as no event is due, since then
// nothing can have happened, and for quiet work (the bytes of a packet through a data port, of a buffer that is the
// host's alone) for a little longer, so that two hosts that copy at the same time do not switch at every byte. An
// interrupt is not a second thread: its handler only announces, and its time is taken from whatever the processor is
// at.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "emulators/host/fiber.hpp"
#include "emulators/time/loop.hpp"

namespace lfn {

enum class Work : std::uint8_t { port_io, copying, checksum, protocol, interrupt };
constexpr std::size_t work_count = 5;
std::string_view name_of(Work work);

class Processor {
public:
    /// `program` starts with the first event after start(). It returns when stopping() is true: wait() and settle()
    /// then return at once.
    Processor(Loop& loop, Callback program);
    ~Processor() { finish(); }

    void start() { wake(); }
    /// Lets the program come to its end, in no time. For those whose program must end before they do.
    void finish();

    // From the program.
    void spend(Work work, Duration duration);
    /// For what neither sees nor shows anything but the processor's own.
    void spend_quietly(Work work, Duration duration);
    void settle();
    /// Idle until wake(); at once if that was called since the last wait().
    void wait();
    /// The loop's time plus what is owed.
    Time now() const { return loop_.now() + owed_; }
    /// The loop's time: no processor is behind it.
    Time paid_until() const { return loop_.now(); }
    bool stopping() const { return stopping_; }

    // From anywhere.
    void wake();
    /// An interrupt takes its time from what is being done, or from idleness.
    void interrupt(Duration duration);

    bool idle() const { return waiting_; }
    Duration spent(Work work) const { return spent_[static_cast<std::size_t>(work)]; }
    Duration busy() const;

private:
    static constexpr Duration quiet_allowance{200'000};  // how far quiet work may be ahead of the loop

    void on_timer();
    void pay_if_due(Duration allowance);
    void add(Work work, Duration duration) { spent_[static_cast<std::size_t>(work)] += duration; }

    Loop& loop_;
    Fiber fiber_;
    Timer timer_;
    std::array<Duration, work_count> spent_{};
    Duration owed_{};
    Duration stolen_{};  // by interrupts since the program yielded
    bool waiting_ = true;
    bool woken_ = false;
    bool stopping_ = false;
};

}  // namespace lfn
