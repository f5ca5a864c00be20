// SPDX-License-Identifier: BSD-3-Clause
// A transfer over a link whose profile has competitors: they share its queue, and were there first.
#pragma once

#include "ports/lab/transfer.hpp"

namespace lfn::lab {

/// As run_transfer(), which calls it for such a link. None of `on_look`, `impair` and `send_buffer` is used.
TransferReport run_transfer_among_competitors(const TransferOptions& options);

}  // namespace lfn::lab
