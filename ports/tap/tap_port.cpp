// SPDX-License-Identifier: BSD-3-Clause
#include "ports/tap/tap_port.hpp"

#include <cassert>

namespace lfn {

namespace {

std::size_t packets_of(const VnetFrame& received) {
    if (received.gso_size == 0) return 1;
    const auto tcp = view_tcp(received.frame);
    return tcp ? (tcp->payload_octets + received.gso_size - 1) / received.gso_size : 1;
}

}  // namespace

TapPort::TapPort(RealtimeLoop& loop, TapDevice& device, const TapPortOptions& options)
    : loop_(loop),
      device_(device),
      options_(options),
      frame_octets_max_(device.mtu() + ethernet_header_octets),
      watch_(loop, Callback::bind<&TapPort::on_ready>(*this)),
      gone_(loop, Callback::bind<&TapPort::on_gone>(*this)),
      incoming_(tap_message_octets_max),
      queue_(options.queue_frames, frame_octets_max_, device.offload(), options.thin_acks) {}

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
        receive({incoming_.data(), size});
        if (paused_) break;
    }
    receiver_->batch_end();
}

void TapPort::receive(std::span<const std::uint8_t> message) {
    if (!device_.offload()) {
        ++counters_.packets_in;
        return deliver(message, false);
    }
    const auto received = parse_vnet(message);
    if (!received) {
        ++counters_.frames_refused;
        return;
    }
    counters_.packets_in += packets_of(*received);
    deliver(received->frame, received->verified);
}

void TapPort::deliver(std::span<const std::uint8_t> frame, bool verified) {
    ++counters_.frames_in;
    counters_.octets_in += frame.size();
    if (capture_ != nullptr) capture_->write(loop_.now(), frame);
    verified ? receiver_->receive_verified(frame) : receiver_->receive(frame);
}

std::uint8_t* TapPort::transmit_begin(std::size_t length) {
    assert(length <= frame_octets_max_);  // the stack knows the MTU
    if (queue_.full()) write_queue();
    if (queue_.full()) {
        ++counters_.refusals;
        refused_ = true;
        return nullptr;
    }
    return queue_.begin(length);
}

void TapPort::transmit_end() {
    queue_.end();
    counters_.acks_thinned = queue_.acks_thinned();
}

void TapPort::flush() {
    if (device_.merges()) queue_.push_last();
    write_queue();
    if (!refused_ || blocked_) return;
    refused_ = false;
    receiver_->port_ready();
}

void TapPort::write_queue() {
    while (!queue_.empty() && !blocked_) {
        if (queue_[0].superseded) {
            queue_.pop(1);
            continue;
        }
        const std::size_t packets = train_.build(queue_, device_.offload());
        const TapDevice::Result result = device_.write(train_.pieces());
        if (result == TapDevice::Result::later) {
            blocked_ = true;
            watch();
            return;
        }
        account(result, packets);
        queue_.pop(packets);
    }
}

void TapPort::account(TapDevice::Result result, std::size_t packets) {
    if (result == TapDevice::Result::gone) gone_.schedule_after(Duration::zero());
    if (result != TapDevice::Result::done) {
        counters_.frames_lost += packets;
        return;
    }
    ++counters_.frames_out;
    counters_.packets_out += packets;
    counters_.octets_out += train_.frame_octets();
    if (capture_ != nullptr) capture_->write(loop_.now(), train_.frame());
}

// From the loop, not from within whoever sent: it may take everything down.
void TapPort::on_gone() {
    watch_.clear();
    blocked_ = false;
    receiver_->port_gone(device_.error());
}

}  // namespace lfn
