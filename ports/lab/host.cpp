// SPDX-License-Identifier: BSD-3-Clause
#include "ports/lab/host.hpp"

#include <string>

namespace lfn::lab {

using std::chrono::milliseconds;

namespace {

std::uint32_t milliseconds_of(Time time) {
    return static_cast<std::uint32_t>(std::chrono::floor<milliseconds>(time.time_since_epoch()).count());
}

}  // namespace

Host::Entry::Entry(Host& host) : host_(host) {
    host_.stack_.enter(host_.image_.data());
    ++host_.depth_;
}

Host::Entry::~Entry() {
    if (--host_.depth_ == 0) host_.book_timer();
}

Host::Host(Loop& loop, FramePool& pool, const lfn_stack& stack, const HostOptions& options)
    : loop_(loop),
      pool_(pool),
      stack_(stack),
      image_((stack.image_size() + 7) / 8),
      random_(options.seed, std::string("host/") + std::string(options.name)),
      timer_(loop, Callback::bind<&Host::on_timer>(*this)) {
    stack_.image_init(image_.data());
    lfn_stack_env env{};
    env.context = this;
    env.now_ms = [](void* self) { return milliseconds_of(static_cast<Host*>(self)->loop_.now()); };
    env.random = [](void* self) { return static_cast<std::uint32_t>(static_cast<Host*>(self)->random_.next_u64()); };
    env.transmit_begin = [](void* self, std::size_t length) {
        return static_cast<Host*>(self)->transmit_begin(length);
    };
    env.transmit_end = [](void* self) {
        auto& host = *static_cast<Host*>(self);
        host.transmitter_->offer(host.outgoing_);
    };
    lfn_interface interface {};
    interface.kind = LFN_LINK_POINT_TO_POINT;
    interface.address = options.address;
    interface.netmask = 0xffffff00;
    interface.mtu = options.mtu;
    with_stack([&](const lfn_stack& s) { s.init(&env, &interface, options.defaults); });
}

// What the instance still holds is freed with it: connections are aborted by their owners, TIME-WAIT ones by nobody.
Host::~Host() {
    transmitter_ = nullptr;
    with_stack([](const lfn_stack& s) { s.shutdown(); });
    stack_.enter(nullptr);
}

void Host::attach(Transmitter& transmitter) {
    transmitter_ = &transmitter;
    transmitter.on_drain(Callback::bind<&Host::on_drain>(*this));
}

void Host::accept(FramePtr frame) {
    with_stack([&](const lfn_stack& s) { s.input(frame->data(), frame->size()); });
}

void Host::on_drain() {
    with_stack([](const lfn_stack& s) { s.output_ready(); });
}

void Host::on_timer() {
    with_stack([](const lfn_stack& s) { s.run_timers(); });
}

// The timer follows the stack's next timeout; milliseconds, as the stack counts them.
void Host::book_timer() {
    const std::uint32_t delay_ms = stack_.timer_delay_ms();
    if (delay_ms == UINT32_MAX) {
        timer_.cancel();
        return;
    }
    const Time due = std::chrono::floor<milliseconds>(loop_.now()) + milliseconds(delay_ms);
    if (!timer_.pending() || timer_.due() != due) timer_.schedule_at(due);
}

std::uint8_t* Host::transmit_begin(std::size_t length) {
    if (transmitter_ == nullptr) return nullptr;
    outgoing_ = pool_.make(length);
    if (transmitter_->has_room(length)) return outgoing_->data();
    transmitter_->offer(outgoing_);  // is refused, and so on_drain() follows
    outgoing_.reset();
    return nullptr;
}

}  // namespace lfn::lab
