/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * RFC 1106 for lwIP's TCP: what an application chooses for a connection, and what it can ask.
 *
 * Everything is off until it is switched on for a connection: on a pcb before tcp_connect(), or on a listening pcb,
 * whose connections inherit it. The sockets API takes the same names by setsockopt(s, IPPROTO_TCP, LFN_TCP_...,
 * &int_value, ...) when lfn/lwip_hooks.h is among lwIP's hooks.
 *
 * lfn_tcp_init() once, after lwip_init() (tcpip_init()'s callback with the sockets API). All calls under lwIP's core
 * lock.
 */
#ifndef LFN_TCP_H
#define LFN_TCP_H

#include "lfn/big_window.h"
#include "lfn/loss_policy.h"
#include "lfn/nak_receiver.h"
#include "lfn/tcp_options.h"
#include "lfn/tcp_settings.h"
#include "lwip/err.h"
#include "lwip/tcp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Memory that big windows of all connections share beyond their first 64 KB, octets, until lfn_tcp_set_budget(). */
#ifndef LFN_TCP_BUDGET
#define LFN_TCP_BUDGET UINT64_C(0x100000000)
#endif

/* Option names, in a range of their own at level IPPROTO_TCP. Values are ints. */
enum lfn_tcp_option {
    LFN_TCP_BIG_WINDOW = 0x1106, /* 0 or 1: options B and C (RFC 1106 3) */
    LFN_TCP_RECEIVE_WINDOW,  /* octets, 1 to 2^30; 0: the stack's default. Without B more than 65535 needs RFC 7323 */
    LFN_TCP_SEND_BUFFER,     /* octets, 1 to 2^30; 0: the stack's default */
    LFN_TCP_NAK,             /* enum lfn_nak_mode: option A (RFC 1106 2) */
    LFN_TCP_RENAK,           /* 0 or 1: name a hole again when its own round trip has passed */
    LFN_TCP_NAK_ASSUMED,     /* 0 or 1: the peer understands A, though its SYN cannot say so */
    LFN_TCP_DUP_ACKS,        /* enum lfn_dup_acks (RFC 1106 4.3) */
    LFN_TCP_LOSS_POLICY,     /* enum lfn_loss_policy (RFC 1106 4.2, and lfn/path.h) */
    LFN_TCP_SLOW_START_RATE, /* packets per acknowledged packet, 1 to 8; 2 in RFC 1106 4.2 */
    LFN_TCP_RTO_MARGIN,      /* ms, 0 to 60000 (RFC 1106 4.2) */
    LFN_TCP_INITIAL_WINDOW,  /* segments, 1 to 10 (RFC 6928); 0: RFC 3390 */
    LFN_TCP_SACK,            /* 0 or 1: permit the peer to send SACK, and take it as NAKs of the holes between */
    LFN_TCP_TIMESTAMPS,      /* 0 or 1: offer timestamps (RFC 7323), for PAWS and round trips */
    LFN_TCP_ISOLATED,        /* 0 or 1: the path keeps order and no old segment comes back (RFC 1110) */
    LFN_TCP_TAIL_PROBE,      /* 0 or 1: probe for a lost tail before a timeout (RFC 8985 7) */
    LFN_TCP_ECN,             /* 0 or 1: ask for ECN, and agree to it (RFC 3168) */
    LFN_TCP_KEEPALIVE,       /* seconds of silence until the peer is asked for a sign of life, 0 to 86400; 0: never */
    LFN_TCP_WIRE,            /* enum lfn_wire */
    LFN_TCP_KIND_A,          /* option kinds of wire form rfc1106, 1 unused by TCP each; defaults 65, 66, 67 */
    LFN_TCP_KIND_B,
    LFN_TCP_KIND_C,
    LFN_TCP_EXID /* 16 bits; default 0x1106 (RFC 6994) */
};

/* Takes hold of the stack; once per lwip_init(). The instance's extension argument must still be free. */
void lfn_tcp_init(void);

/* For all connections that are made from now on. Windows that were granted stay. */
void lfn_tcp_set_budget(uint64_t octets);

/*
 * ERR_OK; ERR_VAL: unknown option or a value out of its range; ERR_MEM: no room for the connection's state; ERR_ISCONN:
 * too late, the connection is on its way (LFN_TCP_DUP_ACKS, _LOSS_POLICY, _SLOW_START_RATE, _RTO_MARGIN, _RENAK and
 * _TAIL_PROBE may change at any time).
 */
err_t lfn_tcp_setopt(struct tcp_pcb* pcb, int name, int value);
/* As lfn_tcp_setopt; what was never set has the value that holds. */
err_t lfn_tcp_getopt(const struct tcp_pcb* pcb, int name, int* value);

/* Everything at once: as if each option had been set. */
err_t lfn_tcp_set(struct tcp_pcb* pcb, const struct lfn_tcp_settings* settings);

/* A snapshot; not for listening pcbs (ERR_ARG). */
err_t lfn_tcp_get_info(const struct tcp_pcb* pcb, struct lfn_tcp_info* info);

/* The network interface has room again after it answered ERR_MEM: sends what waits, acknowledgements included. */
void lfn_tcp_output_ready(void);

#ifdef __cplusplus
}
#endif

#endif
