// SPDX-License-Identifier: BSD-3-Clause
// The instance's one network interface.
#pragma once

#include "lfn/stack.h"

namespace lfn::interface {

void add(const lfn_interface& config);
void remove();
// As lfn_stack has them.
void input(const uint8_t* frame, size_t length);
void input_verified(const uint8_t* frame, size_t length);

}  // namespace lfn::interface
