// SPDX-License-Identifier: BSD-3-Clause
#include "emulators/host/processor.hpp"

#include <cassert>
#include <numeric>
#include <utility>

namespace lfn {

std::string_view name_of(Work work) {
    static constexpr std::array<std::string_view, work_count> names = {"port_io", "copying", "checksum", "protocol",
                                                                       "interrupt"};
    return names[static_cast<std::size_t>(work)];
}

Processor::Processor(Loop& loop, Callback program)
    : loop_(loop), fiber_(program), timer_(loop, Callback::bind<&Processor::on_timer>(*this)) {}

void Processor::finish() {
    stopping_ = true;
    timer_.cancel();
    if (!fiber_.finished()) fiber_.resume();
}

Duration Processor::busy() const {
    return std::accumulate(spent_.begin(), spent_.end(), Duration{});
}

void Processor::spend(Work work, Duration duration) {
    add(work, duration);
    owed_ += duration;
    pay_if_due({});
}

void Processor::spend_quietly(Work work, Duration duration) {
    add(work, duration);
    owed_ += duration;
    pay_if_due(quiet_allowance);
}

void Processor::pay_if_due(Duration allowance) {
    assert(fiber_.running());
    if (owed_ < allowance) return;
    const auto next = loop_.next_due();
    if (next && *next <= loop_.now() + owed_) settle();
}

void Processor::settle() {
    assert(fiber_.running());
    while (owed_ > Duration{} && !stopping_) {
        timer_.schedule_after(std::exchange(owed_, Duration{}));
        fiber_.yield();
        owed_ += std::exchange(stolen_, Duration{});
    }
    if (stopping_) owed_ = {};
}

void Processor::wait() {
    settle();
    if (!std::exchange(woken_, false) && !stopping_) {
        waiting_ = true;
        fiber_.yield();
    }
    owed_ += std::exchange(stolen_, Duration{});
    settle();
}

void Processor::wake() {
    woken_ = true;
    if (waiting_ && !timer_.pending() && !fiber_.running() && !fiber_.finished()) timer_.schedule_after(Duration{});
}

void Processor::interrupt(Duration duration) {
    add(Work::interrupt, duration);
    if (fiber_.running()) {
        owed_ += duration;  // it was the program's own access that raised the line
    } else {
        stolen_ += duration;
    }
    wake();
}

void Processor::on_timer() {
    if (std::exchange(waiting_, false)) woken_ = false;
    fiber_.resume();
}

}  // namespace lfn
