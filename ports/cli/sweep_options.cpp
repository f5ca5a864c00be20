// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>

#include "lfn/loss_policy.h"
#include "lfn/nak_receiver.h"
#include "ports/cli/commands.hpp"
#include "ports/cli/files.hpp"
#include "ports/cli/options.hpp"
#include "ports/cli/sweep.hpp"
#include "ports/cli/tcp_options.hpp"
#include "ports/cli/units.hpp"

namespace lfn::cli {

namespace {

using Request = std::shared_ptr<SweepRequest>;
using ErrorRate = std::optional<double>;  // nothing: the link's own

constexpr std::uint64_t cells_max = 1'000'000;
constexpr std::uint64_t shards_max = 1'000'000;
constexpr double bit_error_rate_max = 1 - std::numeric_limits<double>::epsilon() / 2;

// An option with a list of values, separated by commas, none of them twice.
template <class Value, class Parse>
void add_list(Command& command, const OptionText& text, Parse parse, const std::shared_ptr<std::vector<Value>>& list) {
    add_text(command, text, [=](const std::string& given) {
        list->clear();
        for (std::size_t at = 0; at <= given.size();) {
            const std::size_t comma = std::min(given.find(',', at), given.size());
            const std::string word = given.substr(at, comma - at);
            const std::optional<Value> value = parse(word);
            if (!value) complain(text.name + " " + (word.empty() ? given : word) + ": " + text.remedy);
            if (std::ranges::count(*list, *value) > 0) complain(text.name + " " + word + ": is given twice");
            list->push_back(*value);
            at = comma + 1;
        }
    });
}

// The list in the request, kept alive by the request.
template <class Value>
std::shared_ptr<std::vector<Value>> part_of(const Request& request, std::vector<Value>& list) {
    return {request, &list};
}

std::optional<ErrorRate> parse_error_rate(std::string_view word) {
    using Parsed = std::optional<ErrorRate>;
    if (word == "link") return Parsed(std::in_place);
    const auto rate = within<double>(parse_number, 0, bit_error_rate_max)(word);
    return rate ? Parsed(std::in_place, *rate) : Parsed();
}

std::optional<lfn_loss_policy> parse_policy(std::string_view word) {
    if (word == "congestion") return LFN_LOSS_CONGESTION;
    if (word == "noise") return LFN_LOSS_NOISE;
    if (word == "auto") return LFN_LOSS_AUTO;
    return std::nullopt;
}

void add_axes(Command& command, const Request& request) {
    lab::SweepGrid& grid = request->grid;
    add_list<const LinkProfile*>(
        command,
        {"--link", "NAMES", "t1-satellite", "Link profiles; `lfn links` lists them",
         "unknown link; there are " + link_names()},
        [](std::string_view name) {
            const LinkProfile* link = find_link_profile(name);
            return link != nullptr ? std::optional(link) : std::nullopt;
        },
        part_of(request, grid.links));
    add_list<ErrorRate>(command,
                        {"--ber", "RATES", "link", "Bit error rates, 0 <= RATE < 1; link: each link's own",
                         "give numbers from 0 up to but not 1, as in 0,1e-6, or link"},
                        parse_error_rate, part_of(request, grid.bit_error_rates));
    add_list<std::uint32_t>(
        command,
        {"--window", "SIZES", "224K", "Receive windows in bytes, up to 1G; K, M, G are 2^10, 2^20, 2^30",
         "give bytes from 1 to 1G (2^30), as in 64K,512K"},
        [](std::string_view word) -> std::optional<std::uint32_t> {
            const auto window = within<std::uint64_t>(parse_window, 1, 1U << 30)(word);
            return window ? std::optional(static_cast<std::uint32_t>(*window)) : std::nullopt;
        },
        part_of(request, grid.windows));
    add_list<lfn_loss_policy>(command,
                              {"--loss-policy", "NAMES", "congestion", "What a loss means: congestion, noise, auto",
                               "give congestion, noise, auto, or some of them"},
                              parse_policy, part_of(request, grid.loss_policies));
    add_parsed<std::uint64_t>(command, {"--seeds", "N", "1", "Seeds of each", "give a number from 1 to 100000"},
                              within<std::uint64_t>(parse_count, 1, 100'000),
                              [request](std::uint64_t seeds) { request->grid.seeds = seeds; });
    add_parsed<std::uint64_t>(
        command, {"--seed", "N", "1", "The first seed; the others follow it", "give a whole number from 0 to 2^64-1"},
        parse_count, [request](std::uint64_t seed) { request->grid.first_seed = seed; });
}

void add_constants(Command& command, const Request& request) {
    lab::TransferOptions& base = request->grid.base;
    base.mss = 1460;
    add_parsed<std::uint64_t>(command,
                              {"--bytes", "SIZE", "10M", "Of each transfer; K, M, G are powers of 1000",
                               "give bytes from 1 to 1T, as in 10M"},
                              within<std::uint64_t>(parse_bytes, 1, 1'000'000'000'000),
                              [request](std::uint64_t bytes) { request->grid.base.octets = bytes; });
    add_parsed<std::uint64_t>(
        command, {"--mss", "N", "1460", "Payload of a segment in bytes, 64 to 9140", "give bytes from 64 to 9140"},
        within<std::uint64_t>(parse_count, 64, 9140),
        [request](std::uint64_t mss) { request->grid.base.mss = static_cast<std::uint16_t>(mss); });
    add_parsed<std::uint64_t>(
        command,
        {"--slow-start", "N", "1", "Packets that slow start opens by for each acknowledged, 1 to 8",
         "give packets from 1 to 8"},
        within<std::uint64_t>(parse_count, 1, 8),
        [request](std::uint64_t rate) { request->grid.base.tcp.slow_start_rate = static_cast<std::uint8_t>(rate); });
    base.tcp.slow_start_rate = 1;
    add_rfc1106_options(command, TcpSettings(request, &base.tcp), LFN_WIRE_RFC1106);
}

std::optional<std::uint64_t> from_environment(const char* name) {
    const char* text = std::getenv(name);
    return text != nullptr ? parse_count(text) : std::nullopt;
}

// An array of Slurm's: its tasks are numbered from a first one in equal steps.
lab::Shard slurm_shard() {
    const auto id = from_environment("SLURM_ARRAY_TASK_ID");
    const auto count = from_environment("SLURM_ARRAY_TASK_COUNT");
    if (!id || !count) {
        complain(
            "--shard slurm: SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT are not set; run it with sbatch --array, "
            "or give i/n");
    }
    const std::uint64_t first = from_environment("SLURM_ARRAY_TASK_MIN").value_or(1);
    const std::uint64_t step = std::max<std::uint64_t>(1, from_environment("SLURM_ARRAY_TASK_STEP").value_or(1));
    const bool regular = *id >= first && (*id - first) % step == 0 && (*id - first) / step < *count;
    if (!regular) complain("--shard slurm: the array has gaps; number its tasks in equal steps, as in --array=1-8");
    return {(*id - first) / step + 1, *count};
}

std::optional<lab::Shard> parse_shard(const std::string& text) {
    const std::size_t slash = text.find('/');
    if (slash == std::string::npos) return std::nullopt;
    const auto number = parse_count(text.substr(0, slash));
    const auto count = within<std::uint64_t>(parse_count, 1, shards_max)(text.substr(slash + 1));
    if (!number || !count || *number < 1 || *number > *count) return std::nullopt;
    return lab::Shard{*number, *count};
}

void add_run_options(Command& command, const Request& request) {
    add_parsed<lab::Shard>(
        command,
        {"--shard", "I/N", "1/1", "Run part I of N; slurm: as the environment of a job array says",
         "give i/n with 1 <= i <= n, as in 3/8, or slurm"},
        [](const std::string& text) { return text == "slurm" ? slurm_shard() : parse_shard(text); },
        [request](const lab::Shard& shard) { request->shard = shard; });
    add_text(command,
             {"--out", "FILE", "",
              "JSON Lines, one a cell, as cells are done; what is there already is not run again\n"
              "(default, or -: the standard output)",
              ""},
             [request](const std::string& file) { request->out = file; });
    add_text(command,
             {"--csv", "FILE", "",
              "And all of it as CSV in the end, - for the standard output; only the first shard has a\n"
              "header, so that files of shards can be put together",
              ""},
             [request](const std::string& file) { request->csv = file; });
    add_parsed<std::uint64_t>(
        command,
        {"--jobs", "N", "", "Processes at a time (default: the number of cores)", "give a number from 1 to 1024"},
        within<std::uint64_t>(parse_count, 1, 1024),
        [request](std::uint64_t jobs) { request->jobs = static_cast<unsigned>(jobs); });
    command.add_flag("--count", request->count, "Only say how many cells this shard has");
    add_progress_flags(command, {request, &request->progress});
}

// "link" may be what another word says too.
void check_error_rates(const lab::SweepGrid& grid) {
    const auto has = [&grid](auto is) { return std::ranges::any_of(grid.bit_error_rates, is); };
    if (!has([](const ErrorRate& rate) { return !rate.has_value(); })) return;
    for (const LinkProfile* link : grid.links) {
        const double own = link->bit_error_rate.value;
        if (!has([own](const ErrorRate& rate) { return rate.has_value() && *rate == own; })) continue;
        complain("--ber " + format_error_rate(link->bit_error_rate.value) + ": is the own rate of " +
                 std::string(link->name) + "; leave it or link out");
    }
}

}  // namespace

void add_sweep_options(Command& command, const Request& request) {
    lab::SweepGrid& grid = request->grid;
    grid.links = {find_link_profile("t1-satellite")};
    grid.bit_error_rates = {ErrorRate{}};
    grid.windows = {grid.base.window};
    grid.loss_policies = {LFN_LOSS_CONGESTION};
    add_axes(command, request);
    add_constants(command, request);
    add_run_options(command, request);
}

void settle(SweepRequest& request) {
    lab::SweepGrid& grid = request.grid;
    check_error_rates(grid);
    if (grid.size() > cells_max) {
        complain("a sweep of " + format_count(grid.size()) + " cells: more than " + format_count(cells_max) +
                 "; give fewer values");
    }
    if (request.csv == request.out && !request.csv.empty()) {
        complain("--csv " + request.csv + ": is the file of --out; give another");
    }
    if (request.out == "-") request.out.clear();  // the default
    if (!request.csv.empty() && request.csv != "-") check_writable("--csv", request.csv);
    lfn_tcp_settings& tcp = grid.base.tcp;
    tcp.nak_assumed = tcp.nak_mode != LFN_NAK_OFF && tcp.wire == LFN_WIRE_RFC1106 && !tcp.big_window;
}

}  // namespace lfn::cli
