// SPDX-License-Identifier: BSD-3-Clause
// `lfn reproduce`: published experiments, run again.
#include <fmt/format.h>

#include <limits>
#include <memory>

#include "ports/cli/commands.hpp"
#include "ports/cli/options.hpp"
#include "ports/cli/progress.hpp"
#include "ports/cli/reproduce_report.hpp"
#include "ports/cli/units.hpp"
#include "ports/lab/worker_pool.hpp"

namespace lfn::cli {

namespace {

constexpr std::uint64_t today_factor = 5;  // the third table is about the steady state
constexpr const char* footer =
    "Experiments:\n"
    "  rfc1106   the two figures of RFC 1106's appendix, and what the same link carries today\n"
    "\n"
    "Examples:\n"
    "  lfn reproduce rfc1106\n"
    "  lfn reproduce rfc1106 --seeds 3 --bytes 2M     a quick look\n"
    "  lfn reproduce rfc1106 --json > rfc1106.json\n"
    "\n"
    "The output depends on --seeds, --seed and --bytes alone, not on --jobs. One cell is one `lfn transfer`, as in\n"
    "  lfn transfer --window 64K --ber 1e-6 --nak left-edge --loss-policy noise --seed 1";

struct ReproduceRequest {
    lab::Rfc1106Options options;
    ProgressMode progress = ProgressMode::automatic;
    bool json = false;
    bool csv = false;
};

using Request = std::shared_ptr<ReproduceRequest>;

std::string report_as_asked(const ReproduceRequest& request, const lab::Rfc1106Results& results) {
    if (request.json) return reproduce_json(request.options, results);
    if (request.csv) return reproduce_csv(results);
    return reproduce_text(request.options, results);
}

int run_reproduce(ReproduceRequest& request) {
    lab::Rfc1106Results results;
    {
        Progress progress(request.progress, "transfers");
        request.options.on_progress = [&progress](std::size_t done, std::size_t total) {
            progress.update(done, total);
        };
        results = reproduce_rfc1106(request.options);
    }
    if (!results.failure.empty()) {
        fmt::print(stderr, "lfn reproduce: failed: {}\n", results.failure);
        return exit_failed;
    }
    fmt::print("{}", report_as_asked(request, results));
    if (results.intact == results.transfers) return exit_ok;
    std::fflush(stdout);
    fmt::print(stderr, "lfn reproduce: failed: {} of {} transfers are not intact\n", results.transfers - results.intact,
               results.transfers);
    return exit_failed;
}

void add_seed_options(Command& command, const Request& request) {
    add_parsed<std::uint64_t>(
        command,
        {"--seeds", "N", "10", "Transfers of each cell with errors", "give a number from 1 to 10000, as in 10"},
        within<std::uint64_t>(parse_count, 1, 10'000),
        [request](std::uint64_t seeds) { request->options.seeds = static_cast<unsigned>(seeds); });
    add_parsed<std::uint64_t>(
        command, {"--seed", "N", "1", "The first seed; the others follow it", "give a whole number from 0 to 2^64-1"},
        parse_count, [request](std::uint64_t seed) { request->options.first_seed = seed; });
}

void add_size_options(Command& command, const Request& request) {
    add_parsed<std::uint64_t>(
        command,
        {"--bytes", "SIZE", "10M", "Of a transfer in the figures; five times as much in the third table",
         "give bytes from 1 to 100G, as in 10M"},
        within<std::uint64_t>(parse_bytes, 1, 100'000'000'000), [request](std::uint64_t bytes) {
            request->options.octets = bytes;
            request->options.today_octets = today_factor * bytes;
        });
    add_parsed<std::uint64_t>(
        command,
        {"--jobs", "N", "", "Processes at a time (default: the number of cores)", "give a number from 1 to 1024"},
        within<std::uint64_t>(parse_count, 1, 1024),
        [request](std::uint64_t jobs) { request->options.jobs = static_cast<unsigned>(jobs); });
}

}  // namespace

void add_reproduce(Command& program, Run& run) {
    Command command = program.add_subcommand("reproduce", "Run a published experiment again, its figures beside ours");
    command.footer(footer);
    const auto request = std::make_shared<ReproduceRequest>();
    request->options.jobs = lab::usable_cores();
    const OptionText experiment{"experiment", "NAME", "", "Which; \"rfc1106\" is the only one yet",
                                "there is only rfc1106"};
    const auto is_rfc1106 = [](const std::string& name) {
        return name == "rfc1106" ? std::optional(true) : std::nullopt;
    };
    add_parsed<bool>(command, experiment, is_rfc1106, [](bool) {}).required();
    add_seed_options(command, request);
    add_size_options(command, request);
    const Option json = command.add_flag("--json", request->json, "Print one JSON object");
    command.add_flag("--csv", request->csv, "Print CSV, one row a cell").excludes(json);
    add_progress_flags(command, {request, &request->progress});
    command.callback([&run, request] { run = [request] { return run_reproduce(*request); }; });
}

}  // namespace lfn::cli
