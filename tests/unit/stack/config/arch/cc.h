/* SPDX-License-Identifier: BSD-3-Clause */
/* lwIP's compiler and platform layer for a stack under test on a hosted system. */
#ifndef LFN_TESTS_UNIT_STACK_CONFIG_ARCH_CC_H
#define LFN_TESTS_UNIT_STACK_CONFIG_ARCH_CC_H

#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reports a broken assertion of the stack as a failure of the running test, then ends the process. */
void lfn_test_assertion(const char* message, const char* file, int line);

#ifdef __cplusplus
}
#endif

/* A stack that takes the machine for a big-endian one: what it reads octet by octet must come out the same, what it
 * reads through a header's fields comes out reversed. */
#ifdef LFN_TEST_BIG_ENDIAN
#undef BYTE_ORDER
#define BYTE_ORDER BIG_ENDIAN
#endif

#define LWIP_PLATFORM_DIAG(x) \
    do {                      \
        printf x;             \
    } while (0)
#define LWIP_PLATFORM_ASSERT(message) lfn_test_assertion(message, __FILE__, __LINE__)
#define LWIP_RAND() 4u /* every run is the same run */

#endif
