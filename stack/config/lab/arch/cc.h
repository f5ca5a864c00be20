/* SPDX-License-Identifier: BSD-3-Clause */
/* What lwIP asks of compiler and platform, for stacks that run in a host process. */
#ifndef LFN_CONFIG_LAB_CC_H
#define LFN_CONFIG_LAB_CC_H

#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Prints the claim and where it stands, then aborts. */
void lfn_assert_failed(const char* claim, const char* file, int line) __attribute__((noreturn));
/* Random octets of this stack's instance (see lfn_stack_env). */
unsigned int lfn_stack_random(void);

#ifdef __cplusplus
}
#endif

/* One instruction each, not a call. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define lwip_htons(host) __builtin_bswap16(host)
#define lwip_htonl(host) __builtin_bswap32(host)
#endif

#ifdef LFN_ASSERT_WITHOUT_LINES
#define LWIP_PLATFORM_ASSERT(claim) lfn_assert_failed(claim, "", 0)
#else
#define LWIP_PLATFORM_ASSERT(claim) lfn_assert_failed(claim, __FILE__, __LINE__)
#endif
#define LWIP_PLATFORM_DIAG(message)
#define LWIP_RAND() ((u32_t)lfn_stack_random())

#endif
