// SPDX-License-Identifier: BSD-3-Clause
// What came of a transfer, for people and for programs.
#pragma once

#include <string>

#include "ports/cli/transfer_request.hpp"

namespace lfn::cli {

std::string transfer_text(const TransferRequest& request, const lab::TransferReport& report, double wall_seconds);

/// One object. What cannot be known is null: the ceiling of an unlimited link, the timeouts of unpatched lwIP.
std::string transfer_json(const TransferRequest& request, const lab::TransferReport& report, double wall_seconds);

}  // namespace lfn::cli
