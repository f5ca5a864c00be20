// SPDX-License-Identifier: BSD-3-Clause
// Where a ProNET station meets its ring. A message runs from destination to the last data byte; the begin and end
// marks, the parity bit and the refuse bit are the ring's. Every message passes every station in the ring and comes
// back to its originator, with the refuse bit clear if somebody copied it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "emulators/time/time.hpp"

namespace lfn {

namespace pronet {
constexpr Duration bit_time{100};            // 10 Mb/s
constexpr std::uint8_t broadcast = 0xFF;     // boards from before August 1982 used 00
constexpr std::size_t maximum_bytes = 2046;  // with the two addresses; 4.3BSD if_vv.c, RFC 1030
/// Begin mark 10, end mark 9, parity 1, refuse 1 (D. Comer's description of the ProNET-10 frame).
constexpr unsigned framing_bits = 21;

/// How long a message of `bytes` takes to leave.
constexpr Duration wire_time(std::size_t bytes) {
    return bit_time * static_cast<Duration::rep>(bytes * 8 + framing_bits);
}
}  // namespace pronet

/// `bytes` is only valid during the call.
struct RingMessage {
    std::span<const std::uint8_t> bytes;
    bool parity_error = false;
    bool bad_format = false;
};

/// What the originator learns when its message is back.
struct RingReturn {
    bool refused = false;     // nobody copied it
    bool bad_format = false;  // it came back malformed
};

/// A station, as the ring sees it.
class RingStation {
public:
    /// The addresses of a message are passing.
    virtual void message_started(std::uint8_t destination) = 0;
    /// The message whose start was announced has passed. True if the station has copied it, which clears the refuse
    /// bit.
    virtual bool message_ended(const RingMessage& message) = 0;
    /// The token is here: the message given to originate() begins to leave.
    virtual void token_seized() = 0;
    /// The message is back and stripped. It was announced to the originator as well before this.
    virtual void message_returned(RingReturn result) = 0;

protected:
    ~RingStation() = default;
};

/// A ring, as a station sees it.
class RingWire {
public:
    /// Sends when the token comes by; copies what it needs. `may_create_token` lets the ring be initialised if it is
    /// not OK. No call back comes from inside this call. One message at a time.
    virtual void originate(RingStation& from, std::span<const std::uint8_t> bytes, bool may_create_token) = 0;
    /// Takes the message back: one that waits for the token never leaves, one under way is cut off. Nothing is
    /// returned.
    virtual void withdraw(RingStation& from) = 0;
    /// Closes or opens the relay. A message under way when its originator leaves is cut off, as by withdraw().
    virtual void set_relay(RingStation& station, bool in_ring) = 0;
    /// A token, or a message, is going round.
    virtual bool ring_ok() const = 0;

protected:
    ~RingWire() = default;
};

}  // namespace lfn
