// SPDX-License-Identifier: BSD-3-Clause
// What `lfn transfer` was asked for.
#pragma once

#include <memory>
#include <string>

#include "ports/cli/command_line.hpp"
#include "ports/cli/progress.hpp"
#include "ports/lab/transfer.hpp"

namespace lfn::cli {

struct TransferRequest {
    lab::TransferOptions transfer;
    bool peer_is_lwip = false;
    bool reverse = false;  ///< the peer sends
    std::string pcap;      ///< as given; the sender's capture
    ProgressMode progress = ProgressMode::automatic;
    bool json = false;
};

/// Declares the options of a transfer; they are stored when the command line is parsed.
void add_transfer_options(Command& command, const std::shared_ptr<TransferRequest>& request);

/// Judges what only makes sense together and settles who sends. Complains like an option.
void settle(TransferRequest& request);

/// The names of the two captures, if there are to be any. Complains if one cannot be written.
void settle_captures(TransferRequest& request);

}  // namespace lfn::cli
