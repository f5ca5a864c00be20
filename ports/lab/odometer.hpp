// SPDX-License-Identifier: BSD-3-Clause
// Counts TCP segments of one direction as they pass a tap: what any stack does can be seen on the wire.
#pragma once

#include <cstdint>
#include <optional>

#include "emulators/link/stage.hpp"

namespace lfn::lab {

/// The TCP segment in an IPv4 datagram, as far as the odometer needs it; nothing if it is none.
struct SegmentView {
    std::uint32_t seq;
    std::uint8_t flags;
    std::uint32_t payload_octets;
};
std::optional<SegmentView> view_segment(std::span<const std::uint8_t> datagram);

class Odometer final : public FrameObserver {
public:
    void observe(Time, const Frame& frame) override { count(frame.octets()); }
    /// An IPv4 datagram passes; anything else counts for nothing.
    void count(std::span<const std::uint8_t> datagram);

    std::uint64_t segments() const { return segments_; }
    /// Octets of payload, repeated ones included.
    std::uint64_t payload_octets() const { return payload_octets_; }
    /// Segments that take up sequence numbers (payload, SYN or FIN) of which at least the first had passed before.
    std::uint64_t retransmitted_segments() const { return retransmitted_segments_; }
    std::uint64_t retransmitted_octets() const { return retransmitted_octets_; }

private:
    std::uint64_t segments_ = 0;
    std::uint64_t payload_octets_ = 0;
    std::uint64_t retransmitted_segments_ = 0;
    std::uint64_t retransmitted_octets_ = 0;
    std::optional<std::uint32_t> next_;  // one past the highest sequence number seen
};

}  // namespace lfn::lab
