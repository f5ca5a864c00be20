// SPDX-License-Identifier: BSD-3-Clause
// Throughput of lfn and of lwIP 2.2.1 against the kernel's TCP over a TAP interface, step by step from a port that
// handles a frame at a time to one with offloads, in one paired run: the steps take turns. Every run is checked end to
// end by digest. Makes a network namespace of its own, which goes with it. Needs root.
#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ports/cli/options.hpp"
#include "ports/cli/units.hpp"
#include "ports/realtime/freed_memory.hpp"
#include "ports/tap/interface_config.hpp"
#include "tests/bench/tap/report.hpp"

namespace lfn::bench {

namespace {

constexpr const char* footer =
    "Columns: goodput, and how many times the first row's; processor time of our process for a packet with data (the\n"
    "kernel's work in our system calls is in it), and how many times less than the first row's; system calls for such "
    "a\n"
    "packet. Behind the bar, nanoseconds of real time for such a packet in a run of its own, with meters: reading,\n"
    "writing, polling (with its waiting), copies, Internet checksums, digest of what came, and the rest: the stack, "
    "the\n"
    "port, the loop. A packet is what the MTU allows; trains of segments are counted as what they are made of.\n"
    "\n"
    "The first row's port is written as lwIP's own tapif is: a poll and a read for each frame, each frame written by\n"
    "itself, every acknowledgement of lwIP's sent.";

struct Request {
    std::vector<std::uint16_t> mtus = {1500, 65520};
    std::vector<Direction> directions = {Direction::to_kernel, Direction::from_kernel};
    std::vector<std::string> steps;  ///< empty: all
    std::uint64_t octets = 400'000'000;
    std::uint32_t window = 512 * 1024;
    std::size_t rounds = 3;
    bool keep_memory = true;
    bool json = false;
};

std::vector<const Step*> chosen_steps(const Request& request) {
    std::vector<const Step*> chosen;
    for (const Step& step : ladder()) {
        const bool named = std::ranges::find(request.steps, step.name) != request.steps.end();
        if (request.steps.empty() || named) chosen.push_back(&step);
    }
    return chosen;
}

Table measure(const Request& request, const Conditions& conditions) {
    const auto steps = chosen_steps(request);
    std::vector<std::vector<Result>> rounds(steps.size());
    std::vector<Result> metered(steps.size());
    for (std::size_t round = 0; round <= request.rounds; ++round) {
        for (std::size_t index = 0; index < steps.size(); ++index) {
            fmt::print(stderr, "\r\x1b[K{}: round {} of {}, {}", title_of(conditions), round + 1, request.rounds + 1,
                       steps[index]->name);
            const bool with_meters = round == request.rounds;
            Result result = run(*steps[index], conditions, with_meters);
            with_meters ? void(metered[index] = result) : rounds[index].push_back(result);
        }
    }
    fmt::print(stderr, "\r\x1b[K");
    Table table{conditions, request.rounds, {}};
    for (std::size_t index = 0; index < steps.size(); ++index) {
        table.cells.push_back(summarize(*steps[index], conditions, rounds[index], metered[index]));
    }
    return table;
}

bool all_whole(const std::vector<Table>& tables) {
    return std::ranges::all_of(tables, [](const Table& table) {
        return std::ranges::all_of(table.cells, [](const Cell& cell) { return cell.failure.empty(); });
    });
}

int run_all(const Request& request) {
    if (unshare(CLONE_NEWNET) != 0) {
        fmt::print(stderr, "tap_throughput: no network namespace: {}; run as root\n", std::strerror(errno));
        return 2;
    }
    InterfaceConfig("lo").bring_up();
    if (request.keep_memory) keep_freed_memory();
    std::vector<Table> tables;
    for (const std::uint16_t mtu : request.mtus) {
        for (const Direction direction : request.directions) {
            tables.push_back(measure(request, {direction, mtu, request.octets, request.window}));
            if (!request.json) fmt::print("{}\n", text_of(tables.back()));
            std::fflush(stdout);
        }
    }
    if (request.json) fmt::print("{}\n", json_of(tables));
    return all_whole(tables) ? 0 : 1;
}

// Each word as `parse` has it.
template <class Value, class Parse>
void add_list(cli::Command& program, const cli::OptionText& text, Parse parse, std::vector<Value>& list) {
    program.add_texts(text, [=, &list](const std::vector<std::string>& words) {
        list.clear();
        for (const std::string& word : words) {
            const auto value = parse(word);
            if (!value) cli::complain(text.name + " " + word + ": " + text.remedy);
            list.push_back(static_cast<Value>(*value));
        }
    });
}

std::optional<Direction> parse_direction(std::string_view word) {
    if (word == "to") return Direction::to_kernel;
    return word == "from" ? std::optional(Direction::from_kernel) : std::nullopt;
}

std::optional<std::string> parse_step(const std::string& word) {
    for (const Step& step : ladder()) {
        if (step.name == word) return word;
    }
    return std::nullopt;
}

void add_options(cli::Command& program, Request& request) {
    program.footer(footer);
    add_list(program, {"--mtu", "N", "", "MTUs, 576 to 65520 (default: 1500 65520)", "give bytes from 576 to 65520"},
             cli::within<std::uint64_t>(cli::parse_count, 576, 65520), request.mtus);
    add_list(program, {"--direction", "NAME", "", "to the kernel, from the kernel (default: both)", "give to, or from"},
             parse_direction, request.directions);
    std::string names;
    for (const Step& step : ladder()) names += (names.empty() ? "" : ", ") + std::string(step.name);
    add_list(program,
             {"--step", "NAME", "", "Only these, compared with the first of them (default: all)", "there are " + names},
             parse_step, request.steps);
    cli::add_parsed<std::uint64_t>(
        program, {"--rounds", "N", "3", "Runs whose median is told", "give a number from 1 to 99"},
        cli::within<std::uint64_t>(cli::parse_count, 1, 99),
        [&request](std::uint64_t rounds) { request.rounds = static_cast<decltype(request.rounds)>(rounds); });
    cli::add_parsed<std::uint64_t>(
        program,
        {"--bytes", "SIZE", "400M", "Data of a run; K, M, G are powers of 1000", "give bytes from 1, as in 100M"},
        cli::within<std::uint64_t>(cli::parse_bytes, 1, UINT64_MAX),
        [&request](std::uint64_t octets) { request.octets = octets; });
    cli::add_parsed<std::uint32_t>(
        program, {"--window", "SIZE", "512K", "Receive window and send buffer of the stack", "give bytes, as in 256K"},
        cli::within<std::uint32_t>(cli::parse_window, 1, 1U << 30),
        [&request](std::uint32_t octets) { request.window = octets; });
    program.add_flag_callback(
        "--trim", [&request] { request.keep_memory = false; },
        "Let malloc hand freed memory back to the system, as it does by default (otherwise no step does)");
    program.add_flag("--json", request.json, "Print one JSON array");
}

}  // namespace

}  // namespace lfn::bench

int main(int argc, char** argv) {
    lfn::cli::Program program("tap_throughput", "Throughput over TAP, step by step.", "tap_throughput");
    lfn::bench::Request request;
    lfn::cli::Command options = program.command();
    add_options(options, request);
    try {
        if (const auto status = program.parse(argc, argv)) return *status;
        return lfn::bench::run_all(request);
    } catch (const std::exception& error) {
        fmt::print(stderr, "tap_throughput: {} (see --help)\n", error.what());
        return 2;
    }
}
