/* SPDX-License-Identifier: BSD-3-Clause */
/* One stack on a scripted wire: IPv4 and TCP alone, every block from malloc() so that a sanitizer sees it, all hooks
 * led to the test. A test sets the switches that have an #ifndef with DEFINES. */
#ifndef LFN_TESTS_UNIT_STACK_CONFIG_LWIPOPTS_H
#define LFN_TESTS_UNIT_STACK_CONFIG_LWIPOPTS_H

#define NO_SYS 1
#define SYS_LIGHTWEIGHT_PROT 0
#define LWIP_NETCONN 0
#define LWIP_SOCKET 0

#define LWIP_IPV4 1
#define LWIP_IPV6 0
#define LWIP_ARP 0
#define LWIP_ETHERNET 0
#define LWIP_ICMP 0
#define LWIP_RAW 0
#define LWIP_UDP 0
#define LWIP_DHCP 0
#define LWIP_DNS 0
#define IP_REASSEMBLY 0
#define IP_FRAG 0

#define MEM_LIBC_MALLOC 1
#define MEMP_MEM_MALLOC 1
#define MEM_ALIGNMENT 8
#define LWIP_SUPPORT_CUSTOM_PBUF 1

#define LWIP_TCP 1
#define LWIP_WND_SCALE 1
#ifndef LWIP_TCP_TIMESTAMPS
#define LWIP_TCP_TIMESTAMPS 1
#endif
#ifndef LWIP_TCP_SACK_OUT
#define LWIP_TCP_SACK_OUT 1
#endif
#ifndef TCP_MSS
#define TCP_MSS 1460
#endif
#ifndef TCP_RCV_SCALE
#define TCP_RCV_SCALE 2
#endif
#ifndef TCP_WND
#define TCP_WND (128 * 1024)
#endif
#ifndef TCP_SND_BUF
#define TCP_SND_BUF (128 * 1024)
#endif
#ifndef TCP_SND_QUEUELEN
#define TCP_SND_QUEUELEN 4096
#endif

#ifndef LWIP_TCP_PCB_NUM_EXT_ARGS
#define LWIP_TCP_PCB_NUM_EXT_ARGS 1
#endif
#define TCP_SNDLOWAT 16384

#define LWIP_STATS 1
#define MEM_STATS 1
#define MEMP_STATS 1
#define LWIP_DEBUG 1 /* for the checks that come with it; no message is switched on */

#ifndef LWIP_HOOK_FILENAME
#define LWIP_HOOK_FILENAME "stack_test_hooks.h"
#endif
#define LWIP_HOOK_TCP_ISN(local_ip, local_port, remote_ip, remote_port) lfn_test_isn()
#define LWIP_HOOK_TCP_OUT_TCPOPT_LENGTH(pcb, length) ((u8_t)((length) + lfn_test_option_length(pcb)))
#define LWIP_HOOK_TCP_OUT_ADD_TCPOPTS(p, header, pcb, options) lfn_test_add_options(header, pcb, options)
#define LWIP_HOOK_TCP_INPACKET_PCB(pcb, header, optlen, opt1len, opt2, p) \
    lfn_test_input(pcb, header, optlen, opt1len, opt2)

#endif
