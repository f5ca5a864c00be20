// SPDX-License-Identifier: BSD-3-Clause
// Choosing and asking: lfn_tcp_setopt and its kin, and the sockets API's two hooks.
#include <cstddef>
#include <cstring>
#include <initializer_list>

#include "lfn/lwip_hooks.h"
#include "tcp_state.hpp"

namespace {

// One option: where its value lies in the settings, and what it may be.
struct Option {
    int name;
    u16_t offset;
    u8_t size;
    bool any_time;
    int min, max;
};

#define LFN_OPTION(name, member, any_time, min, max)                                                                   \
    {                                                                                                                  \
        name, static_cast<u16_t>(offsetof(lfn_tcp_settings, member)), sizeof(lfn_tcp_settings::member), any_time, min, \
            max                                                                                                        \
    }

constexpr int window_max = static_cast<int>(LFN_WINDOW_MAX);
constexpr Option options[] = {
    LFN_OPTION(LFN_TCP_BIG_WINDOW, big_window, false, 0, 1),
    LFN_OPTION(LFN_TCP_RECEIVE_WINDOW, receive_window, false, 0, window_max),
    LFN_OPTION(LFN_TCP_SEND_BUFFER, send_buffer, false, 0, window_max),
    LFN_OPTION(LFN_TCP_NAK, nak_mode, false, LFN_NAK_OFF, LFN_NAK_EVERY_GAP),
    LFN_OPTION(LFN_TCP_RENAK, renak, true, 0, 1),
    LFN_OPTION(LFN_TCP_NAK_ASSUMED, nak_assumed, false, 0, 1),
    LFN_OPTION(LFN_TCP_DUP_ACKS, dup_acks, true, LFN_DUP_ACKS_AUTO, LFN_DUP_ACKS_OFF),
    LFN_OPTION(LFN_TCP_LOSS_POLICY, loss_policy, true, LFN_LOSS_CONGESTION, LFN_LOSS_AUTO),
    LFN_OPTION(LFN_TCP_SLOW_START_RATE, slow_start_rate, true, 0, 8),
    LFN_OPTION(LFN_TCP_RTO_MARGIN, rto_margin_ms, true, 0, 60000),
    LFN_OPTION(LFN_TCP_INITIAL_WINDOW, initial_window, false, 0, 10),
    LFN_OPTION(LFN_TCP_SACK, sack, false, 0, 1),
    LFN_OPTION(LFN_TCP_TIMESTAMPS, timestamps, false, 0, 1),
    LFN_OPTION(LFN_TCP_ISOLATED, isolated, false, 0, 1),
    LFN_OPTION(LFN_TCP_TAIL_PROBE, tail_probe, true, 0, 1),
    LFN_OPTION(LFN_TCP_ECN, ecn, false, 0, 1),
    LFN_OPTION(LFN_TCP_KEEPALIVE, keepalive_s, true, 0, 86400),
    LFN_OPTION(LFN_TCP_WIRE, wire, false, LFN_WIRE_EXID, LFN_WIRE_RFC1106),
    // Not the kinds that TCP itself uses: end, NOP, MSS, scale, SACK, timestamps (up to 8), experiments (253, 254).
    LFN_OPTION(LFN_TCP_KIND_A, kind_a, false, 9, 252),
    LFN_OPTION(LFN_TCP_KIND_B, kind_b, false, 9, 252),
    LFN_OPTION(LFN_TCP_KIND_C, kind_c, false, 9, 252),
    LFN_OPTION(LFN_TCP_EXID, exid, false, 1, 0xffff),
};
#undef LFN_OPTION

const Option* find(int name) {
    for (const Option& option : options) {
        if (option.name == name) return &option;
    }
    return nullptr;
}

// Settings are unsigned integers of one, two or four octets, or bool.
int load(const lfn_tcp_settings& settings, const Option& option) {
    const auto* at = reinterpret_cast<const u8_t*>(&settings) + option.offset;
    u32_t four = 0;
    u16_t two = 0;
    switch (option.size) {
        case 4:
            std::memcpy(&four, at, 4);
            return static_cast<int>(four);
        case 2:
            std::memcpy(&two, at, 2);
            return two;
        default:
            return *at;
    }
}

void store(lfn_tcp_settings& settings, const Option& option, int value) {
    auto* at = reinterpret_cast<u8_t*>(&settings) + option.offset;
    const auto four = static_cast<u32_t>(value);
    const auto two = static_cast<u16_t>(value);
    switch (option.size) {
        case 4:
            std::memcpy(at, &four, 4);
            break;
        case 2:
            std::memcpy(at, &two, 2);
            break;
        default:
            *at = static_cast<u8_t>(value);
    }
}

bool in_range(const Option& option, int value) {
    return value >= option.min && value <= option.max;
}

lfn_wire_form wire_of(const lfn_tcp_settings& settings) {
    lfn_wire_form form;
    lfn_wire_form_init(&form, static_cast<lfn_wire>(settings.wire));
    if (settings.kind_a != 0) form.kind_a = settings.kind_a;
    if (settings.kind_b != 0) form.kind_b = settings.kind_b;
    if (settings.kind_c != 0) form.kind_c = settings.kind_c;
    if (settings.exid != 0) form.exid = settings.exid;
    return form;
}

bool not_begun(const tcp_pcb* pcb) {
    return pcb->state == CLOSED || pcb->state == LISTEN;
}

// Switched on here it is switched off here; what SO_KEEPALIVE set is left alone.
void settle_keepalive(tcp_pcb* pcb, u32_t seconds, u32_t seconds_before) {
    if (seconds != 0) {
        ip_set_option(pcb, SOF_KEEPALIVE);
    } else if (seconds_before != 0) {
        ip_reset_option(pcb, SOF_KEEPALIVE);
    }
    if (seconds == 0 || pcb->state == LISTEN) return;  // a listener has no more than the option
    pcb->keep_idle = seconds * 1000;
#if LWIP_TCP_KEEPALIVE
    pcb->keep_intvl = pcb->keep_idle;
#endif
}

// What of the settings is kept elsewhere too.
void settle(tcp_pcb* pcb, lfn::TcpState& state) {
    state.wire = wire_of(state.settings);
    state.rto.margin_ms = state.settings.rto_margin_ms;
    state.receiver.renak = state.settings.renak;
    if (pcb->state >= ESTABLISHED) lfn::timer_want_naks(state);
    const bool fresh = pcb->state == CLOSED || pcb->state == SYN_RCVD;
    if (!fresh) return;
    pcb->snd_buf = pcb->ssthresh = state.settings.send_buffer != 0 ? state.settings.send_buffer : u32_t{TCP_SND_BUF};
}

bool valid(const lfn_tcp_settings& settings) {
    for (const Option& option : options) {
        const int value = load(settings, option);
        if (value != 0 && !in_range(option, value)) return false;
    }
    const lfn_wire_form form = wire_of(settings);
    return form.kind_a != form.kind_b && form.kind_a != form.kind_c && form.kind_b != form.kind_c;
}

bool all_off(const lfn_tcp_settings& settings) {
    for (const Option& option : options) {
        if (load(settings, option) != 0) return false;
    }
    return true;
}

}  // namespace

