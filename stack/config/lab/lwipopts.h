/* SPDX-License-Identifier: BSD-3-Clause */
/* The configuration of stacks that run as instances in a host process: lfn's own, and unpatched lwIP as its peer.
 * Memory comes from malloc, so that an instance's globals are a few hundred octets and sanitizers see every buffer. */
#ifndef LFN_CONFIG_LAB_LWIPOPTS_H
#define LFN_CONFIG_LAB_LWIPOPTS_H

#define NO_SYS 1
#define SYS_LIGHTWEIGHT_PROT 0
#define LWIP_SOCKET 0
#define LWIP_NETCONN 0
#define MEM_CUSTOM_ALLOCATOR 1 /* malloc, counted: stack/instance/memory.cpp */
#define MEM_CUSTOM_MALLOC lfn_stack_malloc
#define MEM_CUSTOM_CALLOC lfn_stack_calloc
#define MEM_CUSTOM_FREE lfn_stack_free
#define MEMP_MEM_MALLOC 1
#define MEM_ALIGNMENT 8

#define LWIP_IPV4 1
/* IPv6 where an interface has addresses of it; static ones, and link-local. Small tables: they are part of the image.
 */
#define LWIP_IPV6 1
#define LWIP_IPV6_NUM_ADDRESSES 2
#define LWIP_IPV6_DUP_DETECT_ATTEMPTS 0 /* addresses are given by whoever knows the link (RFC 4862 5.1 allows it) */
#define LWIP_IPV6_AUTOCONFIG 0
#define LWIP_IPV6_SEND_ROUTER_SOLICIT 0
#define LWIP_IPV6_MLD 0
#define LWIP_IPV6_FRAG 0
#define LWIP_IPV6_REASS 0
#define LWIP_ND6_QUEUEING 0
#define LWIP_ND6_NUM_NEIGHBORS 4
#define LWIP_ND6_NUM_DESTINATIONS 4
#define LWIP_ND6_NUM_PREFIXES 1
#define LWIP_ND6_NUM_ROUTERS 1
#define LWIP_ND6_ALLOW_RA_UPDATES 0
#define IP_REASSEMBLY 0
#define IP_FRAG 0
#define LWIP_ARP 1
#define ARP_TABLE_SIZE 4
#define ARP_QUEUEING 0
#define LWIP_ETHERNET 1
#define LWIP_ICMP 1
#define LWIP_RAW 0
#define LWIP_UDP 0
#define LWIP_DNS 0
#define LWIP_DHCP 0
#define LWIP_STATS 0
/* Lets an instance give back its timeouts when it ends. */
#define LWIP_TESTMODE 1
#define LWIP_CHKSUM lfn_checksum
#define LWIP_CHECKSUM_CTRL_PER_NETIF 1 /* where a port or the kernel computes them */
#define MEMCPY(to, from, octets) lfn_stack_copy(to, from, octets)
#define LWIP_NETIF_TX_SINGLE_PBUF 1

/* A segment carries what the network interface's MTU allows; this is the largest that any of ours has (a TAP's 65520).
 */
#define TCP_MSS 65480
/* A quarter of the window, or four segments of IP over ATM (RFC 2225), whichever is less. */
#define TCP_WND_UPDATE_THRESHOLD LWIP_MIN(TCP_WND / 4, 4 * 9140)
#define TCP_QUEUE_OOSEQ 1
#define LWIP_WND_SCALE 1
#define LWIP_DISABLE_TCP_SANITY_CHECKS 1
#define LWIP_TCP_KEEPALIVE 1

/* Windows and buffers are chosen when an instance is initialised, by variables that live in its image. The
 * preprocessor, to which an unknown name is 0, sees the defaults. */
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
/* As the C library has them. */
void* lfn_stack_malloc(size_t size);
void* lfn_stack_calloc(size_t number, size_t size);
void lfn_stack_free(void* block);
extern unsigned int lfn_stack_receive_window; /* octets; 0: 65535 */
extern unsigned int lfn_stack_send_buffer;    /* octets; 0: 65535 */
extern unsigned char lfn_stack_window_scale;  /* RFC 7323 shift */
/* The one's complement sum of `length` octets as 16-bit words in memory order (RFC 1071), not inverted. */
unsigned short lfn_checksum(const void* octets, int length);
/* memcpy, counted: stack/instance/costs.hpp. */
void lfn_stack_copy(void* to, const void* from, size_t octets);
#ifdef __cplusplus
}
#endif
#define TCP_WND (lfn_stack_receive_window ? lfn_stack_receive_window : 65535U)
#define TCP_SND_BUF (lfn_stack_send_buffer ? lfn_stack_send_buffer : 65535U)
#define TCP_RCV_SCALE lfn_stack_window_scale

#if LFN_TCP
#define LWIP_TCP_PCB_NUM_EXT_ARGS 1
#define LWIP_TCP_SACK_OUT 1
#define LFN_TCP_SACK_DEFAULT 0 /* it is for each connection to say */
#define LWIP_TCP_TIMESTAMPS 1
#define LFN_TCP_TIMESTAMPS_DEFAULT 0
#define TCP_SND_QUEUELEN (1 << 24) /* 2^30 octets in segments of 64 */
#else
#define LWIP_TCP_SACK_OUT 0
#define LWIP_TCP_TIMESTAMPS 0
#define TCP_SND_QUEUELEN 65532
#endif
#define LWIP_HOOK_FILENAME "lfn/stack_hooks.h"

/* The HTTP server: files are the host's (stack/instance/http.cpp), the port is chosen when it starts. */
#ifdef __cplusplus
extern "C" {
#endif
extern unsigned short lfn_stack_http_port;
#ifdef __cplusplus
}
#endif
#define HTTPD_SERVER_PORT lfn_stack_http_port
#define HTTPD_FSDATA_FILE "lfn/http_files.h"
#define HTTPD_LIMIT_SENDING_TO_2MSS 0
#define HTTPD_SERVER_AGENT "lfn"
#define LWIP_HTTPD_CUSTOM_FILES 1
#define LWIP_HTTPD_DYNAMIC_FILE_READ 1
#define LWIP_HTTPD_DYNAMIC_HEADERS 1
#define LWIP_HTTPD_FILE_EXTENSION 1
#define LWIP_HTTPD_MAX_CONTENT_LEN_SIZE (10 + 3) /* 2^31 - 1, and the end of the line */

#endif
