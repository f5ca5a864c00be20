// SPDX-License-Identifier: BSD-3-Clause
// What a stage counts. Every frame that came in has gone out, was dropped for a named cause, or is still held:
// in + duplicated = out + dropped + queued, in frames and in octets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lfn {

struct FrameCount {
    std::uint64_t frames = 0;
    std::uint64_t octets = 0;

    void add(std::size_t size) {
        ++frames;
        octets += size;
    }
    void remove(std::size_t size) {
        --frames;
        octets -= size;
    }
    FrameCount& operator+=(const FrameCount& other) {
        frames += other.frames;
        octets += other.octets;
        return *this;
    }
    friend bool operator==(const FrameCount&, const FrameCount&) = default;
};

enum class DropCause : std::uint8_t {
    queue_full,   ///< accept() found no room; offer() refuses instead and counts in `refused`
    bit_error,    ///< BitErrors: the link's checksum failed
    burst_error,  ///< GilbertElliott
    outage,       ///< Outage
    chosen,       ///< DropList: a test said so
    aqm,          ///< accept() would have marked it, but its sender cannot take a mark
};
inline constexpr std::size_t drop_cause_count = 6;

/// The cause's name as reports print it, "bit_error".
std::string_view name_of(DropCause cause);

struct Counters {
    FrameCount in;
    FrameCount out;
    FrameCount queued;
    FrameCount duplicated;
    /// Offers that were refused; the frame stayed with the caller, so it is no part of the sum.
    FrameCount refused;
    /// Marked instead of dropped (RFC 3168); they went on, so they are no part of the sum.
    FrameCount marked;
    std::array<FrameCount, drop_cause_count> dropped_by_cause{};

    FrameCount& dropped(DropCause cause) { return dropped_by_cause[static_cast<std::size_t>(cause)]; }
    const FrameCount& dropped(DropCause cause) const { return dropped_by_cause[static_cast<std::size_t>(cause)]; }
    FrameCount dropped() const;
    /// in + duplicated = out + dropped + queued.
    bool balanced() const;
};

}  // namespace lfn