err_t lfn_tcp_set(tcp_pcb* pcb, const lfn_tcp_settings* settings) {
    if (pcb == nullptr || settings == nullptr || !valid(*settings)) return ERR_VAL;
    const lfn::TcpState* before = lfn::state_of(pcb);
    if (before == nullptr && all_off(*settings)) return ERR_OK;
    const bool opening = pcb->state == SYN_RCVD && before != nullptr && before->granted == 0;
    if (!not_begun(pcb) && !opening) return ERR_ISCONN;
    lfn::TcpState* state = lfn::state_make(pcb);
    if (state == nullptr) return ERR_MEM;
    settle_keepalive(pcb, settings->keepalive_s, state->settings.keepalive_s);
    state->settings = *settings;
    settle(pcb, *state);
    return ERR_OK;
}

err_t lfn_tcp_setopt(tcp_pcb* pcb, int name, int value) {
    const Option* option = find(name);
    if (pcb == nullptr || option == nullptr || (value != 0 && !in_range(*option, value))) return ERR_VAL;
    if (!option->any_time && !not_begun(pcb)) return ERR_ISCONN;
    const lfn::TcpState* before = lfn::state_of(pcb);
    if (before == nullptr && !not_begun(pcb)) return value == 0 ? ERR_OK : ERR_ISCONN;
    lfn_tcp_settings settings = before != nullptr ? before->settings : lfn_tcp_settings{};
    store(settings, *option, value);
    if (!valid(settings)) return ERR_VAL;
    lfn::TcpState* state = lfn::state_make(pcb);
    if (state == nullptr) return ERR_MEM;
    settle_keepalive(pcb, settings.keepalive_s, state->settings.keepalive_s);
    state->settings = settings;
    settle(pcb, *state);
    return ERR_OK;
}

