// SPDX-License-Identifier: BSD-3-Clause
// `lfn transfer`: one transfer in virtual time.
#include <fmt/format.h>

#include <memory>

#include "ports/cli/cards.hpp"
#include "ports/cli/commands.hpp"
#include "ports/cli/transfer_report.hpp"
#include "ports/cli/transfer_request.hpp"

namespace lfn::cli {

namespace {

constexpr unsigned retransmissions_max = 12;  // lwIP's TCP_MAXRTX, which the stack leaves as it is

constexpr const char* footer =
    "Examples:\n"
    "  lfn transfer\n"
    "  lfn transfer --ber 1e-6 --loss-policy noise --window 512K --slow-start 2 --bytes 50M\n"
    "  lfn transfer --ber 1e-6 --nak off                  what NAK is worth\n"
    "  lfn transfer --ber 1e-6 --peer lwip --reverse      unpatched lwIP 2.2.1 sends\n"
    "  lfn transfer --link geo-10m --window 1M --rtt 560 --jitter 20\n"
    "  lfn transfer --bytes 1M --pcap run.pcap            writes run.pcap and run-receiver.pcap\n"
    "  lfn transfer --card 3c500 --host pc-at-8 --bytes 1M --stations 150 --background 0.1\n"
    "  lfn transfer --card 3c500 --peer-card p1300 --bytes 1M          an Ethernet, a gateway, a token ring\n"
    "  lfn transfer --json | jq .efficiency\n"
    "\n"
    "A full queue of the link holds the sender up, as that of a host's own interface does; routers, which drop or "
    "mark\n"
    "instead, are behind `lfn policies`, `lfn bridge` and `lfn compare --when-full drop`.\n"
    "\n"
    "The ceiling is what the link allows: rate x payload share of a packet x (1 - packet error rate).";

// Which retransmissions were of no use, and what would help.
std::string explained(const lab::TransferReport& report) {
    if (report.failure.empty()) return "not all data arrived";
    if (!report.failure.ends_with("timed out")) return report.failure;
    const char* remedy = "give fewer errors (--ber) or shorter outages (--link)";
    if (report.forward.payload_octets == 0 && report.backward.payload_octets == 0) {
        return fmt::format(
            "{}: the handshake was not over in {:.0f} s; {}, a faster line (--rate) or a shorter round trip (--rtt)",
            report.failure, report.over_seconds, remedy);
    }
    return fmt::format("{}: one segment was sent {} times in vain, and given up after {:.0f} s; {}", report.failure,
                       retransmissions_max + 1, report.over_seconds, remedy);
}

int run_transfer_command(TransferRequest& request) {
    const WallTime wall_time;
    lab::TransferReport report;
    {
        Progress progress(request.progress, "transfer");
        const std::uint64_t total = request.transfer.octets;
        request.transfer.on_progress = [&](std::uint64_t octets, Time) { progress.update(octets, total); };
        report = run_transfer(request.transfer);
    }
    const double wall_seconds = wall_time.seconds();
    const auto print = request.json ? transfer_json : transfer_text;
    fmt::print("{}{}", print(request, report, wall_seconds), request.json ? "\n" : "");
    if (report.failure.empty() && report.intact) return exit_ok;
    std::fflush(stdout);
    fmt::print(stderr, "lfn transfer: failed: {}\n", explained(report));
    return exit_failed;
}

}  // namespace

void add_transfer(Command& program, Run& run) {
    Command command = program.add_subcommand("transfer", "Send data over an emulated link, in virtual time");
    command.footer(footer);
    const auto request = std::make_shared<TransferRequest>();
    add_transfer_options(command, request);
    const auto cards = add_card_options(command);
    command.callback([&run, request, cards, command] {
        if (const auto over_cards = card_run(command, request, cards)) {
            run = *over_cards;
            return;
        }
        settle(*request);
        run = [request] { return run_transfer_command(*request); };
    });
}

}  // namespace lfn::cli
