// SPDX-License-Identifier: BSD-3-Clause
#include "ports/cli/cards.hpp"
#include "ports/cli/options.hpp"
#include "ports/cli/units.hpp"

namespace lfn::cli {

namespace {

constexpr std::uint64_t stations_max = 1000;

std::string host_names() {
    std::string names;
    for (const HostProfile& host : host_profiles()) names += (names.empty() ? "" : ", ") + std::string(host.name);
    return names;
}

std::optional<const HostProfile*> parse_host(std::string_view name) {
    const HostProfile* host = find_host_profile(name);
    return host != nullptr ? std::optional(host) : std::nullopt;
}

void add_cards(Command& command, const std::shared_ptr<CardRequest>& cards) {
    const std::string remedy = "give one of 3c500, p1300";
    add_parsed<lab::NicKind>(
        command, {"--card", "NAME", "", "Hosts with cards instead of a link: 3c500 or p1300; `lfn devices`", remedy},
        lab::find_nic_kind, [cards](lab::NicKind card) { cards->card = card; });
    add_parsed<lab::NicKind>(command,
                             {"--peer-card", "NAME", "",
                              "With --card: the other end's card (default: as --card, on the same wire); if it is\n"
                              "another, a gateway with one of each joins their two wires",
                              remedy},
                             lab::find_nic_kind, [cards](lab::NicKind card) { cards->peer_card = card; });
}

void add_host_options(Command& command, const std::shared_ptr<CardRequest>& cards) {
    const std::string remedy = "unknown host; there are " + host_names();
    add_parsed<const HostProfile*>(
        command, {"--host", "NAME", "ideal", "With --card: the hosts' processors: " + host_names(), remedy}, parse_host,
        [cards](const HostProfile* host) { cards->transfer.hosts[0] = host; });
    add_parsed<const HostProfile*>(
        command, {"--peer-host", "NAME", "", "With --card: the other end's processor (default: as --host)", remedy},
        parse_host, [cards](const HostProfile* host) { cards->transfer.hosts[1] = host; });
    add_parsed<const HostProfile*>(
        command, {"--gateway-host", "NAME", "ideal", "With --peer-card: the gateway's processor", remedy}, parse_host,
        [cards](const HostProfile* host) { cards->transfer.router = host; });
}

void add_wire_options(Command& command, const std::shared_ptr<CardRequest>& cards) {
    add_parsed<std::uint64_t>(command,
                              {"--stations", "N", "0",
                               "With --card: other stations on the wire, 0 to 1000; on an Ethernet they may send "
                               "(--background), in a ring they delay",
                               "give a whole number from 0 to 1000"},
                              within<std::uint64_t>(parse_count, 0, stations_max), [cards](std::uint64_t stations) {
                                  cards->transfer.wire.stations = static_cast<unsigned>(stations);
                              });
    add_parsed<double>(
        command,
        {"--background", "LOAD", "0", "With --card 3c500: what the other stations offer together, a share of 10 Mb/s",
         "give a share from 0 to 1, as in 0.1"},
        within<double>(parse_number, 0, 1), [cards](double load) { cards->transfer.wire.background = load; });
    add_parsed<double>(command,
                       {"--frame-errors", "RATE", "0", "With --card: chance that a frame arrives damaged",
                        "give a number from 0 to 1, as in 1e-3"},
                       within<double>(parse_number, 0, 1),
                       [cards](double rate) { cards->transfer.wire.frame_error_rate = rate; });
}

}  // namespace

std::shared_ptr<CardRequest> add_card_options(Command& command) {
    auto cards = std::make_shared<CardRequest>();
    add_cards(command, cards);
    add_host_options(command, cards);
    add_wire_options(command, cards);
    command.add_flag("--both-ways", cards->both_ways, "With --card: as much in the other direction at the same time");
    add_text(command,
             {"--trace-io", "FILE", "", "With --card: write each port access with its virtual time to FILE", ""},
             [cards](const std::string& file) { cards->transfer.trace_io = file; });
    return cards;
}

}  // namespace lfn::cli
