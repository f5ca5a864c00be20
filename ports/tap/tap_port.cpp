// SPDX-License-Identifier: BSD-3-Clause
#include "ports/tap/tap_port.hpp"

#include <cassert>

namespace lfn {

TapPort::TapPort(RealtimeLoop& loop, TapDevice& device, const TapPortOptions& options)
    : loop_(loop),
      device_(device),
      options_(options),
      frame_octets_max_(device.mtu() + ethernet_header_octets),
      watch_(loop, Callback::bind<&TapPort::on_ready>(*this)),
      gone_(loop, Callback::bind<&TapPort::on_gone>(*this)),
      incoming_(tap_frame_octets_max),
      slots_(options.queue_frames) {
    for (Slot& each : slots_) each.octets = std::make_unique_for_overwrite<std::uint8_t[]>(frame_octets_max_);
}

void TapPort::connect(FrameReceiver& receiver) {
    receiver_ = &receiver;
    watch();
}

void TapPort::watch() {
    if (receiver_ == nullptr || !device_.is_open()) return watch_.clear();
    watch_.set(device_.fd(), static_cast<short>((paused_ ? 0 : POLLIN) | (blocked_ ? POLLOUT : 0)));
}

void TapPort::pause_reading() {
    paused_ = true;
    watch();
}

void TapPort::resume_reading() {
    paused_ = false;
    watch();
}

void TapPort::on_ready() {
    if (blocked_ && (watch_.ready() & POLLOUT) != 0) {
        blocked_ = false;
        flush();
    }
    // POLLERR: what is wrong shows when it is read.
    if (!paused_ || (watch_.ready() & POLLERR) != 0) read_batch();
    watch();
}

void TapPort::read_batch() {
    receiver_->batch_begin();
    ++counters_.batches_in;
    for (std::size_t count = 0; count < options_.read_batch_frames; ++count) {
        std::size_t size = 0;
        const TapDevice::Result result = device_.read(incoming_, size);
        if (result == TapDevice::Result::gone) gone_.schedule_after(Duration::zero());
        if (result != TapDevice::Result::done) break;
        ++counters_.frames_in;
        counters_.octets_in += size;
        if (capture_ != nullptr) capture_->write(loop_.now(), {incoming_.data(), size});
        receiver_->receive({incoming_.data(), size});
        if (paused_) break;
    }
    receiver_->batch_end();
}

std::uint8_t* TapPort::transmit_begin(std::size_t length) {
    assert(length <= frame_octets_max_);  // the stack knows the MTU
    if (queued_ == slots_.size()) write_queue();
    if (queued_ == slots_.size()) {
        ++counters_.refusals;
        refused_ = true;
        return nullptr;
    }
    Slot& free = slot(queued_);
    free.size = length;
    return free.octets.get();
}

void TapPort::transmit_end() {
    Slot& added = slot(queued_);
    added.superseded = false;
    if (options_.thin_acks) {
        added.ack = view_ack({added.octets.get(), added.size});
        thin_acks(added);
    }
    ++queued_;
}

void TapPort::thin_acks(const Slot& added) {
    if (!added.ack) return;
    for (std::size_t index = queued_; index-- > 0;) {
        Slot& earlier = slot(index);
        if (earlier.superseded || !earlier.ack || !supersedes(*added.ack, *earlier.ack)) continue;
        earlier.superseded = true;
        ++counters_.acks_thinned;
        return;  // those before it fell when it came
    }
}

void TapPort::flush() {
    write_queue();
    if (!refused_ || blocked_) return;
    refused_ = false;
    receiver_->port_ready();
}

void TapPort::write_queue() {
    while (queued_ > 0 && !blocked_) {
        const Slot& next = slot(0);
        if (!next.superseded) {
            const TapDevice::Result result = device_.write({next.octets.get(), next.size});
            if (result == TapDevice::Result::later) {
                blocked_ = true;
                watch();
                return;
            }
            if (result == TapDevice::Result::gone) gone_.schedule_after(Duration::zero());
            if (result == TapDevice::Result::done) {
                ++counters_.frames_out;
                counters_.octets_out += next.size;
                if (capture_ != nullptr) capture_->write(loop_.now(), {next.octets.get(), next.size});
            } else {
                ++counters_.frames_lost;
            }
        }
        first_ = (first_ + 1) % slots_.size();
        --queued_;
    }
}

// From the loop, not from within whoever sent: it may take everything down.
void TapPort::on_gone() {
    watch_.clear();
    blocked_ = false;
    receiver_->port_gone(device_.error());
}

}  // namespace lfn
