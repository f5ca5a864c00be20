// SPDX-License-Identifier: BSD-3-Clause
#include "ports/bridge/port_pair.hpp"

namespace lfn {

namespace {

constexpr std::size_t held_frames_max = 2;

}  // namespace

PortPair::PortPair(Loop& loop, std::size_t frame_octets_max)
    : pool_(frame_octets_max), ends_{PairedPort(loop, pool_), PairedPort(loop, pool_)} {
    ends_[0].join(ends_[1]);
    ends_[1].join(ends_[0]);
}

std::uint8_t* PairedPort::transmit_begin(std::size_t length) {
    if (sent_.size() >= held_frames_max) {
        refused_ = true;
        return nullptr;
    }
    filling_ = pool_.make(length);
    return filling_->data();
}

void PairedPort::transmit_end() {
    sent_.push_back(std::move(filling_));
}

// From the loop: the peer may be what is sending at this moment.
void PairedPort::flush() {
    if (!sent_.empty() && !peer_->paused_ && !delivery_.pending()) delivery_.schedule_after(Duration::zero());
}

void PairedPort::resume_reading() {
    paused_ = false;
    peer_->flush();
}

void PairedPort::deliver() {
    if (peer_->receiver_ == nullptr) return sent_.clear();
    peer_->receiver_->batch_begin();
    for (std::size_t count = sent_.size(); count > 0 && !peer_->paused_; --count) {
        peer_->receiver_->receive(sent_.pop_front()->octets());
    }
    peer_->receiver_->batch_end();
    if (!refused_ || peer_->paused_) return;
    refused_ = false;
    if (receiver_ != nullptr) receiver_->port_ready();
}

}  // namespace lfn
