// SPDX-License-Identifier: BSD-3-Clause
// Two instances of one build of the stack, joined by queues in memory, and a transfer from one to the other.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lfn/stack.h"
#include "ports/digest/digest.hpp"

namespace lfn::bench {

/// Frames on their way to one of the two ends; grows to what a window needs and stays.
class FrameQueue {
public:
    std::uint8_t* begin(std::size_t length);
    bool empty() const { return first_ == count_; }
    /// The oldest; valid until begin().
    std::span<const std::uint8_t> front() const { return {frames_[first_].octets.data(), frames_[first_].length}; }
    void pop();

private:
    static constexpr std::size_t largest = 1500;
    struct Frame {
        std::size_t length;
        std::array<std::uint8_t, largest> octets;
    };
    std::vector<Frame> frames_;
    std::size_t first_ = 0;
    std::size_t count_ = 0;
};

/// One transfer. `stack` and the settings are both ends'; the defaults of the build hold where they are zero.
class MemoryTransfer {
public:
    MemoryTransfer(const lfn_stack& stack, const lfn_tcp_settings& settings, std::uint64_t octets);
    ~MemoryTransfer();
    MemoryTransfer(const MemoryTransfer&) = delete;
    MemoryTransfer& operator=(const MemoryTransfer&) = delete;

    /// The handshake. False: it failed.
    bool connect();
    /// To the last octet, or until nothing moves any more.
    void run();
    /// All octets came, in order: the digest of what arrived is that of what was sent.
    bool intact() const;
    /// So far, both directions.
    std::uint64_t packets() const { return packets_; }

private:
    struct End {
        MemoryTransfer* transfer;
        FrameQueue arriving;
        std::vector<std::uint64_t> image;  // of the stack's globals
        std::uint32_t random;
    };
    enum Side : std::uint8_t { sender, receiver };

    void start(Side side, std::uint32_t address);
    /// Hands over what is under way, in turns. False: nothing was.
    bool deliver();
    bool deliver(End& to);
    /// Nothing is under way: on to the next timer. False: there is none soon.
    bool wait();
    void write();

    const lfn_stack& stack_;
    lfn_tcp_settings settings_;
    std::uint64_t octets_;
    std::uint64_t written_ = 0;
    std::uint64_t packets_ = 0;
    std::uint32_t now_ms_ = 0;
    bool connected_ = false;
    std::vector<std::uint8_t> pattern_;
    Digest arrived_;
    lfn_conn* conn_ = nullptr;
    lfn_conn* listener_ = nullptr;
    End ends_[2];
};

}  // namespace lfn::bench
