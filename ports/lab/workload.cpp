// SPDX-License-Identifier: BSD-3-Clause
#include "ports/lab/workload.hpp"

#include <algorithm>
#include <cstdio>
#include <new>

namespace lfn::lab {

Digest::Digest() : state_(XXH3_createState()) {
    if (state_ == nullptr) throw std::bad_alloc();
    XXH3_128bits_reset(state_.get());
}

void Digest::add(const std::uint8_t* octets, std::size_t length) {
    XXH3_128bits_update(state_.get(), octets, length);
    octets_ += length;
}

std::string Digest::text() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
    char buffer[33];
    std::snprintf(buffer, sizeof(buffer), "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                  static_cast<unsigned long long>(hash.low64));
    return buffer;
}

bool operator==(const Digest& left, const Digest& right) {
    return left.octets_ == right.octets_ &&
           XXH128_isEqual(XXH3_128bits_digest(left.state_.get()), XXH3_128bits_digest(right.state_.get())) != 0;
}

Pattern::Pattern(std::uint64_t seed) : block_(2048), piece_(block_.size()) {
    Random random(seed, "source/pattern");
    for (auto& word : block_) word = random.next_u64();
}

std::span<const std::uint8_t> Pattern::next() {
    const std::uint64_t mark = ++pieces_ * 0x9e3779b97f4a7c15U;
    for (std::size_t i = 0; i < piece_.size(); ++i) piece_[i] = block_[i] ^ mark;
    return {reinterpret_cast<const std::uint8_t*>(piece_.data()), piece_.size() * sizeof(std::uint64_t)};
}

Digest digest_of_pattern(std::uint64_t seed, std::uint64_t octets) {
    Pattern pattern(seed);
    Digest digest;
    while (digest.octets() < octets) {
        const auto piece = pattern.next();
        digest.add(piece.data(),
                   static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), octets - digest.octets())));
    }
    return digest;
}

// ---- the source ----

const lfn_conn_events Source::events = {
    .connected = [](void* self) { static_cast<Source*>(self)->fill(); },
    .received = nullptr,
    .says_what_it_consumed = false,
    .acknowledged = [](void* self, std::uint32_t) { static_cast<Source*>(self)->fill(); },
    .peer_closed = [](void* self) { static_cast<Source*>(self)->on_peer_closed(); },
    .gone =
        [](void* self, const char* reason) {
            auto& source = *static_cast<Source*>(self);
            source.conn_ = nullptr;
            source.end_.failure = reason;
        },
};

Source::Source(StackHost& host, Loop& loop, std::uint64_t octets, std::uint64_t seed)
    : host_(host), loop_(loop), left_(octets), pattern_(seed) {}

Source::~Source() {
    if (conn_ != nullptr) host_.with_stack([&](const lfn_stack& s) { s.abort(conn_); });
}

bool Source::start(std::uint32_t address, std::uint16_t port, const lfn_tcp_settings& settings) {
    end_.first = loop_.now();
    conn_ = host_.with_stack([&](const lfn_stack& s) { return s.connect(address, port, &settings, &events, this); });
    if (conn_ == nullptr) end_.failure = "the stack refused to connect";
    return conn_ != nullptr;
}

lfn_tcp_info Source::info() {
    if (conn_ != nullptr) host_.with_stack([&](const lfn_stack& s) { s.info(conn_, &end_.info); });
    return end_.info;
}

void Source::next_piece() {
    piece_ = pattern_.next();
    piece_ = piece_.first(static_cast<std::size_t>(std::min<std::uint64_t>(left_, piece_.size())));
    end_.digest.add(piece_.data(), piece_.size());
}

// Called from within the stack: the instance is current.
void Source::fill() {
    const lfn_stack& stack = host_.stack();
    while (left_ > 0) {
        if (piece_.empty()) next_piece();
        const std::size_t taken = stack.write(conn_, piece_.data(), piece_.size());
        if (taken == 0) return;
        piece_ = piece_.subspan(taken);
        left_ -= taken;
        if (left_ == 0) end_.last = loop_.now();
    }
    if (!finish_sent_) finish_sent_ = stack.finish(conn_);
}

void Source::on_peer_closed() {
    const lfn_stack& stack = host_.stack();
    stack.info(conn_, &end_.info);
    end_.finished = left_ == 0 && finish_sent_;
    stack.close(conn_);
    conn_ = nullptr;
}

// ---- the sink ----

const lfn_conn_events Sink::events = {
    .connected = nullptr,
    .received =
        [](void* self, const std::uint8_t* octets, std::size_t length) {
            auto& sink = *static_cast<Sink*>(self);
            sink.end_.digest.add(octets, length);
            sink.end_.last = sink.loop_.now();
        },
    .says_what_it_consumed = false,
    .acknowledged = nullptr,
    .peer_closed =
        [](void* self) {
            auto& sink = *static_cast<Sink*>(self);
            const lfn_stack& stack = sink.host_.stack();
            stack.info(sink.conn_, &sink.end_.info);
            sink.end_.finished = true;
            stack.close(sink.conn_);
            sink.conn_ = nullptr;
        },
    .gone =
        [](void* self, const char* reason) {
            auto& sink = *static_cast<Sink*>(self);
            sink.conn_ = nullptr;
            sink.end_.failure = reason;
        },
};

const lfn_listener_events Sink::listener_events = {
    .accepted =
        [](void* self, lfn_conn* conn, const lfn_conn_events** conn_events, void** context) {
            auto& sink = *static_cast<Sink*>(self);
            if (sink.conn_ != nullptr) return false;
            sink.conn_ = conn;
            sink.end_.first = sink.loop_.now();
            *conn_events = &events;
            *context = self;
            return true;
        },
};

Sink::~Sink() {
    host_.with_stack([&](const lfn_stack& s) {
        if (conn_ != nullptr) s.abort(conn_);
        if (listener_ != nullptr) s.close(listener_);
    });
}

bool Sink::start(std::uint16_t port, const lfn_tcp_settings& settings) {
    listener_ = host_.with_stack([&](const lfn_stack& s) { return s.listen(port, &settings, &listener_events, this); });
    if (listener_ == nullptr) end_.failure = "the stack refused to listen";
    return listener_ != nullptr;
}

lfn_tcp_info Sink::info() {
    if (conn_ != nullptr) host_.with_stack([&](const lfn_stack& s) { s.info(conn_, &end_.info); });
    return end_.info;
}

}  // namespace lfn::lab
