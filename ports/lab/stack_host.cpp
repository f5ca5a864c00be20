// SPDX-License-Identifier: BSD-3-Clause
#include "ports/lab/stack_host.hpp"

#include <string>

namespace lfn::lab {

using std::chrono::milliseconds;

std::uint32_t milliseconds_of(Time time) {
    return static_cast<std::uint32_t>(std::chrono::floor<milliseconds>(time.time_since_epoch()).count());
}

StackHost::Entry::Entry(StackHost& host) : host_(host) {
    host_.stack_.enter(host_.image_.data());
    ++host_.depth_;
}

StackHost::Entry::~Entry() {
    if (--host_.depth_ == 0) host_.book_timer();
}

StackHost::StackHost(Loop& loop, const lfn_stack& stack, std::uint64_t seed, std::string_view name)
    : loop_(loop),
      stack_(stack),
      image_((stack.image_size() + 7) / 8),
      random_(seed, std::string("host/") + std::string(name)),
      timer_(loop, Callback::bind<&StackHost::on_timer_due>(*this)) {
    stack_.image_init(image_.data());
}

void StackHost::init_stack(const lfn_interface& interface, const lfn_tcp_settings* defaults) {
    lfn_stack_env env{};
    env.context = this;
    env.now_ms = [](void* self) { return milliseconds_of(static_cast<StackHost*>(self)->loop_.now()); };
    env.random = [](void* self) {
        return static_cast<std::uint32_t>(static_cast<StackHost*>(self)->random_.next_u64());
    };
    env.transmit_begin = [](void* self, std::size_t length) {
        return static_cast<StackHost*>(self)->transmit_begin(length);
    };
    env.transmit_end = [](void* self) { static_cast<StackHost*>(self)->transmit_end(); };
    with_stack([&](const lfn_stack& s) { s.init(&env, &interface, defaults); });
    up_ = true;
}

// Connections are aborted by their owners, TIME-WAIT ones by nobody.
void StackHost::shut_stack() {
    if (up_) with_stack([](const lfn_stack& s) { s.shutdown(); });
    up_ = false;
    timer_.cancel();
    stack_.enter(nullptr);
}

// The timer follows the stack's next timeout; milliseconds, as the stack counts them.
void StackHost::book_timer() {
    const std::uint32_t delay_ms = stack_.timer_delay_ms();
    if (delay_ms == UINT32_MAX) {
        timer_.cancel();
        return;
    }
    const Time due = std::chrono::floor<milliseconds>(loop_.now()) + milliseconds(delay_ms);
    if (!timer_.pending() || timer_.due() != due) timer_.schedule_at(due);
}

}  // namespace lfn::lab
