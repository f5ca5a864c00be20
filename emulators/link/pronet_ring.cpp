// SPDX-License-Identifier: BSD-3-Clause
#include "emulators/link/pronet_ring.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lfn {

PronetRing::PronetRing(Loop& loop, const Config& config)
    : loop_(loop),
      config_(config),
      random_(config.seed, "pronet-ring/noise"),
      token_timer_(loop, Callback::bind<&PronetRing::on_token>(*this)),
      return_timer_(loop, Callback::bind<&PronetRing::on_return>(*this)) {
    assert(config.hop > Duration{});
}

void PronetRing::attach(RingStation& station) {
    places_.push_back({.station = &station, .message = {}});
}

PronetRing::Place& PronetRing::place_of(const RingStation& station) {
    const auto place = std::ranges::find(places_, &station, [](const Place& p) { return p.station; });
    assert(place != places_.end());
    return *place;
}

Duration PronetRing::latency() const {
    const auto in_ring = std::ranges::count_if(places_, [](const Place& place) { return place.in_ring; });
    return config_.hop * (in_ring + static_cast<Duration::rep>(config_.silent_stations));
}

/// Hops from the place that the token left; a full round for that place itself.
std::size_t PronetRing::hops_to(std::size_t index) const {
    std::size_t hops = 0;
    std::size_t at = token_from_;
    do {
        if (++at == places_.size()) {
            at = 0;
            hops += config_.silent_stations;
        }
        if (places_[at].in_ring) ++hops;
    } while (at != index);
    return hops;
}

/// When the token, left to itself, next passes the place.
Time PronetRing::token_at(std::size_t index) const {
    const Time first = token_left_ + config_.hop * static_cast<Duration::rep>(hops_to(index));
    const Time now = loop_.now();
    if (first >= now) return first;
    const Duration round = latency();
    const Duration late = now - first;
    return first + round * ((late + round - Duration(1)) / round);
}

/// Books the next seizure: of the token if there is one, else of one that may be made.
void PronetRing::look_for_token() {
    token_timer_.cancel();
    if (sender_ != nullptr) return;
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const Place& place = places_[i];
        if (!place.waiting || (!token_ && !place.may_create_token)) continue;
        const Time due = token_ ? token_at(i) : std::max(place.asked, silent_since_) + config_.recovery;
        if (token_timer_.pending() && token_timer_.due() <= due) continue;
        token_timer_.schedule_at(due);
        next_place_ = i;
    }
}

void PronetRing::on_token() {
    if (!token_) ++counters_.tokens_made;
    seize(places_[next_place_]);
}

void PronetRing::seize(Place& place) {
    ++counters_.seized;
    token_ = false;
    token_from_ = next_place_;
    sender_ = place.station;
    place.waiting = false;
    on_ring_ = std::move(place.message);
    message_since_ = loop_.now();
    return_timer_.schedule_after(latency() + pronet::wire_time(on_ring_.size()));
    sender_->token_seized();
    for (std::size_t i = 0; i < places_.size() && sender_ != nullptr; ++i) {
        if (places_[i].in_ring) places_[i].station->message_started(on_ring_[0]);
    }
}

/// Everybody in ring order from the sender's neighbour to the sender. True if somebody has copied it.
bool PronetRing::pass_message(bool parity_error, bool bad_format) {
    const std::vector<std::uint8_t> bytes = std::move(on_ring_);
    bool copied = false;
    for (std::size_t step = 1; step <= places_.size(); ++step) {
        const Place& place = places_[(token_from_ + step) % places_.size()];
        if (!place.in_ring) continue;
        copied |= place.station->message_ended({bytes, parity_error, bad_format});
    }
    return copied;
}

void PronetRing::on_return() {
    const bool damaged = config_.message_error_rate > 0 && random_.chance(config_.message_error_rate);
    counters_.busy += loop_.now() - message_since_;
    ++counters_.returned;
    if (damaged) ++counters_.damaged;
    const bool copied = pass_message(damaged, false);
    if (!copied) ++counters_.refused;
    // A listener of a station's interrupt may have taken the sender off the ring just now.
    RingStation* sender = std::exchange(sender_, nullptr);
    token_ = latency() > Duration{};  // else everybody has left meanwhile
    silent_since_ = loop_.now();
    token_left_ = loop_.now();
    look_for_token();
    if (sender != nullptr) sender->message_returned({.refused = !copied, .bad_format = false});
}

void PronetRing::originate(RingStation& from, std::span<const std::uint8_t> bytes, bool may_create_token) {
    Place& place = place_of(from);
    assert(place.in_ring && !place.waiting && sender_ != &from && !bytes.empty());
    place.waiting = true;
    place.may_create_token = may_create_token;
    place.asked = loop_.now();
    place.message.assign(bytes.begin(), bytes.end());
    look_for_token();
}

void PronetRing::withdraw(RingStation& from) {
    Place& place = place_of(from);
    if (std::exchange(place.waiting, false)) look_for_token();
    if (sender_ == &from) cut_message();
}

/// Nobody strips the rest and nobody passes a token on.
void PronetRing::cut_message() {
    sender_ = nullptr;
    if (!return_timer_.pending()) return;  // all of it has gone round: the sender is being told
    return_timer_.cancel();
    counters_.busy += loop_.now() - message_since_;
    ++counters_.cut;
    ++counters_.tokens_lost;
    silent_since_ = loop_.now();
    pass_message(false, true);
    look_for_token();
}

void PronetRing::set_relay(RingStation& station, bool in_ring) {
    Place& place = place_of(station);
    if (!in_ring) withdraw(station);
    place.in_ring = in_ring;
    if (latency() == Duration{}) lose_token();
    look_for_token();
}

void PronetRing::lose_token() {
    if (!std::exchange(token_, false)) return;
    ++counters_.tokens_lost;
    silent_since_ = loop_.now();
    look_for_token();
}

}  // namespace lfn
