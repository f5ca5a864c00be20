/* SPDX-License-Identifier: BSD-3-Clause */
/* lwIP's own hooks that lfn needs: make this file LWIP_HOOK_FILENAME, or include it from yours. */
#ifndef LFN_LWIP_HOOKS_H
#define LFN_LWIP_HOOKS_H

#include "lwip/err.h"
#include "lwip/opt.h"

#if LFN_TCP

#ifdef __cplusplus
extern "C" {
#endif

struct pbuf;
struct tcp_hdr;
struct tcp_pcb;
struct lwip_sock;

/* Notes the options of a segment before lwIP processes it; changes nothing of the pcb. */
err_t lfn_tcp_segment_in(struct tcp_pcb* pcb, const struct tcp_hdr* header, u16_t options_length, u16_t first_length,
                         const u8_t* second, const struct pbuf* data);

/* LFN_TCP_... by setsockopt() and getsockopt() at level IPPROTO_TCP. Return 0 for other options, else 1, and set *error
 * to 0 or an errno. */
int lfn_tcp_setsockopt(int s, struct lwip_sock* sock, int level, int name, const void* value, u32_t length, int* error);
int lfn_tcp_getsockopt(int s, struct lwip_sock* sock, int level, int name, void* value, u32_t* length, int* error);

#ifdef __cplusplus
}
#endif

#define LWIP_HOOK_TCP_INPACKET_PCB(pcb, header, options_length, first_length, second, data) \
    lfn_tcp_segment_in(pcb, header, options_length, first_length, second, data)
#define LWIP_HOOK_SOCKETS_SETSOCKOPT(s, sock, level, name, value, length, error) \
    lfn_tcp_setsockopt(s, sock, level, name, value, length, error)
#define LWIP_HOOK_SOCKETS_GETSOCKOPT(s, sock, level, name, value, length, error) \
    lfn_tcp_getsockopt(s, sock, level, name, value, length, error)

#endif /* LFN_TCP */

#endif
