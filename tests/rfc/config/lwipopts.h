/* SPDX-License-Identifier: BSD-3-Clause */
/* The scripted-wire configuration of tests/unit/stack, with the extension in place of the harness's input hook. */
#ifndef LFN_TESTS_RFC_CONFIG_LWIPOPTS_H
#define LFN_TESTS_RFC_CONFIG_LWIPOPTS_H

#define LWIP_HOOK_FILENAME "rfc_hooks.h"

#include "../../unit/stack/config/lwipopts.h"

#undef LWIP_HOOK_TCP_INPACKET_PCB

#endif
