/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A TCP/IP stack as its host sees it: one table of functions for each build of the stack in the process.
 *
 * A build is one relocatable object whose symbols are its own; two are linked in: lfn (patched) and lwIP 2.2.1 as it
 * was released, as a peer. Of each there may be any number of *instances*: an instance is an image of the build's
 * mutable globals, a few hundred octets in memory that the caller owns, which `enter` swaps in.
 *
 * Every function but image_init works on the instance that was entered last. Callbacks come from within `input`,
 * `run_timers`, `output_ready` and the connection functions; they may call connection functions of the same connection,
 * and must not enter another instance. Not thread-safe: one thread has all instances of a build.
 *
 * Ports and IPv4 addresses are in host byte order, IPv6 addresses in that of the network.
 */
#ifndef LFN_STACK_H
#define LFN_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lfn/tcp_settings.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What handling the octets of packets takes, in ticks of the caller's clock; for benchmarks. Added to, never reset. */
struct lfn_stack_cost {
    uint64_t ticks;
    uint64_t octets;
};
struct lfn_stack_costs {
    uint64_t (*ticks)(void);
    struct lfn_stack_cost copy;     /* from buffer to buffer: into the stack, within it, out of it */
    struct lfn_stack_cost checksum; /* of all protocols */
};

/* What an instance asks of its surroundings. All functions must be there. */
struct lfn_stack_env {
    void* context;
    /* Milliseconds since any fixed point, modulo 2^32. */
    uint32_t (*now_ms)(void* context);
    uint32_t (*random)(void* context);
    /* Room for an outgoing frame of `length` octets, or null: the network interface is full, and `output_ready` follows
     * when it has drained. The stack fills it and calls transmit_end before anything else. */
    uint8_t* (*transmit_begin)(void* context, size_t length);
    void (*transmit_end)(void* context);
    /* Null: nobody asks. */
    struct lfn_stack_costs* costs;
};

enum lfn_link_kind {
    LFN_LINK_POINT_TO_POINT, /* frames are IP datagrams */
    LFN_LINK_ETHERNET        /* frames are Ethernet frames without preamble and check sequence; ARP */
};

struct lfn_interface {
    enum lfn_link_kind kind;
    uint32_t address;
    uint32_t netmask;
    uint32_t gateway;
    uint16_t mtu; /* octets of an IP datagram */
    uint8_t hardware_address[6];
    /* Whoever transmits completes the checksum of TCP segments: the stack leaves it out. */
    bool checksum_offload;
    /* IPv6 is spoken, on Ethernet with a link-local address of the hardware's. The two addresses are optional: all zero
     * for none. Of the network of `ipv6_address`, 64 bits are the link's. */
    bool has_ipv6;
    uint8_t ipv6_address[16];
    uint8_t ipv6_gateway[16];
};

/* A connection or a listener. */
struct lfn_conn;

/* What happens on a connection. Null entries are not told. `context` is the connection's. */
struct lfn_conn_events {
    void (*connected)(void* context);
    void (*received)(void* context, const uint8_t* octets, size_t length);
    /* True: what was received stays in the receive window until it is told by `consumed`. */
    bool says_what_it_consumed;
    /* `octets` more were acknowledged by the peer: there is room in the send buffer. */
    void (*acknowledged)(void* context, uint32_t octets);
    /* The peer has sent its FIN: no more data comes. */
    void (*peer_closed)(void* context);
    /* The connection is gone: reset, aborted after retransmissions, or closed. It must not be used again. `reason` is a
     * phrase. */
    void (*gone)(void* context, const char* reason);
};

struct lfn_listener_events {
    /* A connection was made: fill in its events and its context. Return false to refuse it. */
    bool (*accepted)(void* context, struct lfn_conn* conn, const struct lfn_conn_events** events, void** conn_context);
};

/* What an HTTP server has to give. Called from within the stack. */
struct lfn_http_files {
    void* context;
    /* The length of the file of that name ("/index.html"), or -1: there is none. `handle` is passed back. */
    int32_t (*open)(void* context, const char* name, void** handle);
    void (*read)(void* context, void* handle, uint32_t offset, uint8_t* octets, size_t length);
    void (*close)(void* context, void* handle);
};

