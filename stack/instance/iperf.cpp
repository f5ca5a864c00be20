// SPDX-License-Identifier: BSD-3-Clause
// lwIP's server for iperf 2 (apps/lwiperf), watched from outside: we stand between it and each of its connections.
//
// Why not its own report: it wraps at 4 GiB, and reads the connection of a session that was reset (observed in 2.2.1).
// Why a client may not ask for a test in return: lwIP's sender reads past its buffer of 1600 octets when TCP_MSS is
// more.
#include "apps.hpp"
#include "lwip/apps/lwiperf.h"
#include "lwip/sys.h"
#include "settings.hpp"

extern "C" {
int lfn_iperf_is_open(void* session);
void lfn_iperf_close(void* session);
}

namespace lfn {

namespace {

// Beside each session of lwIP's.
struct Watched {
    Watched* next;
    void* session;
    u64_t octets;
    u32_t began_ms;
};

// The instance's own globals.
Watched* all_watched;
void* server;
const lfn_iperf_events* told;
void* told_context;
tcp_accept_fn upstream_accept;
tcp_recv_fn upstream_recv;
tcp_err_fn upstream_error;
tcp_poll_fn upstream_poll;

Watched* find(const void* session) {
    Watched* each = all_watched;
    while (each != nullptr && each->session != session) each = each->next;
    return each;
}

// The session is over: tells of it and forgets it.
void end(Watched* watched, const char* failure) {
    Watched** link = &all_watched;
    while (*link != watched) link = &(*link)->next;
    *link = watched->next;
    if (told != nullptr && told->over != nullptr) {
        told->over(told_context, watched->octets, sys_now() - watched->began_ms, failure);
    }
    mem_free(watched);
}

void end_if_closed(Watched* watched, const char* failure) {
    if (watched != nullptr && lfn_iperf_is_open(watched->session) == 0) end(watched, failure);
}

// The first word of a session is its flags. None: no test in return.
void clear_flags(pbuf* p) {
    for (u16_t i = 0; i < 4; ++i) pbuf_put_at(p, i, 0);
}

err_t on_received(void* session, tcp_pcb* pcb, pbuf* p, err_t error) {
    Watched* watched = find(session);
    if (watched != nullptr && p != nullptr) {
        if (watched->octets == 0) {
            clear_flags(p);
            watched->began_ms = sys_now();
        }
        watched->octets += p->tot_len;
    }
    const char* failure = p == nullptr ? nullptr : "not iperf's data";
    const err_t result = upstream_recv(session, pcb, p, error);
    end_if_closed(watched, failure);
    return result;
}

void on_error(void* session, err_t error) {
    Watched* watched = find(session);
    upstream_error(session, error);
    end_if_closed(watched, error == ERR_RST ? "reset by peer" : "aborted");
}

err_t on_poll(void* session, tcp_pcb* pcb) {
    Watched* watched = find(session);
    const err_t result = upstream_poll(session, pcb);
    end_if_closed(watched, "idle for too long");
    return result;
}

err_t on_accepted(void* listener, tcp_pcb* pcb, err_t error) {
    const err_t result = upstream_accept(listener, pcb, error);
    if (result != ERR_OK) return result;
    upstream_recv = pcb->recv;
    upstream_error = pcb->errf;
    upstream_poll = pcb->poll;
    auto* watched = static_cast<Watched*>(mem_malloc(sizeof(Watched)));
    if (watched == nullptr) {
        lfn_iperf_close(pcb->callback_arg);
        return ERR_OK;
    }
    *watched = {all_watched, pcb->callback_arg, 0, sys_now()};
    all_watched = watched;
    tcp_recv(pcb, on_received);
    tcp_err(pcb, on_error);
    tcp_poll(pcb, on_poll, pcb->pollinterval);
    return ERR_OK;
}

}  // namespace

bool iperf::serve(u16_t port, const lfn_tcp_settings* wanted, const lfn_iperf_events* events, void* context) {
    if (server != nullptr || listener_on(port) != nullptr) return false;
    server = lwiperf_start_tcp_server(IP_ADDR_ANY, port, nullptr, nullptr);
    if (server == nullptr) return false;
    tcp_pcb* listener = listener_on(port);
    if (!settings::apply(listener, wanted)) return false;
    told = events;
    told_context = context;
    upstream_accept = reinterpret_cast<tcp_pcb_listen*>(listener)->accept;
    tcp_accept(listener, on_accepted);
    return true;
}

void iperf::shutdown() {
    told = nullptr;
    if (server != nullptr) lfn_iperf_close(server);
    server = nullptr;
}

}  // namespace lfn
