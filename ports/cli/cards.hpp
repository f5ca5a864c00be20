// SPDX-License-Identifier: BSD-3-Clause
// What `lfn transfer` was asked for when it names a card, and what came of it; and `lfn devices`.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "ports/cli/command_line.hpp"
#include "ports/cli/commands.hpp"
#include "ports/cli/transfer_request.hpp"
#include "ports/lab/card_transfer.hpp"

namespace lfn::cli {

struct CardRequest {
    std::optional<lab::NicKind> card, peer_card;
    lab::CardTransferOptions transfer{};
    bool both_ways = false;
};

/// Declares --card and its companions on `lfn transfer`.
std::shared_ptr<CardRequest> add_card_options(Command& command);

/// The run of a transfer between cards, or nothing if no card was named. Complains like an option of what makes no
/// sense together.
std::optional<Run> card_run(const Command& command, const std::shared_ptr<TransferRequest>& request,
                            const std::shared_ptr<CardRequest>& cards);

std::string card_text(const TransferRequest& request, const CardRequest& cards, const lab::CardTransferReport& report,
                      double wall_seconds);
std::string card_json(const TransferRequest& request, const CardRequest& cards, const lab::CardTransferReport& report,
                      double wall_seconds);

void add_devices(Command& program, Run& run);

}  // namespace lfn::cli
