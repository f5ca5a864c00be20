// SPDX-License-Identifier: BSD-3-Clause
#include "ports/lab/host.hpp"

namespace lfn::lab {

Host::Host(Loop& loop, FramePool& pool, const lfn_stack& stack, const HostOptions& options)
    : StackHost(loop, stack, options.seed, options.name), pool_(pool) {
    lfn_interface interface {};
    interface.kind = LFN_LINK_POINT_TO_POINT;
    interface.address = options.address;
    interface.netmask = 0xffffff00;
    interface.mtu = options.mtu;
    init_stack(interface, options.defaults);
}

Host::~Host() {
    transmitter_ = nullptr;
    shut_stack();
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

std::uint8_t* Host::transmit_begin(std::size_t length) {
    if (transmitter_ == nullptr) return nullptr;
    outgoing_ = pool_.make(length);
    if (transmitter_->has_room(length)) return outgoing_->data();
    transmitter_->offer(outgoing_);  // is refused, and so on_drain() follows
    outgoing_.reset();
    return nullptr;
}

void Host::transmit_end() {
    transmitter_->offer(outgoing_);
}

}  // namespace lfn::lab
