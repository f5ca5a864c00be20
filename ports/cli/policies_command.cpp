// SPDX-License-Identifier: BSD-3-Clause
// `lfn policies`: what the loss policies make of noise, of congestion and of both.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "lfn/loss_policy.h"
#include "ports/cli/commands.hpp"
#include "ports/cli/options.hpp"
#include "ports/cli/progress.hpp"
#include "ports/cli/units.hpp"
#include "ports/lab/policy_table.hpp"
#include "ports/lab/worker_pool.hpp"

namespace lfn::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* footer =
    "A flow of lfn's (NAK, renak) with each policy, on seven paths: alone on a noisy link whose queue holds its "
    "window;\n"
    "beside a flow of NewReno on a link without errors, both through one drop-tail queue; beside it on a noisy link.\n"
    "Fair half: what NewReno gets of the same link beside another NewReno. Wrong: of the round trips in which `auto`\n"
    "was told of losses, those that it judged wrongly: reductions where all is noise, none where all is congestion.\n"
    "auto, ECN: through a router that marks lfn's packets where it drops NewReno's; on noise, at a quarter of the "
    "queue.\n"
    "\n"
    "Examples:\n"
    "  lfn policies\n"
    "  lfn policies --seconds 30 --json";

struct PoliciesRequest {
    lab::PolicyTableOptions options;
    ProgressMode progress = ProgressMode::automatic;
    bool json = false;
};

std::string_view cause_name(lab::LossCause cause) {
    if (cause == lab::LossCause::both) return "both";
    return cause == lab::LossCause::noise ? "noise" : "congestion";
}

std::string_view policy_name(int policy) {
    if (policy == LFN_LOSS_AUTO) return "auto";
    return policy == LFN_LOSS_NOISE ? "noise" : "congestion";
}

std::string policy_text(const lab::PolicyCell& cell) {
    return std::string(policy_name(cell.policy)) + (cell.marks ? ", ECN" : "");
}

std::string percent_or_dash(bool known, double share) {
    return known ? fmt::format("{:.0f} %", 100 * share) : "-";
}

// Delivery is counted in order: what had come before the interval, behind a hole, is delivered in it.
constexpr unsigned telling_seconds = 120;
constexpr const char* short_note =
    "short runs: what was under way at their start and end weighs much, so that a share may be over 100 %; "
    "for figures that last, give --seconds 120 or more";

void print_text(const lab::PolicyTable& table) {
    fmt::print("{:<12}{:>8}{:>7}  {:<12}{:<12}{:>6}{:>11}{:>11}{:>11}{:>8}{:>9}\n", "link", "rtt", "queue",
               "losses are", "policy", "used", "lfn", "NewReno", "fair half", "wrong", "timeouts");
    for (const lab::PolicyCell& cell : table.cells) {
        const bool alone = cell.cause == lab::LossCause::noise;
        fmt::print("{:<12}{:>8}{:>7.2f}  {:<12}{:<12}{:>6}{:>11}{:>11}{:>11}{:>8}{:>9}\n", format_rate(cell.rate_bps),
                   fmt::format("{} ms", cell.round_trip_ms), cell.queue_share, cause_name(cell.cause),
                   policy_text(cell), percent_or_dash(true, cell.utilisation),
                   fmt::format("{:.0f} kB/s", cell.goodput / 1000),
                   alone ? "-" : fmt::format("{:.0f} kB/s", cell.other_goodput / 1000),
                   percent_or_dash(!alone, cell.other_share()), percent_or_dash(cell.error() >= 0, cell.error()),
                   cell.timeouts);
    }
}

void print_json(const lab::PolicyTableOptions& options, const lab::PolicyTable& table) {
    Json cells = Json::array();
    for (const lab::PolicyCell& cell : table.cells) {
        const bool alone = cell.cause == lab::LossCause::noise;
        cells.push_back({{"rate_bits_per_second", cell.rate_bps},
                         {"round_trip_seconds", cell.round_trip_ms / 1000.0},
                         {"queue_share", cell.queue_share},
                         {"losses", cause_name(cell.cause)},
                         {"policy", policy_name(cell.policy)},
                         {"marks", cell.marks},
                         {"intact", cell.intact},
                         {"utilisation", cell.utilisation},
                         {"goodput_bytes_per_second", cell.goodput},
                         {"newreno_bytes_per_second", alone ? Json(nullptr) : Json(cell.other_goodput)},
                         {"newreno_share_of_fair_half", alone ? Json(nullptr) : Json(cell.other_share())},
                         {"wrong_share", cell.error() >= 0 ? Json(cell.error()) : Json(nullptr)},
                         {"window_reductions", cell.reductions},
                         {"window_reductions_for_marks", cell.reductions_for_marks},
                         {"losses_kept", cell.losses_kept},
                         {"rtos", cell.timeouts}});
    }
    const Json json{{"seconds", options.seconds},
                    {"bit_error_rate", options.bit_error_rate},
                    {"seed", options.seed},
                    {"note", options.seconds < telling_seconds ? Json(short_note) : Json(nullptr)},
                    {"cells", cells}};
    fmt::print("{}\n", json.dump(2));
}

int run_policies(PoliciesRequest& request) {
    lab::PolicyTable table;
    {
        Progress progress(request.progress, "runs");
        request.options.on_progress = [&](std::size_t done, std::size_t total) { progress.update(done, total); };
        table = lab::measure_policies(request.options);
    }
    if (!table.failure.empty()) {
        fmt::print(stderr, "lfn policies: failed: {}\n", table.failure);
        return exit_failed;
    }
    if (request.json) {
        print_json(request.options, table);
    } else {
        print_text(table);
        if (request.options.seconds < telling_seconds) fmt::print("\n{}\n", short_note);
    }
    for (const lab::PolicyCell& cell : table.cells) {
        if (!cell.intact) return exit_failed;
    }
    return exit_ok;
}

}  // namespace

void add_policies(Command& program, Run& run) {
    Command command = program.add_subcommand("policies", "Measure the loss policies on noise, congestion and both");
    command.footer(footer);
    const auto request = std::make_shared<PoliciesRequest>();
    request->options.jobs = lab::usable_cores();
    add_parsed<std::uint64_t>(
        command, {"--seconds", "N", "240", "Virtual time that each run is measured for", "give seconds from 1 to 3600"},
        within<std::uint64_t>(parse_count, 1, 3600),
        [request](std::uint64_t seconds) { request->options.seconds = static_cast<unsigned>(seconds); });
    add_parsed<std::uint64_t>(command,
                              {"--seed", "N", "1", "Seed of everything random: one seed, one history",
                               "give a whole number from 0 to 2^64-1"},
                              parse_count, [request](std::uint64_t seed) { request->options.seed = seed; });
    add_parsed<std::uint64_t>(
        command,
        {"--jobs", "N", "", "Processes at a time (default: the number of cores)", "give a number from 1 to 1024"},
        within<std::uint64_t>(parse_count, 1, 1024),
        [request](std::uint64_t jobs) { request->options.jobs = static_cast<unsigned>(jobs); });
    command.add_flag("--json", request->json, "Print one JSON object");
    add_progress_flags(command, {request, &request->progress});
    command.callback([&run, request] { run = [request] { return run_policies(*request); }; });
}

}  // namespace lfn::cli
