// SPDX-License-Identifier: BSD-3-Clause
#include "ports/realtime/realtime_host.hpp"

#include <sys/random.h>

#include <chrono>

namespace lfn {

using std::chrono::milliseconds;

std::uint64_t random_seed() {
    std::uint64_t seed = 0;
    // A request of eight octets is never cut short once the system has started.
    while (getrandom(&seed, sizeof(seed), 0) != static_cast<ssize_t>(sizeof(seed))) continue;
    return seed;
}

RealtimeHost::RealtimeHost(Loop& loop, FramePort& port, const lfn_stack& stack, const lfn_interface& interface,
                           std::uint64_t seed, const lfn_tcp_settings* defaults, lfn_stack_costs* costs)
    : loop_(loop),
      port_(port),
      stack_(stack),
      image_((stack.image_size() + 7) / 8),
      random_(seed, "realtime-host"),
      timer_(loop, Callback::bind<&RealtimeHost::run_timers>(*this)) {
    stack_.image_init(image_.data());
    lfn_stack_env env{};
    env.context = this;
    env.now_ms = [](void* self) {
        const Time now = static_cast<RealtimeHost*>(self)->loop_.now();
        return static_cast<std::uint32_t>(std::chrono::floor<milliseconds>(now.time_since_epoch()).count());
    };
    env.random = [](void* self) {
        return static_cast<std::uint32_t>(static_cast<RealtimeHost*>(self)->random_.next_u64());
    };
    env.transmit_begin = [](void* self, std::size_t length) {
        return static_cast<RealtimeHost*>(self)->port_.transmit_begin(length);
    };
    env.transmit_end = [](void* self) { static_cast<RealtimeHost*>(self)->port_.transmit_end(); };
    env.costs = costs;
    port_.connect(*this);
    with_stack([&](const lfn_stack& s) { s.init(&env, &interface, defaults); });
}

RealtimeHost::~RealtimeHost() {
    with_stack([](const lfn_stack& s) { s.shutdown(); });
    timer_.cancel();
    stack_.enter(nullptr);
}

void RealtimeHost::batch_begin() {
    if (depth_++ == 0) stack_.enter(image_.data());
}

void RealtimeHost::receive(std::span<const std::uint8_t> frame) {
    with_stack([&](const lfn_stack& s) { s.input(frame.data(), frame.size()); });
}

void RealtimeHost::receive_verified(std::span<const std::uint8_t> frame) {
    with_stack([&](const lfn_stack& s) { s.input_verified(frame.data(), frame.size()); });
}

void RealtimeHost::batch_end() {
    if (--depth_ > 0) return;
    book_timer();
    port_.flush();
}

void RealtimeHost::port_ready() {
    with_stack([](const lfn_stack& s) { s.output_ready(); });
}

void RealtimeHost::port_gone(const std::string& reason) {
    if (!failure_.empty()) return;
    failure_ = reason;
    if (on_gone_) on_gone_();
}

void RealtimeHost::run_timers() {
    with_stack([](const lfn_stack& s) { s.run_timers(); });
}

// The timer follows the stack's next timeout; milliseconds, as the stack counts them.
void RealtimeHost::book_timer() {
    const std::uint32_t delay_ms = stack_.timer_delay_ms();
    if (delay_ms == UINT32_MAX) {
        timer_.cancel();
        return;
    }
    const Time due = std::chrono::floor<milliseconds>(loop_.now()) + milliseconds(delay_ms);
    if (!timer_.pending() || timer_.due() != due) timer_.schedule_at(due);
}

}  // namespace lfn
