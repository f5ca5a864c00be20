// SPDX-License-Identifier: BSD-3-Clause
// LFN_TCP_... by the sockets API. Empty without it.
#include "lfn/lwip_hooks.h"
#include "lfn/tcp.h"

#if LWIP_SOCKET

#include "lwip/api.h"
#include "lwip/errno.h"
#include "lwip/priv/sockets_priv.h"

namespace {

bool ours(int level, int name) {
    return level == IPPROTO_TCP && name >= LFN_TCP_BIG_WINDOW && name <= LFN_TCP_EXID;
}

// Null if the socket is no TCP socket or has lost its connection.
tcp_pcb* pcb_of(const lwip_sock* sock) {
    if (sock->conn == nullptr || NETCONNTYPE_GROUP(netconn_type(sock->conn)) != NETCONN_TCP) return nullptr;
    return sock->conn->pcb.tcp;
}

int errno_of(err_t error) {
    switch (error) {
        case ERR_OK:
            return 0;
        case ERR_MEM:
            return ENOMEM;
        case ERR_ISCONN:
            return EISCONN;
        default:
            return EINVAL;
    }
}

}  // namespace

int lfn_tcp_setsockopt(int, lwip_sock* sock, int level, int name, const void* value, u32_t length, int* error) {
    if (!ours(level, name)) return 0;
    tcp_pcb* pcb = pcb_of(sock);
    if (pcb == nullptr || value == nullptr || length < sizeof(int)) {
        *error = EINVAL;
    } else {
        *error = errno_of(lfn_tcp_setopt(pcb, name, *static_cast<const int*>(value)));
    }
    return 1;
}

int lfn_tcp_getsockopt(int, lwip_sock* sock, int level, int name, void* value, u32_t* length, int* error) {
    if (!ours(level, name)) return 0;
    const tcp_pcb* pcb = pcb_of(sock);
    if (pcb == nullptr || value == nullptr || length == nullptr || *length < sizeof(int)) {
        *error = EINVAL;
    } else {
        *error = errno_of(lfn_tcp_getopt(pcb, name, static_cast<int*>(value)));
        *length = sizeof(int);
    }
    return 1;
}

#endif
