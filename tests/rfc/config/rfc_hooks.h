/* SPDX-License-Identifier: BSD-3-Clause */
/* lwIP's hooks: the extension's, and those of the scripted wire. */
#ifndef LFN_TESTS_RFC_CONFIG_RFC_HOOKS_H
#define LFN_TESTS_RFC_CONFIG_RFC_HOOKS_H

#include "../../unit/stack/config/stack_test_hooks.h"
#include "lfn/lwip_hooks.h"

#endif
