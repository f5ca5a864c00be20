/* SPDX-License-Identifier: BSD-3-Clause */
/* For objects that are compared: as much of lwIP's core as one configuration holds. */
#ifndef LFN_TESTS_UPSTREAM_IDENTITY_LWIPOPTS_H
#define LFN_TESTS_UPSTREAM_IDENTITY_LWIPOPTS_H

#define NO_SYS 1
#define SYS_LIGHTWEIGHT_PROT 0
#define LWIP_NETCONN 0
#define LWIP_SOCKET 0
#define LWIP_IPV6 1
#define LWIP_ALTCP 1
#define LWIP_RAW 1
#define LWIP_DNS 1
#define LWIP_DHCP 1
#define LWIP_AUTOIP 1
#define LWIP_IGMP 1
#define LWIP_HAVE_LOOPIF 1
#define MIB2_STATS 1
#define MEM_SIZE 65536

#ifndef LWIP_WND_SCALE
#define LWIP_WND_SCALE 1
#endif
#define LWIP_TCP_TIMESTAMPS LWIP_WND_SCALE
#define LWIP_TCP_SACK_OUT LWIP_WND_SCALE
#define LWIP_TCP_PCB_NUM_EXT_ARGS LWIP_WND_SCALE
#define SO_REUSE LWIP_WND_SCALE
#define LWIP_TCP_KEEPALIVE LWIP_WND_SCALE
#define TCP_RCV_SCALE 2
#define TCP_MSS 1460
#define TCP_WND (16 * TCP_MSS)
#define TCP_SND_BUF (16 * TCP_MSS)
#define TCP_SND_QUEUELEN 64
#define MEMP_NUM_TCP_SEG TCP_SND_QUEUELEN
#define MEMP_NUM_SYS_TIMEOUT 32

#endif
