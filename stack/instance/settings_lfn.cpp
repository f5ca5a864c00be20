// SPDX-License-Identifier: BSD-3-Clause
// lfn: each connection has its own settings.
#include "settings.hpp"

#include "lfn/tcp.h"

namespace lfn::settings {

const bool per_connection = true;

void init() {
    lfn_tcp_init();
}

bool apply(tcp_pcb* pcb, const lfn_tcp_settings* wanted) {
    return wanted == nullptr || lfn_tcp_set(pcb, wanted) == ERR_OK;
}

void info(const tcp_pcb* pcb, lfn_tcp_info* out) {
    lfn_tcp_get_info(pcb, out);
}

void output_ready() {
    lfn_tcp_output_ready();
}

}  // namespace lfn::settings
