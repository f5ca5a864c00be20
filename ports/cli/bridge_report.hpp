// SPDX-License-Identifier: BSD-3-Clause
// What a bridge did, for people and for programs.
#pragma once

#include <string>

#include "ports/bridge/bridge.hpp"

namespace lfn::cli {

std::string bridge_text(const Bridge& bridge);
/// One object. A rate is null if the line was never busy frame upon frame, or knows no limit.
std::string bridge_json(const Bridge& bridge);

}  // namespace lfn::cli
