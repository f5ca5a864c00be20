// SPDX-License-Identifier: BSD-3-Clause
// `lfn transfer --card`.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lfn/nak_receiver.h"
#include "lfn/tcp_options.h"
#include "ports/cli/cards.hpp"
#include "ports/cli/files.hpp"
#include "ports/cli/options.hpp"

namespace lfn::cli {

namespace {

constexpr std::array only_with_card = {"--peer-card",  "--host",         "--peer-host", "--gateway-host", "--stations",
                                       "--background", "--frame-errors", "--both-ways", "--trace-io"};
constexpr std::array never_with_card = {"--link", "--ber", "--rate", "--rtt", "--jitter", "--reorder"};

void settle_numbers(const Command& command, const TransferRequest& request, lab::CardTransferOptions& cards) {
    cards.tcp = request.transfer.tcp;
    cards.tcp.nak_assumed = cards.tcp.nak_mode != LFN_NAK_OFF && cards.tcp.wire == LFN_WIRE_RFC1106 &&
                            !cards.tcp.big_window && !request.peer_is_lwip;
    cards.seed = request.transfer.seed;
    // What suits a satellite does not suit a card: the card's own defaults, unless something was asked for.
    if (command.count("--window") > 0) cards.window = request.transfer.window;
    if (command.count("--mss") > 0) cards.mss = request.transfer.mss;
    if (command.count("--bytes") > 0) cards.octets = request.transfer.octets;
}

void settle_ends(const TransferRequest& request, CardRequest& cards) {
    lab::CardTransferOptions& transfer = cards.transfer;
    transfer.cards = {*cards.card, cards.peer_card.value_or(*cards.card)};
    if (transfer.hosts[1] == nullptr) transfer.hosts[1] = transfer.hosts[0];
    if (request.peer_is_lwip) transfer.stacks[1] = lfn_stack_lwip();
    if (cards.both_ways || request.reverse) transfer.octets_back = transfer.octets;
    if (request.reverse && !cards.both_ways) transfer.octets = 0;
}

// The sender's is FILE, as without cards.
void settle_files(TransferRequest& request, CardRequest& cards) {
    if (!cards.transfer.trace_io.empty()) check_writable("--trace-io", cards.transfer.trace_io);
    settle_captures(request);
    const bool b_sends = cards.transfer.octets == 0;
    cards.transfer.captures[b_sends ? 1 : 0] = request.transfer.sender_capture;
    cards.transfer.captures[b_sends ? 0 : 1] = request.transfer.receiver_capture;
}

void check(const Command& command, const CardRequest& cards) {
    for (const char* option : never_with_card) {
        if (command.count(option) > 0) complain(std::string(option) + ": belongs to a link; leave it out with --card");
    }
    const lab::WireOptions& wire = cards.transfer.wire;
    if (wire.background > 0 && std::ranges::count(cards.transfer.cards, lab::NicKind::el3c500) == 0) {
        complain("--background: the stations of a ring send nothing; leave it out, or give --card 3c500");
    }
    if (command.count("--gateway-host") > 0 && !cards.transfer.has_router()) {
        complain("--gateway-host: there is no gateway between cards of one kind; give another --peer-card");
    }
    if (wire.background > 0 && wire.stations == 0)
        complain("--background: nobody offers it; give --stations, as in 150");
}

int run_cards(const TransferRequest& request, CardRequest& cards) {
    const WallTime wall_time;
    lab::CardTransferReport report;
    {
        Progress progress(request.progress, "transfer");
        const std::uint64_t total = cards.transfer.octets + cards.transfer.octets_back;
        cards.transfer.on_progress = [&](std::uint64_t octets, Time) { progress.update(octets, total); };
        report = run_card_transfer(cards.transfer);
    }
    const auto print = request.json ? card_json : card_text;
    fmt::print("{}{}", print(request, cards, report, wall_time.seconds()), request.json ? "\n" : "");
    if (report.failure.empty()) return exit_ok;
    std::fflush(stdout);
    fmt::print(stderr, "lfn transfer: failed: {}\n", report.failure);
    return exit_failed;
}

}  // namespace

std::optional<Run> card_run(const Command& command, const std::shared_ptr<TransferRequest>& request,
                            const std::shared_ptr<CardRequest>& cards) {
    if (!cards->card) {
        for (const char* option : only_with_card) {
            if (command.count(option) > 0) complain(std::string(option) + ": needs a card; give --card 3c500 or p1300");
        }
        return std::nullopt;
    }
    settle_numbers(command, *request, cards->transfer);
    settle_ends(*request, *cards);
    check(command, *cards);
    settle_files(*request, *cards);
    return [request, cards] { return run_cards(*request, *cards); };
}

}  // namespace lfn::cli
