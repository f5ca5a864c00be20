/* SPDX-License-Identifier: BSD-3-Clause */
/* What the stack's own build takes for the size of a control block: the test that looks into one compares. */
#include "lwip/tcp.h"

unsigned lfn_test_pcb_size(void);

unsigned lfn_test_pcb_size(void) {
    return (unsigned)sizeof(struct tcp_pcb);
}
