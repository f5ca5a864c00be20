/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the stack's hooks end in a test; one_stack.cpp has them. */
#ifndef LFN_TESTS_UNIT_STACK_CONFIG_STACK_TEST_HOOKS_H
#define LFN_TESTS_UNIT_STACK_CONFIG_STACK_TEST_HOOKS_H

#include "lwip/arch.h"
#include "lwip/err.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tcp_hdr;
struct tcp_pcb;

/* The next connection's initial sequence number. */
u32_t lfn_test_isn(void);
/* Octets of options that the test adds to each outgoing segment; a multiple of 4. */
u8_t lfn_test_option_length(const struct tcp_pcb* pcb);
/* Writes them; returns where the next option goes. */
u32_t* lfn_test_add_options(struct tcp_hdr* header, const struct tcp_pcb* pcb, u32_t* options);
/* Sees every incoming segment that has a control block; optlen octets of options, those from opt1len on at opt2. */
err_t lfn_test_input(const struct tcp_pcb* pcb, const struct tcp_hdr* header, u16_t optlen, u16_t opt1len,
                     const u8_t* opt2);

#ifdef __cplusplus
}
#endif

#endif
