// SPDX-License-Identifier: BSD-3-Clause
// Where an Ethernet controller meets its cable. Frames are in two steps, in both directions: accepted or started now,
// complete after their time on the wire. Frames run from destination address to the last data byte; preamble and FCS
// are the wire's, which counts their time.
//
// The wire knows carrier, deference, the interframe gap and collisions. The controller knows back-off and when it is
// deaf.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "emulators/time/time.hpp"

namespace lfn {

using EthernetAddress = std::array<std::uint8_t, 6>;

namespace ethernet {
constexpr Duration byte_time{800};         // 10 Mb/s
constexpr Duration interframe_gap{9'600};  // 96 bits
constexpr Duration slot_time{51'200};      // 512 bits
constexpr std::size_t preamble_bytes = 8;  // with the start delimiter
constexpr std::size_t fcs_bytes = 4;       //
constexpr std::size_t minimum_bytes = 60;  // without FCS
constexpr unsigned attempt_limit = 16;     // collisions after which a frame is given up
constexpr unsigned back_off_limit = 10;    // the range of the wait doubles no further
constexpr std::uint8_t broadcast_byte = 0xFF;

/// How long a frame of `bytes` (without FCS) keeps the wire busy, the gap after it not included.
constexpr Duration wire_time(std::size_t bytes) {
    return byte_time * static_cast<Duration::rep>(preamble_bytes + bytes + fcs_bytes);
}
}  // namespace ethernet

/// A frame as it arrives, or as it is to be sent. `bytes` is only valid during the call.
struct EthernetFrame {
    std::span<const std::uint8_t> bytes;
    bool fcs_error = false;  // arrives, or goes out on purpose, with a wrong FCS
    bool dribble = false;    // bits beyond the last whole byte
};

enum class EthernetOutcome : std::uint8_t { sent, collision };

/// A controller, as the cable sees it.
class EthernetStation {
public:
    /// A preamble passes by. Not called for the station's own frames.
    virtual void frame_started() = 0;
    /// The frame whose start was announced has passed, whole or as the fragment that a collision left. Does not follow
    /// if the station itself has taken part in that collision: it hears of it by transmission_ended().
    virtual void frame_ended(const EthernetFrame& frame) = 0;
    /// The frame given to transmit() has left, or has collided and is off the wire.
    virtual void transmission_ended(EthernetOutcome outcome) = 0;

protected:
    ~EthernetStation() = default;
};

/// A cable, as a controller sees it.
class EthernetWire {
public:
    /// Sends once the cable is free; copies what it needs. transmission_ended() follows later, never from inside this
    /// call. One frame at a time.
    virtual void transmit(EthernetStation& from, const EthernetFrame& frame) = 0;
    /// The controller stops in mid-frame, or before it could start: what has left so far is a fragment, and no
    /// transmission_ended() follows.
    virtual void abort(EthernetStation& from) = 0;

protected:
    ~EthernetWire() = default;
};

}  // namespace lfn
