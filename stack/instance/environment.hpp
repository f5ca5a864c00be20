// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "lfn/stack.h"

namespace lfn {

// The current instance's, as it was initialised; part of its image.
extern lfn_stack_env env;

}  // namespace lfn
