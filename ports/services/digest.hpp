// SPDX-License-Identifier: BSD-3-Clause
// The digest, as services know it.
#pragma once

#include "ports/digest/digest.hpp"

namespace lfn::services {
using lfn::Digest;
}  // namespace lfn::services
