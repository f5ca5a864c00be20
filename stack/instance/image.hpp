// SPDX-License-Identifier: BSD-3-Clause
// The image of a stack's mutable globals: what makes an instance.
//
// The build gathers every mutable global of the stack into two sections of its relocatable object (stack/instance/
// globals.ld.in). An instance that is not current is a copy of them in its owner's memory.
#pragma once

#include <cstddef>

namespace lfn::image {

std::size_t size();
/// A copy of the globals as they were linked.
void init(void* image);
/// Puts the current instance's globals away and `image`'s in place.
void enter(void* image);

}  // namespace lfn::image
