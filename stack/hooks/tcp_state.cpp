// SPDX-License-Identifier: BSD-3-Clause
// The life of a connection's state: made by the first option that is set, inherited from the listener, gone with the
// pcb.
#include "tcp_state.hpp"

#include "lwip/memp.h"

#ifndef MEMP_NUM_LFN_TCP
#define MEMP_NUM_LFN_TCP (MEMP_NUM_TCP_PCB + MEMP_NUM_TCP_PCB_LISTEN)
#endif
LWIP_MEMPOOL_DECLARE(LFN_TCP, MEMP_NUM_LFN_TCP, sizeof(lfn::TcpState), "LFN_TCP")

namespace lfn {
namespace {

lfn_budget budget;
u32_t states;

void on_destroyed(u8_t, void* data) {
    auto* state = static_cast<TcpState*>(data);
    if (state == nullptr) return;
    state_release(*state, 0);
    sack_free(*state);
    LWIP_MEMPOOL_FREE(LFN_TCP, state);
    if (--states == 0) timer_stop();
}

err_t on_passive_open(u8_t id, tcp_pcb_listen* listener, tcp_pcb* pcb);

const tcp_ext_arg_callbacks callbacks = {on_destroyed, on_passive_open};

// A connection in TIME-WAIT needs no window any more.
void reclaim_time_wait() {
    for (tcp_pcb* pcb = tcp_tw_pcbs; pcb != nullptr; pcb = pcb->next) {
        if (TcpState* state = state_of(pcb)) state_release(*state, 0);
    }
}

err_t on_passive_open(u8_t, tcp_pcb_listen* listener, tcp_pcb* pcb) {
    auto* from = static_cast<TcpState*>(listener->ext_args[LFN_TCP_EXT_ARG].data);
    if (from == nullptr) return ERR_OK;
    TcpState* state = state_make(pcb);
    if (state == nullptr) return ERR_MEM;
    state->passive = true;
    const err_t error = lfn_tcp_set(pcb, &from->settings);
    if (error != ERR_OK) return error;
    state->rx = from->rx;  // the SYN's options, which the hook noted with the listener
    ecn_inherited(*state, *from);
    state->peer_sent_b = state->rx.has_b;
    state->peer_permits_nak = state->rx.nak_permitted;
    state_grant(*state);
    const bool scaled = (pcb->flags & TF_WND_SCALE) != 0;
    state->rule = lfn_window_negotiate(state->settings.big_window, state->peer_sent_b, true, scaled);
    pcb->rcv_scale = scaled ? lfn_tcp_rcv_scale(pcb) : u8_t{0};
    // A repeated SYN may bring the scale that this one lacks, and lwIP then insists on the window that a SYN can say.
    const u32_t window = lfn_tcp_wnd_max(pcb);
    pcb->rcv_wnd = pcb->rcv_ann_wnd = scaled ? window : LWIP_MIN(window, u32_t{0xffff});
    return ERR_OK;
}

}  // namespace

TcpState* state_make(tcp_pcb* pcb) {
    if (TcpState* state = state_of(pcb)) return state;
    auto* state = static_cast<TcpState*>(LWIP_MEMPOOL_ALLOC(LFN_TCP));
    if (state == nullptr) return nullptr;
    ++states;
    *state = {};
    lfn_wire_form_init(&state->wire, LFN_WIRE_EXID);
    lfn_rto_init(&state->rto);
    tcp_ext_arg_set_callbacks(pcb, LFN_TCP_EXT_ARG, &callbacks);
    tcp_ext_arg_set(pcb, LFN_TCP_EXT_ARG, state);
    return state;
}

void state_grant(TcpState& state) {
    if (state.granted != 0) return;
    const u32_t wanted = state.settings.receive_window != 0 ? state.settings.receive_window : TCP_WND;
    state.granted = lfn_budget_grant(&budget, wanted);
    if (state.granted == wanted) return;
    lfn_budget_release(&budget, state.granted);
    reclaim_time_wait();
    state.granted = lfn_budget_grant(&budget, wanted);
}

void state_release(TcpState& state, u32_t window) {
    if (state.granted <= window) return;
    lfn_budget_release(&budget, state.granted);
    state.granted = window != 0 ? lfn_budget_grant(&budget, window) : 0;
}

u16_t segment_unit(const tcp_pcb* pcb, const TcpState& state) {
    u16_t options = options_length(state);
#if LWIP_TCP_TIMESTAMPS
    if ((pcb->flags & TF_TIMESTAMP) != 0) options = static_cast<u16_t>(options + LWIP_TCP_OPT_LEN_TS_OUT);
#endif
    return pcb->mss > options ? static_cast<u16_t>(pcb->mss - options) : u16_t{1};
}

}  // namespace lfn

void lfn_tcp_init() {
    LWIP_MEMPOOL_INIT(LFN_TCP);
    lfn::sack_init();
    const u8_t id = tcp_ext_arg_alloc_id();
    LWIP_ASSERT("lfn's extension argument is still free", id == LFN_TCP_EXT_ARG);
    LWIP_UNUSED_ARG(id);
    lfn::budget = {LFN_TCP_BUDGET, 0};
    lfn::states = 0;
}

void lfn_tcp_set_budget(uint64_t octets) {
    lfn::budget.limit = octets;
}
