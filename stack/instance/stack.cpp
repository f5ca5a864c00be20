// SPDX-License-Identifier: BSD-3-Clause
// The table of lfn/stack.h over lwIP's raw API. Compiled into each build of the stack, patched or not.
#include "lfn/stack.h"

#include "apps.hpp"
#include "costs.hpp"
#include "image.hpp"
#include "interface.hpp"
#include "lfn/stack_hooks.h"
#include "lwip/init.h"
#include "lwip/priv/tcp_priv.h"
#include "lwip/sys.h"
#include "lwip/timeouts.h"
#include "memory.hpp"
#include "settings.hpp"

// The instance's own globals: part of its image, as lwIP's are.
unsigned int lfn_stack_receive_window;
unsigned int lfn_stack_send_buffer;
unsigned char lfn_stack_window_scale;

namespace lfn {

lfn_stack_env env;

namespace {

u32_t isn_secret[2];

// A connection's events live beside it: lwIP keeps one pointer, this is what it points to.
struct Conn {
    const lfn_conn_events* events;
    const lfn_listener_events* listener_events;
    void* context;
    // An event is being told. What the application asks for meanwhile waits for its end: lwIP still works on the pcb.
    bool telling;
    enum Wish : u8_t { nothing, to_close, to_abort } wish;
};

tcp_pcb* pcb_of(const lfn_conn* conn) {
    return const_cast<tcp_pcb*>(reinterpret_cast<const tcp_pcb*>(conn));
}
lfn_conn* conn_of(tcp_pcb* pcb) {
    return reinterpret_cast<lfn_conn*>(pcb);
}
Conn* state_of(const tcp_pcb* pcb) {
    return static_cast<Conn*>(pcb->callback_arg);
}

Conn* new_conn(const lfn_conn_events* events, void* context) {
    auto* conn = static_cast<Conn*>(mem_malloc(sizeof(Conn)));
    if (conn != nullptr) *conn = {events, nullptr, context, false, Conn::nothing};
    return conn;
}

ip_addr_t ip(uint32_t host_order) {
    ip_addr_t address{};
    ip_addr_set_ip4_u32(&address, lwip_htonl(host_order));
    return address;
}

ip_addr_t ip(const uint8_t* ipv6_octets) {
    ip_addr_t address{};
    IP_SET_TYPE_VAL(address, IPADDR_TYPE_V6);
    __builtin_memcpy(ip_2_ip6(&address)->addr, ipv6_octets, sizeof(ip_2_ip6(&address)->addr));
    return address;
}

// The smallest shift that carries `window` in 16 bits.
u8_t scale_for(uint32_t window) {
    u8_t shift = 0;
    while (shift < 14 && (window >> shift) > 0xffff) ++shift;
    return shift;
}

void init(const lfn_stack_env* surroundings, const lfn_interface* config, const lfn_tcp_settings* defaults) {
    env = *surroundings;
    isn_secret[0] = env.random(env.context);
    isn_secret[1] = env.random(env.context);
    if (defaults != nullptr && !settings::per_connection) {
        lfn_stack_receive_window = defaults->receive_window;
        lfn_stack_send_buffer = defaults->send_buffer;
        lfn_stack_window_scale = scale_for(defaults->receive_window);
    }
    lwip_init();
    settings::init();
    interface::add(*config);
}

// ---- connections ----

void forget(tcp_pcb* pcb) {
    Conn* conn = state_of(pcb);
    tcp_arg(pcb, nullptr);
    if (pcb->state != LISTEN) {
        tcp_recv(pcb, nullptr);
        tcp_sent(pcb, nullptr);
        tcp_err(pcb, nullptr);
    }
    if (conn != nullptr) mem_free(conn);
}

// Does at once what the application wished, or what it wished during an event. ERR_ABRT: the pcb is gone.
err_t carry_out(tcp_pcb* pcb, Conn::Wish wish) {
    if (wish == Conn::nothing) return ERR_OK;
    forget(pcb);
    if (wish == Conn::to_close && tcp_close(pcb) == ERR_OK) return ERR_OK;
    tcp_abort(pcb);
    return ERR_ABRT;
}

void wish_for(tcp_pcb* pcb, Conn::Wish wish) {
    Conn* conn = state_of(pcb);
    if (conn != nullptr && conn->telling) {
        conn->wish = wish;
    } else {
        carry_out(pcb, wish);
    }
}

// Tells an event by `tell(conn)`, then does what was wished.
template <class Tell>
err_t event(void* arg, tcp_pcb* pcb, Tell tell) {
    auto& conn = *static_cast<Conn*>(arg);
    conn.telling = true;
    tell(conn);
    conn.telling = false;
    return carry_out(pcb, conn.wish);
}

void tell_received(const Conn& conn, const pbuf* p) {
    for (; p != nullptr && conn.wish == Conn::nothing; p = p->next) {
        if (conn.events->received != nullptr) {
            conn.events->received(conn.context, static_cast<const uint8_t*>(p->payload), p->len);
        }
    }
}

void open_window(tcp_pcb* pcb, size_t octets) {
    for (; octets > 0xffff; octets -= 0xffff) tcp_recved(pcb, 0xffff);
    tcp_recved(pcb, static_cast<u16_t>(octets));
}

err_t on_received(void* arg, tcp_pcb* pcb, pbuf* p, err_t) {
    return event(arg, pcb, [pcb, p](const Conn& conn) {
        if (p == nullptr) {
            if (conn.events->peer_closed != nullptr) conn.events->peer_closed(conn.context);
            return;
        }
        tell_received(conn, p);
        if (!conn.events->says_what_it_consumed) open_window(pcb, p->tot_len);
        pbuf_free(p);
    });
}

err_t on_acknowledged(void* arg, tcp_pcb* pcb, u16_t octets) {
    return event(arg, pcb, [octets](const Conn& conn) {
        if (conn.events->acknowledged != nullptr) conn.events->acknowledged(conn.context, octets);
    });
}

err_t on_connected(void* arg, tcp_pcb* pcb, err_t) {
    return event(arg, pcb, [](const Conn& conn) {
        if (conn.events->connected != nullptr) conn.events->connected(conn.context);
    });
}

const char* phrase(err_t error) {
    switch (error) {
        case ERR_RST:
            return "reset by peer";
        case ERR_CLSD:
            return "closed";
        case ERR_ABRT:
            return "timed out";
        default:
            return "aborted";
    }
}

void on_gone(void* arg, err_t error) {
    auto* conn = static_cast<Conn*>(arg);
    if (conn == nullptr) return;
    const Conn copy = *conn;
    mem_free(conn);
    if (copy.events->gone != nullptr) copy.events->gone(copy.context, phrase(error));
}

void watch(tcp_pcb* pcb, Conn* conn) {
    tcp_arg(pcb, conn);
    tcp_recv(pcb, on_received);
    tcp_sent(pcb, on_acknowledged);
    tcp_err(pcb, on_gone);
}

err_t on_accepted(void* arg, tcp_pcb* pcb, err_t error) {
    if (error != ERR_OK || pcb == nullptr) return ERR_VAL;
    const auto& listener = *static_cast<Conn*>(arg);
    const lfn_conn_events* events = nullptr;
    void* context = nullptr;
    Conn* conn = nullptr;
    if (listener.listener_events->accepted(listener.context, conn_of(pcb), &events, &context)) {
        conn = new_conn(events, context);
    }
    if (conn == nullptr) {
        tcp_arg(pcb, nullptr);  // the listener's argument is not this connection's
        return ERR_MEM;
    }
    watch(pcb, conn);
    return ERR_OK;
}

lfn_conn* connect_to(const ip_addr_t& remote, uint16_t port, const lfn_tcp_settings* wanted,
                     const lfn_conn_events* events, void* context) {
    tcp_pcb* pcb = tcp_new_ip_type(IP_GET_TYPE(&remote));
    if (pcb == nullptr) return nullptr;
    Conn* conn = new_conn(events, context);
    if (conn != nullptr && settings::apply(pcb, wanted)) {
        watch(pcb, conn);
        if (tcp_connect(pcb, &remote, port, on_connected) == ERR_OK) return conn_of(pcb);
    }
    tcp_arg(pcb, nullptr);
    tcp_abort(pcb);
    if (conn != nullptr) mem_free(conn);
    return nullptr;
}

lfn_conn* connect(uint32_t address, uint16_t port, const lfn_tcp_settings* wanted, const lfn_conn_events* events,
                  void* context) {
    return connect_to(ip(address), port, wanted, events, context);
}

lfn_conn* connect_ipv6(const uint8_t* address, uint16_t port, const lfn_tcp_settings* wanted,
                       const lfn_conn_events* events, void* context) {
    return connect_to(ip(address), port, wanted, events, context);
}

lfn_conn* listen(uint16_t port, const lfn_tcp_settings* wanted, const lfn_listener_events* events, void* context) {
    tcp_pcb* pcb = tcp_new_ip_type(IPADDR_TYPE_ANY);
    if (pcb == nullptr) return nullptr;
    Conn* conn = new_conn(nullptr, context);
    tcp_pcb* listener = nullptr;
    if (conn != nullptr && tcp_bind(pcb, IP_ANY_TYPE, port) == ERR_OK) listener = tcp_listen(pcb);
    if (listener != nullptr && settings::apply(listener, wanted)) {
        conn->listener_events = events;
        tcp_arg(listener, conn);
        tcp_accept(listener, on_accepted);
        return conn_of(listener);
    }
    tcp_close(listener != nullptr ? listener : pcb);
    if (conn != nullptr) mem_free(conn);
    return nullptr;
}

size_t write(lfn_conn* conn, const uint8_t* octets, size_t length) {
    tcp_pcb* pcb = pcb_of(conn);
    size_t taken = 0;
    while (taken < length) {
        const size_t room = LWIP_MIN(length - taken, static_cast<size_t>(tcp_sndbuf(pcb)));
        if (room == 0) break;
        const auto piece = static_cast<u16_t>(LWIP_MIN(room, size_t{0xffff}));
        if (tcp_write(pcb, octets + taken, piece, TCP_WRITE_FLAG_COPY) != ERR_OK) break;
        taken += piece;
    }
    return taken;
}

void flush(lfn_conn* conn) {
    tcp_output(pcb_of(conn));
}
size_t send_room(const lfn_conn* conn) {
    return pcb_of(conn)->snd_buf;
}
bool finish(lfn_conn* conn) {
    return tcp_shutdown(pcb_of(conn), 0, 1) == ERR_OK;
}

void consumed(lfn_conn* conn, size_t octets) {
    open_window(pcb_of(conn), octets);
}

void close(lfn_conn* conn) {
    wish_for(pcb_of(conn), Conn::to_close);
}

void abort(lfn_conn* conn) {
    wish_for(pcb_of(conn), Conn::to_abort);
}

// Only what tells us of its end has our state: connections that are half made have their listener's argument, those of
// lwIP's applications have theirs, which tcp_abandon() lets them give back.
void drop_all(tcp_pcb* const& list) {
    while (list != nullptr) {
        if (list->state != TIME_WAIT && list->errf == on_gone) forget(list);
        tcp_abandon(list, 0);
    }
}

void shutdown() {
    iperf::shutdown();
    while (tcp_listen_pcbs.pcbs != nullptr) close(conn_of(tcp_listen_pcbs.pcbs));
    drop_all(tcp_active_pcbs);
    drop_all(tcp_tw_pcbs);
    interface::remove();
    for (sys_timeo** next = sys_timeouts_get_next_timeout(); *next != nullptr;) sys_untimeout((*next)->h, (*next)->arg);
}

void info(const lfn_conn* conn, lfn_tcp_info* out) {
    settings::info(pcb_of(conn), out);
}

const lfn_stack table = {
    LFN_STACK_NAME,
    settings::per_connection,
    image::size,
    image::init,
    image::enter,
    init,
    shutdown,
    interface::input,
    interface::input_verified,
    settings::output_ready,
    sys_timeouts_sleeptime,
    sys_check_timeouts,
    connect,
    connect_ipv6,
    listen,
    write,
    flush,
    send_room,
    finish,
    consumed,
    close,
    abort,
    info,
    memory::held,
    http::serve,
    iperf::serve,
};

u32_t mix(u32_t hash, u32_t value) {
    hash ^= value;
    hash *= 0x9e3779b1U;
    return hash ^ (hash >> 15);
}

u32_t mix(u32_t hash, const ip_addr_t& address) {
    if (IP_IS_V4_VAL(address)) return mix(hash, ip_2_ip4(&address)->addr);
    for (const u32_t word : ip_2_ip6(&address)->addr) hash = mix(hash, word);
    return hash;
}

}  // namespace
}  // namespace lfn

// The build's one visible symbol.
extern "C" __attribute__((visibility("default"))) const lfn_stack* LFN_STACK_ENTRY(void) {
    return &lfn::table;
}

u32_t lfn_stack_isn(const ip_addr_t* local_ip, u16_t local_port, const ip_addr_t* remote_ip, u16_t remote_port) {
    u32_t hash = lfn::isn_secret[0];
    hash = lfn::mix(hash, *local_ip);
    hash = lfn::mix(hash, *remote_ip);
    hash = lfn::mix(hash, (static_cast<u32_t>(local_port) << 16) | remote_port);
    hash = lfn::mix(hash, lfn::isn_secret[1]);
    return hash + sys_now() * 250;
}

void lfn_stack_copy(void* to, const void* from, size_t octets) {
    const lfn::Metered metered(&lfn_stack_costs::copy, octets);
    __builtin_memcpy(to, from, octets);
}

unsigned int lfn_stack_random(void) {
    return lfn::env.random(lfn::env.context);
}

u32_t sys_now(void) {
    return lfn::env.now_ms(lfn::env.context);
}