err_t lfn_tcp_getopt(const tcp_pcb* pcb, int name, int* value) {
    const Option* option = find(name);
    if (pcb == nullptr || value == nullptr || option == nullptr) return ERR_VAL;
    const lfn::TcpState* state = lfn::state_of(pcb);
    const lfn_tcp_settings settings = state != nullptr ? state->settings : lfn_tcp_settings{};
    const lfn_wire_form form = wire_of(settings);
    switch (name) {
        case LFN_TCP_KIND_A:
            *value = form.kind_a;
            break;
        case LFN_TCP_KIND_B:
            *value = form.kind_b;
            break;
        case LFN_TCP_KIND_C:
            *value = form.kind_c;
            break;
        case LFN_TCP_EXID:
            *value = form.exid;
            break;
        case LFN_TCP_SLOW_START_RATE:
            *value = settings.slow_start_rate != 0 ? settings.slow_start_rate : 1;
            break;
        default:
            *value = load(settings, *option);
            break;
    }
    return ERR_OK;
}

err_t lfn_tcp_get_info(const tcp_pcb* pcb, lfn_tcp_info* info) {
    if (pcb == nullptr || info == nullptr || pcb->state == LISTEN) return ERR_ARG;
    *info = {};
    info->cwnd = pcb->cwnd;
    info->ssthresh = pcb->ssthresh;
    info->snd_wnd = pcb->snd_wnd;
    info->rcv_wnd = pcb->rcv_wnd;
    info->in_flight = pcb->snd_nxt - pcb->lastack;
    info->mss = pcb->mss;
    const lfn::TcpState* state = lfn::state_of(pcb);
    if (state == nullptr) {
        info->srtt_ms = static_cast<u32_t>(pcb->sa >> 3) * TCP_SLOW_INTERVAL;
        info->rto_ms = static_cast<u32_t>(pcb->rto) * TCP_SLOW_INTERVAL;
        return ERR_OK;
    }
    info->srtt_ms = lfn_rto_srtt_ms(&state->rto);
    info->rto_ms = lfn_rto_ms(&state->rto);
    info->window_rule = static_cast<uint8_t>(state->rule);
    info->nak_agreed = state->nak_agreed;
    info->naks_sent = state->counters.naks_sent;
    info->naks_received = state->counters.naks_received;
    info->naks_honoured = state->counters.naks_honoured;
    info->naks_refused = state->counters.naks_refused;
    info->sacks_received = state->counters.sacks_received;
    info->retransmitted_segments = state->counters.retransmitted_segments;
    info->retransmitted_octets = state->counters.retransmitted_octets;
    info->rtos = state->counters.rtos;
    info->probes = state->counters.probes;
    info->window_reductions = state->counters.window_reductions;
    info->losses_kept = state->counters.losses_kept;
    info->rtt_floor_ms = lfn_path_floor_ms(&state->path);
    info->timestamps_agreed = lfn::timestamps_agreed(pcb);
    info->paws_refused = state->counters.paws_refused;
    info->forged = state->counters.forged;
    info->challenges_sent = state->counters.challenges_sent;
    info->ecn_agreed = lfn_ecn_may_mark(&state->ecn);
    info->ecn_marks = state->counters.ecn_marks;
    info->ecn_echoes = state->counters.ecn_echoes;
    info->ecn_reductions = state->counters.ecn_reductions;
    info->reassembly_dropped = state->counters.reassembly_dropped;
    return ERR_OK;
}

// Acknowledgements first: they are small, and whoever sends data at the head of the list would keep them waiting.
void lfn_tcp_output_ready() {
    for (const unsigned waits : {TF_ACK_NOW, TF_NAGLEMEMERR}) {
        for (tcp_pcb* pcb = tcp_active_pcbs; pcb != nullptr; pcb = pcb->next) {
            if ((pcb->flags & waits) != 0) tcp_output(pcb);
        }
    }
}
