// SPDX-License-Identifier: BSD-3-Clause
// lwIP's own applications on an instance.
#pragma once

#include "lfn/stack.h"
#include "lwip/tcp.h"

namespace lfn {

// Of the current instance; null if nobody listens there. lwIP has listeners and connections in different structures
// that begin alike.
tcp_pcb* listener_on(u16_t port);

namespace http {
bool serve(u16_t port, const lfn_tcp_settings* wanted, const lfn_http_files* from);
}

namespace iperf {
bool serve(u16_t port, const lfn_tcp_settings* wanted, const lfn_iperf_events* events, void* context);
// Stops listening, and tells no more. Its connections end with the stack's.
void shutdown();
}  // namespace iperf

}  // namespace lfn
