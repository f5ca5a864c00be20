/* SPDX-License-Identifier: BSD-3-Clause */
/* lwIP's iperf server with what its users lack: whether a session is still open, and an end to it that closes its
 * connection (lwiperf_abort() frees the session alone). */
#include "lwiperf.c"

int lfn_iperf_is_open(void* session) {
    return lwiperf_list_find((lwiperf_state_base_t*)session) != NULL;
}

void lfn_iperf_close(void* session) {
    lwiperf_tcp_close((lwiperf_state_tcp_t*)session, LWIPERF_TCP_ABORTED_LOCAL);
}
