/* SPDX-License-Identifier: BSD-3-Clause */
#include "../../../unit/stack/config/arch/cc.h"
