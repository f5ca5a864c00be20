// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace lfn::memory {

// Octets that the current instance has from malloc, malloc's own share included.
std::uint64_t held();

}  // namespace lfn::memory
