// SPDX-License-Identifier: BSD-3-Clause
// A connection's settings and its information: what differs between a build with RFC 1106 and one without.
#pragma once

#include "lfn/tcp_settings.h"
#include "lwip/tcp.h"

namespace lfn::settings {

// True where windows and the rest are chosen for each connection; false where lwIP's own constants hold for all.
extern const bool per_connection;

void init();
// False if out of memory. Null settings: all off.
bool apply(tcp_pcb* pcb, const lfn_tcp_settings* wanted);
void info(const tcp_pcb* pcb, lfn_tcp_info* out);
// The interface has room again.
void output_ready();

}  // namespace lfn::settings
