// SPDX-License-Identifier: BSD-3-Clause
#include "memory_wire.hpp"

#include <algorithm>
#include <span>

namespace lfn::bench {
namespace {

constexpr std::uint32_t sender_address = 0x0a000001;
constexpr std::uint32_t receiver_address = 0x0a000002;
constexpr std::uint16_t port = 5001;
constexpr std::uint16_t mtu = 1500;
constexpr std::uint32_t patience_ms = 60'000;    // without a packet
constexpr std::size_t pattern_size = 251 * 256;  // no power of two, so that pieces in the wrong place show

std::vector<std::uint8_t> make_pattern() {
    std::vector<std::uint8_t> pattern(pattern_size);
    std::uint32_t state = 1;
    for (auto& octet : pattern) {
        state = state * 1664525 + 1013904223;
        octet = static_cast<std::uint8_t>(state >> 24);
    }
    return pattern;
}

}  // namespace

std::uint8_t* FrameQueue::begin(std::size_t length) {
    if (length > largest) return nullptr;
    if (count_ == frames_.size()) frames_.emplace_back();
    Frame& frame = frames_[count_++];
    frame.length = length;
    return frame.octets.data();
}

void FrameQueue::pop() {
    if (++first_ == count_) first_ = count_ = 0;
}

MemoryTransfer::MemoryTransfer(const lfn_stack& stack, const lfn_tcp_settings& settings, std::uint64_t octets)
    : stack_(stack), settings_(settings), octets_(octets), pattern_(make_pattern()) {
    start(sender, sender_address);
    start(receiver, receiver_address);
}

MemoryTransfer::~MemoryTransfer() {
    for (End& end : ends_) {
        stack_.enter(end.image.data());
        stack_.shutdown();
        stack_.enter(nullptr);
    }
}

void MemoryTransfer::start(Side side, std::uint32_t address) {
    End& end = ends_[side];
    end.transfer = this;
    end.random = side + 1U;
    end.image.resize((stack_.image_size() + 7) / 8);
    stack_.image_init(end.image.data());
    stack_.enter(end.image.data());

    lfn_stack_env env{};
    env.context = &end;
    env.now_ms = [](void* self) { return static_cast<End*>(self)->transfer->now_ms_; };
    env.random = [](void* self) { return static_cast<End*>(self)->random += 0x9e3779b9U; };
    env.transmit_begin = [](void* self, std::size_t length) {
        auto& from = *static_cast<End*>(self);
        const Side other = &from == &from.transfer->ends_[sender] ? receiver : sender;
        return from.transfer->ends_[other].arriving.begin(length);
    };
    env.transmit_end = [](void*) {};
    lfn_interface interface {};
    interface.kind = LFN_LINK_POINT_TO_POINT;
    interface.address = address;
    interface.netmask = 0xffffff00;
    interface.mtu = mtu;
    stack_.init(&env, &interface, &settings_);
}

bool MemoryTransfer::connect() {
    static constexpr lfn_conn_events sending = {
        .connected = [](void* self) { static_cast<MemoryTransfer*>(self)->connected_ = true; },
        .received = nullptr,
        .says_what_it_consumed = false,
        .acknowledged = [](void* self, std::uint32_t) { static_cast<MemoryTransfer*>(self)->write(); },
        .peer_closed = nullptr,
        .gone = [](void* self, const char*) { static_cast<MemoryTransfer*>(self)->conn_ = nullptr; },
    };
    static constexpr lfn_conn_events receiving = {
        .connected = nullptr,
        .received =
            [](void* self, const std::uint8_t* octets, std::size_t length) {
                static_cast<MemoryTransfer*>(self)->arrived_.add({octets, length});
            },
        .says_what_it_consumed = false,
        .acknowledged = nullptr,
        .peer_closed = nullptr,
        .gone = nullptr,
    };
    static constexpr lfn_listener_events listening = {
        .accepted =
            [](void* self, lfn_conn*, const lfn_conn_events** events, void** context) {
                *events = &receiving;
                *context = self;
                return true;
            },
    };
    stack_.enter(ends_[receiver].image.data());
    listener_ = stack_.listen(port, &settings_, &listening, this);
    stack_.enter(ends_[sender].image.data());
    conn_ = stack_.connect(receiver_address, port, &settings_, &sending, this);
    while (listener_ != nullptr && conn_ != nullptr && !connected_ && deliver()) {
    }
    return connected_;
}

bool MemoryTransfer::deliver(End& to) {
    if (to.arriving.empty()) return false;
    stack_.enter(to.image.data());
    for (; !to.arriving.empty(); to.arriving.pop()) {
        const auto frame = to.arriving.front();
        stack_.input(frame.data(), frame.size());
        ++packets_;
    }
    return true;
}

bool MemoryTransfer::deliver() {
    const bool forward = deliver(ends_[receiver]);
    return deliver(ends_[sender]) || forward;
}

bool MemoryTransfer::wait() {
    std::uint32_t delay_ms = UINT32_MAX;
    for (End& end : ends_) {
        stack_.enter(end.image.data());
        delay_ms = std::min(delay_ms, stack_.timer_delay_ms());
    }
    if (delay_ms > patience_ms) return false;
    now_ms_ += std::max(delay_ms, 1U);
    for (End& end : ends_) {
        stack_.enter(end.image.data());
        stack_.run_timers();
    }
    return true;
}

// Called with the sender's instance current.
void MemoryTransfer::write() {
    while (conn_ != nullptr && written_ < octets_) {
        const auto at = static_cast<std::size_t>(written_ % pattern_.size());
        const std::size_t length = std::min<std::uint64_t>(pattern_.size() - at, octets_ - written_);
        const std::size_t taken = stack_.write(conn_, pattern_.data() + at, length);
        written_ += taken;
        if (taken < length) return;
    }
}

void MemoryTransfer::run() {
    stack_.enter(ends_[sender].image.data());
    write();
    if (conn_ != nullptr) stack_.flush(conn_);
    std::uint32_t moved_ms = now_ms_;
    while (conn_ != nullptr && arrived_.octets() < octets_ && now_ms_ - moved_ms < patience_ms) {
        if (deliver()) {
            moved_ms = now_ms_;
        } else if (!wait()) {
            return;
        }
    }
}

bool MemoryTransfer::intact() const {
    Digest sent;
    while (sent.octets() < octets_) {
        const std::size_t length = std::min<std::uint64_t>(pattern_.size(), octets_ - sent.octets());
        sent.add({pattern_.data(), length});
    }
    return sent == arrived_;
}

}  // namespace lfn::bench
