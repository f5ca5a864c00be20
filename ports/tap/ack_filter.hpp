// SPDX-License-Identifier: BSD-3-Clause
// Which acknowledgements in a batch say nothing that a later one does not: on a TAP interface every frame costs a
// system call, and a drained batch of data deserves one acknowledgement.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace lfn {

/// What the filter looks at in an Ethernet frame that carries TCP over IPv4.
struct AckView {
    std::uint64_t addresses = 0;
    std::uint32_t ports = 0;
    std::uint32_t seq = 0;
    std::uint32_t ack = 0;
    /// Nothing but an acknowledgement: no data, no flag but ACK.
    bool pure = false;
    std::span<const std::uint8_t> options;  ///< of TCP, inside the frame
};

/// Nothing if the frame is no TCP segment over IPv4 that bears an acknowledgement, or is a fragment or malformed.
std::optional<AckView> view_ack(std::span<const std::uint8_t> ethernet_frame);

/// True if the frame of `earlier` need not be sent because that of `later` follows at once: it is a pure
/// acknowledgement, of the same connection, of less (duplicates are signals, and stay), and says the same in its
/// options (an RFC 1106 NAK is told once).
bool supersedes(const AckView& later, const AckView& earlier);

}  // namespace lfn
