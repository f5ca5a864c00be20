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

lfn_loss_policy policy_of(const TcpState& state, u32_t flight) {
    const auto policy = static_cast<lfn_loss_policy>(state.settings.loss_policy);
    if (policy != LFN_LOSS_AUTO) return policy;
    return lfn_path_congested(&state.path, 0, flight) ? LFN_LOSS_CONGESTION : LFN_LOSS_NOISE;
}

void lose(tcp_pcb* pcb, TcpState& state) {
    if (pcb->state < ESTABLISHED) return;  // a lost SYN says nothing of the path's capacity (RFC 5681 3.1)
    lfn_congestion congestion = {pcb->cwnd, pcb->ssthresh};
    const u32_t flight = LWIP_MIN(pcb->cwnd, pcb->snd_wnd);
    lfn_loss_on_rto(policy_of(state, flight), &congestion, flight, pcb->mss, pcb->snd_nxt, pcb->nrtx == 0,
                    &state.recover, &state.in_recovery);
    pcb->cwnd = congestion.cwnd;
    pcb->ssthresh = congestion.ssthresh;
    pcb->bytes_acked = 0;
    lfn_ecn_reduced(&state.ecn, pcb->snd_nxt);
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
    state.probing = true;  // that was it: what follows are timeouts
    tcp_rtime_start(pcb);
    state.seen = pcb->lastack;  // as below
    state.undo.armed = state.spare.armed = false;
    sack_forget(pcb, state);
    lose(pcb, state);
    ++state.counters.rtos;
    tcp_rexmit_rto_commit(pcb);
}

// RFC 8985 7.3: the last segment goes out again alone, ahead of a timeout. If that or more is missing, what the peer
// then names or acknowledges says so.
bool tail_probed(tcp_pcb* pcb, TcpState& state) {
    if (!state.settings.tail_probe || state.probing || pcb->state < ESTABLISHED || pcb->nrtx > 0) return false;
    state.probing = true;
    if (!tail_resend(pcb, state)) return false;
    state.probed = true;
    state.probed_ms = sys_now();
    ++state.counters.probes;
    tcp_rtime_start(pcb);
    tcp_output(pcb);
    return true;
}

// While the window is closed lwIP probes it, and the timer only stays alive for what is sent when it opens.
void serve_rto(tcp_pcb* pcb, TcpState& state, u32_t now) {
    if (pcb->rtime < 0) return;
    if (!reached(state.rto_due_ms, now)) {
        timer_want(state.rto_due_ms);
    } else if (pcb->persist_backoff != 0) {
        tcp_rtime_start(pcb);
    } else if (tail_probed(pcb, state)) {
        return;
    } else if (!reached(state.rto_started_ms + lfn_rto_ms(&state.rto), now)) {
        state.rto_due_ms = state.rto_started_ms + lfn_rto_ms(&state.rto);  // only the probe was due, and could not be
        timer_want(state.rto_due_ms);
    } else {
        rto_expired(pcb, state);
    }
}

void serve(tcp_pcb* pcb, TcpState& state, u32_t now) {
    serve_rto(pcb, state, now);
    if (pcb->state >= ESTABLISHED) {
        const bool spare = spare_serve(pcb, state, now);
        if (sack_serve(pcb, state, now) || spare) tcp_output(pcb);
    }
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

// When a probe of the tail is due, if that is before the timeout (RFC 8985 7.2): once the last segment's
// acknowledgement is overdue, whatever else is heard; while more waits to be sent, after two round trips of silence.
static u32_t probe_due_ms(const tcp_pcb* pcb, const lfn::TcpState& state, u32_t now) {
    if (!state.settings.tail_probe || state.probing || pcb->state < ESTABLISHED || !state.rto.has_sample) {
        return now + LFN_RTO_MAX_MS;
    }
    if (lfn::new_data_wait(pcb)) return now + 2 * lfn_rto_srtt_ms(&state.rto) + TCP_FAST_INTERVAL;
    const tcp_seg* last = pcb->unacked != nullptr ? LFN_TCP_TAIL(pcb, unacked, pcb->unacked) : nullptr;
    const bool flies = last != nullptr && lfn::end_of(last) == pcb->snd_nxt;
    const u32_t due_ms = (flies ? last->lfn_sent_ms : now) + lfn_rto_probe_ms(&state.rto) + TCP_FAST_INTERVAL;
    return static_cast<s32_t>(due_ms - now) > 0 ? due_ms : now + 1;
}

void lfn_tcp_rto_start(tcp_pcb* pcb) {
    lfn::TcpState& state = *lfn::state_of(pcb);
    const u32_t now = sys_now();
    state.rto_started_ms = now;
    state.rto_due_ms = now + LWIP_MIN(lfn_rto_ms(&state.rto), probe_due_ms(pcb, state, now) - now);
    lfn::timer_want(state.rto_due_ms);
}

// Karn: only what goes out for the first time is timed.
int lfn_tcp_times(const tcp_pcb* pcb, const tcp_seg* seg) {
    return !lfn::goes_out_again(pcb, seg);
}

// For these connections pcb->rttest holds milliseconds, the lowest bit set: 0 is "nothing is timed".
void lfn_tcp_rtt_sample(tcp_pcb* pcb, u32_t ackno) {
    if (pcb->rttest == 0 || !TCP_SEQ_LT(pcb->rtseq, ackno)) return;
    const u32_t rtt_ms = (sys_now() | 1U) - pcb->rttest;
    pcb->rttest = 0;
    lfn::TcpState& state = *lfn::state_of(pcb);
    if (pcb->state >= ESTABLISHED && lfn::echoed(pcb, state)) return;  // that says it better
    lfn::rtt_measured(pcb, state, pcb->rtseq, rtt_ms);
}

// The timeout gets a sample in a round trip, as its smoothing wants it (RFC 7323 4.2); the path's extremes get all.
void lfn::rtt_measured(tcp_pcb* pcb, TcpState& state, u32_t seq, u32_t rtt_ms) {
    lfn_path_sample(&state.path, rtt_ms, sys_now());
    if (state.rto.has_sample && TCP_SEQ_LT(seq, state.rtt_next)) return;
    state.rtt_next = pcb->snd_nxt;
    lfn_rto_sample(&state.rto, rtt_ms);
    lfn_nak_receiver_hint_rtt(&state.receiver, rtt_ms);
    if (pcb->rtime >= 0) tcp_rtime_start(pcb);  // lwIP did it before it took the sample
}

// Something new was acknowledged. If the probe had a part in it, which shows by the time it took, then there was a loss
// (RFC 8985 7.4).
void lfn::probe_answered(tcp_pcb* pcb, TcpState& state) {
    const bool by_the_probe = state.probed && sys_now() - state.probed_ms >= lfn_path_floor_ms(&state.path);
    state.probing = state.probed = false;
    if (by_the_probe) nak_taken(pcb, state);
}
