// SPDX-License-Identifier: BSD-3-Clause
// Timers in milliseconds: the retransmission timeout of RFC 6298, and holes that fall due for naming.
//
// One lwIP timeout serves all connections of a stack. Deadlines mostly move later (each acknowledgement restarts the
// retransmission timer), so a later one is only noted, and the timeout, when it comes, is set again for what is left.
#include "lwip/sys.h"
#include "lwip/timeouts.h"
#include "tcp_state.hpp"

namespace lfn {
namespace {

bool armed;
u32_t armed_ms;

bool reached(u32_t due_ms, u32_t now) {
    return static_cast<s32_t>(now - due_ms) >= 0;
}

void lose(tcp_pcb* pcb, TcpState& state) {
    if (pcb->state < ESTABLISHED) return;  // a lost SYN says nothing of the path's capacity (RFC 5681 3.1)
    lfn_congestion congestion = {pcb->cwnd, pcb->ssthresh};
    const u32_t flight = LWIP_MIN(pcb->cwnd, pcb->snd_wnd);
    lfn_loss_on_rto(static_cast<lfn_loss_policy>(state.settings.loss_policy), &congestion, flight, pcb->mss,
                    pcb->snd_nxt, pcb->nrtx == 0, &state.recover, &state.in_recovery);
    pcb->cwnd = congestion.cwnd;
    pcb->ssthresh = congestion.ssthresh;
    pcb->bytes_acked = 0;
}

// As tcp_slowtmr() does it for other connections: everything that is in flight is queued again. If a driver still holds
// some of it, the timer only starts anew.
void rto_expired(tcp_pcb* pcb, TcpState& state) {
    const bool requeued = tcp_rexmit_rto_prepare(pcb) == ERR_OK;
    if (!requeued && (pcb->unacked != nullptr || pcb->unsent == nullptr)) {
        tcp_rtime_start(pcb);
        return;
    }
    lfn_rto_back_off(&state.rto);
    tcp_rtime_start(pcb);
    sack_forget(pcb, state);
    lose(pcb, state);
    ++state.counters.rtos;
    tcp_rexmit_rto_commit(pcb);
}

// While the window is closed lwIP probes it, and the timer only stays alive for what is sent when it opens.
void serve_rto(tcp_pcb* pcb, TcpState& state, u32_t now) {
    if (pcb->rtime < 0) return;
    if (!reached(state.rto_due_ms, now)) {
        timer_want(state.rto_due_ms);
    } else if (pcb->persist_backoff != 0) {
        tcp_rtime_start(pcb);
    } else {
        rto_expired(pcb, state);
    }
}

void serve(tcp_pcb* pcb, TcpState& state, u32_t now) {
    serve_rto(pcb, state, now);
    if (pcb->state >= ESTABLISHED && sack_serve(pcb, state, now)) tcp_output(pcb);
    u32_t delay = 0;
    if (pcb->state < ESTABLISHED || !lfn_nak_receiver_next_ms(&state.receiver, now, &delay)) return;
    if (delay == 0) {
        tcp_send_empty_ack(pcb);
        if (lfn_nak_receiver_next_ms(&state.receiver, now, &delay)) timer_want(now + LWIP_MAX(delay, 1U));
    } else {
        timer_want(now + delay);
    }
}

void on_timeout(void*) {
    armed = false;
    const u32_t now = sys_now();
    for (tcp_pcb* pcb = tcp_active_pcbs; pcb != nullptr; pcb = pcb->next) {
        if (TcpState* state = state_of(pcb)) serve(pcb, *state, now);
    }
}

}  // namespace

void timer_want(u32_t due_ms) {
    if (armed && static_cast<s32_t>(due_ms - armed_ms) >= 0) return;
    if (armed) sys_untimeout(on_timeout, nullptr);
    const u32_t now = sys_now();
    armed = true;
    armed_ms = due_ms;
    sys_timeout(reached(due_ms, now) ? 0 : due_ms - now, on_timeout, nullptr);
}

void timer_stop() {
    if (armed) sys_untimeout(on_timeout, nullptr);
    armed = false;
}

void timer_want_naks(const TcpState& state) {
    u32_t delay = 0;
    const u32_t now = sys_now();
    if (lfn_nak_receiver_next_ms(&state.receiver, now, &delay)) timer_want(now + LWIP_MAX(delay, 1U));
}

}  // namespace lfn

void lfn_tcp_rto_start(tcp_pcb* pcb) {
    lfn::TcpState& state = *lfn::state_of(pcb);
    state.rto_due_ms = sys_now() + lfn_rto_ms(&state.rto);
    lfn::timer_want(state.rto_due_ms);
}

// Karn: only what goes out for the first time is timed.
int lfn_tcp_times(const tcp_pcb* pcb, const tcp_seg* seg) {
    return !lfn::goes_out_again(pcb, seg);
}

// For these connections pcb->rttest holds milliseconds, the lowest bit set: 0 is "nothing is timed".
void lfn_tcp_rtt_sample(tcp_pcb* pcb, u32_t ackno) {
    if (pcb->rttest == 0 || !TCP_SEQ_LT(pcb->rtseq, ackno)) return;
    lfn::TcpState& state = *lfn::state_of(pcb);
    const u32_t rtt_ms = (sys_now() | 1U) - pcb->rttest;
    lfn_rto_sample(&state.rto, rtt_ms);
    lfn_nak_receiver_hint_rtt(&state.receiver, rtt_ms);
    pcb->rttest = 0;
}
