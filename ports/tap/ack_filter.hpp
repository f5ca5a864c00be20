// SPDX-License-Identifier: BSD-3-Clause
// Which acknowledgements in a batch say nothing that a later one does not: on a TAP interface every frame costs a
// system call, and a drained batch of data deserves one acknowledgement.
#pragma once

#include "ports/tap/tcp_view.hpp"

namespace lfn {

/// Nothing but an acknowledgement: no data, no flag but ACK (ECE and CWR, too, make it more than that).
bool is_pure_ack(const TcpView& segment);

/// True if `earlier` need not be sent because `later` follows at once: it is a pure acknowledgement, of the same
/// connection, of less (duplicates are signals, and stay), and says the same in its options (an RFC 1106 NAK is told
/// once).
bool supersedes(const TcpView& later, const TcpView& earlier);

}  // namespace lfn
