/* SPDX-License-Identifier: BSD-3-Clause */
/* lwIP's hooks for stacks that run as instances (LWIP_HOOK_FILENAME of stack/config/lab). */
#ifndef LFN_STACK_HOOKS_H
#define LFN_STACK_HOOKS_H

#include "lwip/ip_addr.h"

struct netif;

#if LFN_TCP
#include "lfn/lwip_hooks.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The initial sequence number of a connection: a hash of the addresses, the ports and a secret of the instance, plus a
 * clock of 4 us steps (RFC 6528's form; the secret comes from the instance's random numbers). */
u32_t lfn_stack_isn(const ip_addr_t* local_ip, u16_t local_port, const ip_addr_t* remote_ip, u16_t remote_port);

/* Where IPv6 packets for other networks go; null: nowhere, unless a router has made itself known. */
const ip6_addr_t* lfn_stack_ipv6_gateway(const struct netif* out, const ip6_addr_t* destination);

#ifdef __cplusplus
}
#endif

#define LWIP_HOOK_ND6_GET_GW(out, destination) lfn_stack_ipv6_gateway(out, destination)
#define LWIP_HOOK_TCP_ISN(local_ip, local_port, remote_ip, remote_port) \
    lfn_stack_isn(local_ip, local_port, remote_ip, remote_port)

#endif
