// SPDX-License-Identifier: BSD-3-Clause
// SACK as NAK: what a peer reports by SACK (RFC 2018) shows the holes between, and those are named to the sender by the
// same engine that names our own receiver's holes to a peer. So a hole is sent again at once, again when its
// retransmission is overtaken or its round trip has passed, and late segments put the first naming off.
//
// That engine's table mirrors the peer's. It is told of new data in pieces of a segment, as the peer was.
#include "lwip/memp.h"
#include "lwip/sys.h"
#include "tcp_state.hpp"

#ifndef MEMP_NUM_LFN_SACK
#define MEMP_NUM_LFN_SACK MEMP_NUM_TCP_PCB
#endif
LWIP_MEMPOOL_DECLARE(LFN_SACK, MEMP_NUM_LFN_SACK, sizeof(lfn_nak_receiver), "LFN_SACK")

namespace lfn {
namespace {

constexpr u16_t block_octets = 8;

void mirror_init(const tcp_pcb* pcb, TcpState& state) {
    lfn_nak_receiver_init(state.peer_holes, LFN_NAK_EVERY_GAP, true, pcb->lastack);
    if (state.rto.has_sample) lfn_nak_receiver_hint_rtt(state.peer_holes, lfn_rto_srtt_ms(&state.rto));
}

bool mirror_ready(const tcp_pcb* pcb, TcpState& state) {
    if (state.peer_holes != nullptr) return true;
    if (state.sack_count == 0) return false;
    state.peer_holes = static_cast<lfn_nak_receiver*>(LWIP_MEMPOOL_ALLOC(LFN_SACK));
    if (state.peer_holes == nullptr) return false;
    mirror_init(pcb, state);
    return true;
}

// [from, to) has arrived at the peer, and was not known to have.
void arrived(lfn_nak_receiver& mirror, u32_t from, u32_t to, u16_t unit, u32_t now) {
    while (TCP_SEQ_LT(from, to)) {
        const u32_t piece = LWIP_MIN(to - from, u32_t{unit});
        lfn_nak_receiver_segment(&mirror, from, from + piece, now);
        from += piece;
    }
}

u32_t later(u32_t left, u32_t right) {
    return TCP_SEQ_LT(left, right) ? right : left;
}
u32_t earlier(u32_t left, u32_t right) {
    return TCP_SEQ_LT(left, right) ? left : right;
}

// The peer has all of [left, right): what of it lies in holes, or above all that it was known to have, is new.
void has(lfn_nak_receiver& mirror, u32_t left, u32_t right, u16_t unit, u32_t now) {
    for (u16_t i = 0; i < mirror.count;) {
        const lfn_hole hole = mirror.holes[i];
        if (!TCP_SEQ_LT(hole.start, right)) break;
        const u32_t from = later(hole.start, left);
        const u32_t to = earlier(hole.end, right);
        if (TCP_SEQ_LT(from, to)) {
            arrived(mirror, from, to, unit, now);
            const bool gone = i >= mirror.count || mirror.holes[i].start != hole.start;
            if (gone) continue;
        }
        ++i;
    }
    arrived(mirror, later(left, mirror.highest), right, unit, now);
}

bool plausible(const tcp_pcb* pcb, u32_t left, u32_t right) {
    const u32_t flight = pcb->snd_nxt - pcb->lastack;
    const u32_t from = left - pcb->lastack;
    const u32_t to = right - pcb->lastack;
    return from < to && to <= flight;
}

// Sends again what is due. Returns whether there was anything.
bool resend_due(tcp_pcb* pcb, TcpState& state, u32_t now) {
    lfn_nak naks[8];
    const u16_t unit = segment_unit(pcb, state);
    bool any = false;
    for (u32_t rounds = 0; rounds <= LFN_NAK_HOLES; ++rounds) {
        const size_t n = lfn_nak_receiver_collect(state.peer_holes, unit, now, naks, LWIP_ARRAYSIZE(naks));
        if (n == 0) break;
        for (size_t i = 0; i < n; ++i) any |= nak_honour(pcb, state, naks[i], now);
        lfn_nak_receiver_sent(state.peer_holes, naks, n, unit, now);
    }
    return any;
}

void want_timer(const TcpState& state, u32_t now) {
    u32_t delay = 0;
    if (lfn_nak_receiver_next_ms(state.peer_holes, now, &delay)) timer_want(now + LWIP_MAX(delay, 1U));
}

}  // namespace

void sack_init() {
    LWIP_MEMPOOL_INIT(LFN_SACK);
}

void sack_parse(TcpState& state, const u8_t* body, u16_t octets) {
    if (!state.settings.sack) return;
    for (; octets >= block_octets && state.sack_count < LWIP_ARRAYSIZE(state.sacks);
         octets = static_cast<u16_t>(octets - block_octets)) {
        state.sacks[state.sack_count++] = {octets32(body), octets32(body + 4)};
        body += block_octets;
    }
}

bool sack_take(tcp_pcb* pcb, TcpState& state, u32_t now) {
    if (state.nak_agreed || !mirror_ready(pcb, state)) return false;  // option A says all, and says it sooner
    state.counters.sacks_received += state.sack_count;
    lfn_nak_receiver& mirror = *state.peer_holes;
    const u16_t unit = segment_unit(pcb, state);
    if (TCP_SEQ_LT(mirror.rcv_nxt, pcb->lastack)) has(mirror, mirror.rcv_nxt, pcb->lastack, unit, now);
    for (u8_t i = 0; i < state.sack_count; ++i) {
        const u32_t left = state.sacks[i].left;
        const u32_t right = state.sacks[i].right;
        if (plausible(pcb, left, right)) has(mirror, left, right, unit, now);
    }
    lfn_nak_receiver_advance(&mirror, pcb->lastack, now);
    if (TCP_SEQ_LT(state.seen, mirror.highest)) state.seen = mirror.highest;
    const bool any = resend_due(pcb, state, now);
    want_timer(state, now);
    return any;
}

bool sack_serve(tcp_pcb* pcb, TcpState& state, u32_t now) {
    if (state.peer_holes == nullptr) return false;
    const bool any = resend_due(pcb, state, now);
    if (any) nak_taken(pcb, state);
    want_timer(state, now);
    return any;
}

// RFC 2018 8: after a timeout the peer may have thrown away what it reported.
void sack_forget(tcp_pcb* pcb, TcpState& state) {
    if (state.peer_holes != nullptr) mirror_init(pcb, state);
}

void sack_free(TcpState& state) {
    if (state.peer_holes != nullptr) LWIP_MEMPOOL_FREE(LFN_SACK, state.peer_holes);
    state.peer_holes = nullptr;
}

}  // namespace lfn

int lfn_tcp_offers_sack(tcp_pcb* pcb) {
    const lfn::TcpState* state = lfn::state_of(pcb);
    if (LFN_TCP_SACK_DEFAULT || (state != nullptr && state->settings.sack)) return 1;
#if LWIP_TCP_SACK_OUT
    tcp_clear_flags(pcb, TF_SACK);  // though the peer's SYN may permit it
#endif
    return 0;
}
