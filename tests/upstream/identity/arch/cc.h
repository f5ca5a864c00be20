/* SPDX-License-Identifier: BSD-3-Clause */
/* For objects that are compared: an assertion says which, but not in what line. */
#ifndef LFN_TESTS_UPSTREAM_IDENTITY_ARCH_CC_H
#define LFN_TESTS_UPSTREAM_IDENTITY_ARCH_CC_H

void identity_assertion(const char* message);
unsigned identity_random(void);

#define LWIP_PLATFORM_DIAG(x) ((void)0)
#define LWIP_PLATFORM_ASSERT(message) identity_assertion(message)
#define LWIP_RAND() identity_random()

#endif