struct lfn_iperf_events {
    /* A client has sent what it had, or failed: `failure` is a phrase then, else null. */
    void (*over)(void* context, uint64_t octets, uint32_t duration_ms, const char* failure);
};

struct lfn_stack {
    /* "lfn" or "lwip-2.2.1" */
    const char* name;
    /* The build knows RFC 1106: settings and info are complete. */
    bool has_lfn_tcp;
    size_t (*image_size)(void);
    /* Makes `image` (image_size() octets) an instance that has not been initialised. */
    void (*image_init)(void* image);
    /* Makes `image` the current instance; null leaves none, the globals as they were linked. Cheap if it already is. */
    void (*enter)(void* image);

    /* Initialises the current instance with one interface. `env` is copied. `defaults` sets the windows of connections
     * of a build without lfn_tcp; it may be null. */
    void (*init)(const struct lfn_stack_env* env, const struct lfn_interface* interface,
                 const struct lfn_tcp_settings* defaults);
    /* Gives back everything that the current instance holds; connections are aborted without a word, the peer's RST
     * included. The instance is as if it had never been initialised. */
    void (*shutdown)(void);
    void (*input)(const uint8_t* frame, size_t length);
    /* The same, of a frame whose TCP checksum is known to be right, or is not filled in: it is not looked at. */
    void (*input_verified)(const uint8_t* frame, size_t length);
    /* The interface has room again after transmit_begin returned null. */
    void (*output_ready)(void);
    /* Milliseconds until run_timers has something to do; UINT32_MAX: never. */
    uint32_t (*timer_delay_ms)(void);
    void (*run_timers)(void);

    /* Null: out of memory, or no route. `settings` may be null: all off. */
    struct lfn_conn* (*connect)(uint32_t address, uint16_t port, const struct lfn_tcp_settings* settings,
                                const struct lfn_conn_events* events, void* context);
    struct lfn_conn* (*connect_ipv6)(const uint8_t address[16], uint16_t port, const struct lfn_tcp_settings* settings,
                                     const struct lfn_conn_events* events, void* context);
    /* Over both families. */
    struct lfn_conn* (*listen)(uint16_t port, const struct lfn_tcp_settings* settings,
                               const struct lfn_listener_events* events, void* context);
    /* Queues as much as fits and returns how many octets that was. Sends nothing before `flush` or the next event. */
    size_t (*write)(struct lfn_conn* conn, const uint8_t* octets, size_t length);
    void (*flush)(struct lfn_conn* conn);
    size_t (*send_room)(const struct lfn_conn* conn);
    /* Sends FIN after what is queued; the other direction stays open. False: out of memory, try again. */
    bool (*finish)(struct lfn_conn* conn);
    /* So many octets of what was received have been taken: the window opens. Only with says_what_it_consumed. */
    void (*consumed)(struct lfn_conn* conn, size_t octets);
    /* Closes both directions; the connection must not be used again, and tells no more events. For a listener: stop
     * listening. From within an event of this connection it is done when the event returns. */
    void (*close)(struct lfn_conn* conn);
    /* Sends RST. As for close, `gone` is not told. */
    void (*abort)(struct lfn_conn* conn);
    void (*info)(const struct lfn_conn* conn, struct lfn_tcp_info* info);
    /* Octets that the instance has allocated and not given back, the allocator's own share included. */
    uint64_t (*memory_held)(void);

    /* lwIP's own applications, one of each an instance, until it is shut down. False: the port is taken, or out of
     * memory. What is pointed to must live as long, but for `settings` and `files` itself, which are copied. */
    bool (*serve_http)(uint16_t port, const struct lfn_tcp_settings* settings, const struct lfn_http_files* files);
    /* For clients of iperf 2; they send, and may not ask for a test in return. */
    bool (*serve_iperf)(uint16_t port, const struct lfn_tcp_settings* settings, const struct lfn_iperf_events* events,
                        void* context);
};

/* lwIP 2.2.1 with the whole patch series and RFC 1106. */
const struct lfn_stack* lfn_stack_lfn(void);
/* lwIP 2.2.1 as released. */
const struct lfn_stack* lfn_stack_lwip(void);

#ifdef __cplusplus
}
#endif

#endif
