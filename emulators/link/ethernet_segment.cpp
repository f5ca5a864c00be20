// SPDX-License-Identifier: BSD-3-Clause
#include "emulators/link/ethernet_segment.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lfn {

EthernetSegment::EthernetSegment(Loop& loop, const Config& config)
    : loop_(loop),
      config_(config),
      random_(config.seed, "ethernet-segment/noise"),
      free_(loop, Callback::bind<&EthernetSegment::start_waiting>(*this)),
      end_(loop, Callback::bind<&EthernetSegment::end>(*this)) {}

void EthernetSegment::attach(EthernetStation& station) {
    assert(std::ranges::count(stations_, &station) == 0);
    stations_.push_back(&station);
}

void EthernetSegment::detach(EthernetStation& station) {
    abort(station);
    std::erase(stations_, &station);
    std::ranges::replace(listeners_, &station, nullptr);
}

void EthernetSegment::transmit(EthernetStation& from, const EthernetFrame& frame) {
    Transmission transmission{&from, {frame.bytes.begin(), frame.bytes.end()}, frame.fcs_error};
    const bool carrier_heard = carrier() && (collision_ || loop_.now() - carrier_since_ >= config_.propagation);
    if (carrier_heard || free_.pending()) {
        ++counters_.deferred;
        waiting_.push_back(std::move(transmission));
    } else {
        start(std::move(transmission));
    }
}

void EthernetSegment::start(Transmission transmission) {
    ++counters_.started;
    const Duration wire_time = ethernet::wire_time(transmission.bytes.size());
    active_.push_back(std::move(transmission));
    if (active_.size() == 1) {
        carrier_since_ = loop_.now();
        end_.schedule_after(wire_time);
        announce();
    } else if (!collision_) {
        collide();
    }
}

/// The colliders learn of each other one propagation time from now at the latest, and jam from then on.
void EthernetSegment::collide() {
    collision_ = true;
    ++counters_.collisions;
    end_.schedule_after(config_.propagation + jam_time);
}

/// Those who deferred start at the same instant.
void EthernetSegment::start_waiting() {
    for (std::size_t left = waiting_.size(); left > 0 && !waiting_.empty(); --left) {
        Transmission transmission = std::move(waiting_.front());
        waiting_.erase(waiting_.begin());
        start(std::move(transmission));
    }
}

/// All hear it but its sender.
void EthernetSegment::announce() {
    listeners_ = stations_;
    std::erase(listeners_, active_.front().from);
    for (std::size_t i = 0; i < listeners_.size(); ++i) {
        if (listeners_[i] != nullptr) listeners_[i]->frame_started();
    }
}

std::size_t EthernetSegment::bytes_so_far() const {
    const auto on_wire = static_cast<std::size_t>((loop_.now() - carrier_since_) / ethernet::byte_time);
    const std::size_t frame = on_wire < ethernet::preamble_bytes ? 0 : on_wire - ethernet::preamble_bytes;
    return std::min(frame, active_.front().bytes.size());
}

void EthernetSegment::end() {
    const bool collided = std::exchange(collision_, false);
    const std::size_t size = collided ? bytes_so_far() : active_.front().bytes.size();
    release();
    ending_ = std::move(active_);
    active_.clear();
    const std::vector<std::uint8_t> bytes(ending_.front().bytes.begin(),
                                          ending_.front().bytes.begin() + static_cast<std::ptrdiff_t>(size));
    if (collided) {
        counters_.collided += ending_.size();
        deliver({.bytes = bytes, .fcs_error = true});
    } else {
        ++counters_.carried;
        deliver({.bytes = bytes, .fcs_error = noise_hits() || ending_.front().fcs_error});
    }
    // A station may abort, or start anew, while it or another is told: what it takes back is gone from ending_.
    while (!ending_.empty()) {
        EthernetStation* station = ending_.front().from;
        ending_.erase(ending_.begin());
        station->transmission_ended(collided ? EthernetOutcome::collision : EthernetOutcome::sent);
    }
}

bool EthernetSegment::noise_hits() {
    if (config_.frame_error_rate <= 0 || !random_.chance(config_.frame_error_rate)) return false;
    ++counters_.damaged;
    return true;
}

/// The carrier is gone; the gap begins.
void EthernetSegment::release() {
    counters_.busy += loop_.now() - carrier_since_;
    free_.schedule_after(ethernet::interframe_gap);
}

/// To all that heard the start, but for those who began to send after it: they hear the collision.
void EthernetSegment::deliver(const EthernetFrame& frame) {
    for (const Transmission& transmission : ending_) std::ranges::replace(listeners_, transmission.from, nullptr);
    for (std::size_t i = 0; i < listeners_.size(); ++i) {
        if (listeners_[i] != nullptr) listeners_[i]->frame_ended(frame);
    }
    listeners_.clear();
}

bool EthernetSegment::take(std::vector<Transmission>& list, const EthernetStation& from) {
    return std::erase_if(list, [&](const Transmission& transmission) { return transmission.from == &from; }) != 0;
}

void EthernetSegment::abort(EthernetStation& from) {
    if (take(waiting_, from) || take(ending_, from)) return;
    const bool sends = std::ranges::any_of(active_, [&](const Transmission& active) { return active.from == &from; });
    if (!sends) return;
    ++counters_.aborted;
    if (active_.size() > 1) {  // the others go on jamming
        take(active_, from);
        return;
    }
    const std::size_t size = bytes_so_far();
    const Transmission cut = std::move(active_.front());
    active_.clear();
    collision_ = false;
    end_.cancel();
    release();
    deliver({.bytes = std::span(cut.bytes).first(size), .fcs_error = true});
}

}  // namespace lfn
