// SPDX-License-Identifier: BSD-3-Clause
// Spare copies, on a path whose losses are noise. At the end of what there is to send the line stands idle, and each
// retransmission that is lost there costs everything a round trip. So what goes out again while nothing new waits goes
// out twice, a few milliseconds apart, and so does the last segment of a connection.
#include "lwip/sys.h"
#include "tcp_state.hpp"

namespace lfn {
namespace {

// Errors come in bursts on some links, but what is late costs as much as what is lost: a thirty-second part of a round
// trip (guess).
u32_t gap_ms(const TcpState& state) {
    return lfn_rto_srtt_ms(&state.rto) / 32 + 1;
}

void want(TcpState& state, u32_t now) {
    state.spare.due_ms = now + gap_ms(state);
    timer_want(state.spare.due_ms);
}

// Went out again, or for the last time, since the copies were asked for.
bool wants_copy(const tcp_pcb* pcb, const TcpState& state, const tcp_seg* seg) {
    if ((seg->flags & TF_SEG_LFN_RESENT) == 0 && seg->next != nullptr) return false;
    if (static_cast<s32_t>(seg->lfn_sent_ms - state.spare.since_ms) < 0) return false;
    return !busy(seg) && end_of(seg) - pcb->lastack <= lfn_tcp_usable(pcb);
}

}  // namespace

void spare_note(const tcp_pcb* pcb, TcpState& state, const tcp_seg* seg, u32_t now) {
    const bool last = (TCPH_FLAGS(seg->tcphdr) & TCP_FIN) != 0;
    if (!state.settings.tail_probe || state.settings.loss_policy != LFN_LOSS_NOISE) return;
    if (!last && new_data_wait(pcb)) return;
    if (!state.spare.armed) {
        state.spare = {true, seq_of(seg), end_of(seg), now, 0};
        want(state, now);
        return;
    }
    if (TCP_SEQ_LT(seq_of(seg), state.spare.from)) state.spare.from = seq_of(seg);
    if (TCP_SEQ_LT(state.spare.to, end_of(seg))) state.spare.to = end_of(seg);
}

bool spare_serve(tcp_pcb* pcb, TcpState& state, u32_t now) {
    if (!state.spare.armed) return false;
    if (static_cast<s32_t>(now - state.spare.due_ms) < 0) {
        timer_want(state.spare.due_ms);
        return false;
    }
    state.spare.armed = pcb->unsent != nullptr && !new_data_wait(pcb);
    if (state.spare.armed) want(state, now);  // the first copies still wait for the driver
    if (pcb->unsent != nullptr) return false;
    bool any = false;
    FlightPlace at = flight_find(pcb, state, state.spare.from);
    while (*at.link != nullptr && TCP_SEQ_LT(seq_of(*at.link), state.spare.to)) {
        if (wants_copy(pcb, state, *at.link)) {
            state.resent += (*at.link)->len;
            send_again(pcb, state, at);
            any = true;
        } else {
            flight_advance(state.flight, at);
        }
    }
    return any;
}

}  // namespace lfn
