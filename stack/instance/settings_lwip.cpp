// SPDX-License-Identifier: BSD-3-Clause
// Unpatched lwIP: nothing to set on a connection, and what a pcb tells of itself.
#include <cstring>

#include "lwip/priv/tcp_priv.h"
#include "settings.hpp"

namespace lfn::settings {

const bool per_connection = false;

void init() {}

bool apply(tcp_pcb*, const lfn_tcp_settings*) {
    return true;
}

void info(const tcp_pcb* pcb, lfn_tcp_info* out) {
    std::memset(out, 0, sizeof(*out));
    out->cwnd = pcb->cwnd;
    out->ssthresh = pcb->ssthresh;
    out->snd_wnd = pcb->snd_wnd;
    out->rcv_wnd = pcb->rcv_wnd;
    out->in_flight = pcb->snd_nxt - pcb->lastack;
    out->mss = pcb->mss;
    out->srtt_ms = static_cast<u32_t>(pcb->sa >> 3) * TCP_SLOW_INTERVAL;
    out->rto_ms = static_cast<u32_t>(pcb->rto) * TCP_SLOW_INTERVAL;
}

// lwIP's own: acknowledgements that the interface refused wait for its fast timer.
void output_ready() {
    tcp_txnow();
}

}  // namespace lfn::settings
