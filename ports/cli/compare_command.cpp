// SPDX-License-Identifier: BSD-3-Clause
// `lfn compare`: the kernel's TCP and ours over the same link, side by side.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "ports/cli/compare_report.hpp"
#include "ports/cli/link_options.hpp"
#include "ports/cli/network_commands.hpp"
#include "ports/cli/options.hpp"
#include "ports/cli/progress.hpp"
#include "ports/cli/tcp_options.hpp"
#include "ports/cli/units.hpp"
#include "ports/compare/kernel_ends.hpp"
#include "ports/realtime/stop_on_signals.hpp"

namespace lfn::cli {

namespace {

using compare::RowResult;
using compare::RowSpec;
using compare::Tcp;

constexpr std::uint64_t bytes_max = 1'000'000'000;
constexpr double bit_error_rate_default = 1e-6;
constexpr std::uint64_t window_default = 1U << 20;
// The link is the sender's alone, so a loss is noise; the rest is what RFC 1106 4.2 proposes for it.
constexpr RecoveryDefaults recovery_defaults = {.noise = true,
                                                .slow_start_rate = 2,
                                                .initial_window = 10,
                                                .sack = std::nullopt,
                                                .tail_probe = true,
                                                .rto_margin_ms = 200};

constexpr const char* footer =
    "Examples (as root):\n"
    "  lfn compare                                  4 MB over a T1 satellite link with bit errors, some minutes\n"
    "  lfn compare --ber 1e-5 --limit 60            cut off what lasts longer than a minute\n"
    "  lfn compare --rows kernel-kernel,lfn-lfn --control bbr --sack on\n"
    "\n"
    "Rows: kernel-kernel, lfn-kernel, kernel-lfn, lfn-lfn, sender first. Each transfer has a link of its own with the\n"
    "same profile and seed, and namespaces without names, which go with the process, however it ends.\n"
    "Goodput counts from the start of the connection. Exit status: 1 if a transfer failed.";

struct CompareRequest {
    compare::Conditions conditions;
    std::vector<std::string> pairs;     ///< of --rows; empty: all
    std::vector<std::string> controls;  ///< empty: all that there are
    std::optional<bool> sack;           ///< both if not given
    std::size_t at_once = 0;            ///< 0: all
    ProgressMode progress = ProgressMode::automatic;
    bool json = false;
};
using Request = std::shared_ptr<CompareRequest>;

int failed(const std::string& what, int status = exit_failed) {
    std::fflush(stdout);
    fmt::print(stderr, "lfn compare: {}\n", what);
    return status;
}

std::string pair_of(const RowSpec& row) {
    return std::string(name_of(row.sender)) + "-" + name_of(row.receiver);
}

bool contains(const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
}

std::vector<RowSpec> rows_of(const CompareRequest& request) {
    std::vector<RowSpec> rows = compare::all_rows(request.controls);
    std::erase_if(rows, [&](const RowSpec& row) {
        const bool both_ours = row.sender == Tcp::lfn && row.receiver == Tcp::lfn;
        if (!request.pairs.empty() && !contains(request.pairs, pair_of(row))) return true;
        return request.sack && !both_ours && row.sack != *request.sack;
    });
    return rows;
}

// Sets the controls that there are, or holds those that were asked for against them.
std::string choose_controls(CompareRequest& request) {
    const std::vector<std::string> offered = compare::congestion_controls();
    if (request.controls.empty()) request.controls = offered;
    for (const std::string& control : request.controls) {
        if (contains(offered, control)) continue;
        std::string names;
        for (const std::string& each : offered) {
            if (!names.empty()) names += ", ";
            names += each;
        }
        return "--control " + control + ": this kernel does not offer it; there are " + names;
    }
    return {};
}

std::string complaint_about(const std::vector<RowResult>& rows) {
    for (const RowResult& row : rows) {
        if (!row.failure.empty()) return pair_of(row.spec) + ": " + row.failure;
    }
    return {};
}

int run_compare(CompareRequest& request) {
    const std::string complaint = choose_controls(request);
    if (!complaint.empty()) return failed(complaint, exit_bad_input);
    const std::vector<RowSpec> rows = rows_of(request);
    if (rows.empty()) return failed("no row is left to run; give other --rows or --sack", exit_bad_input);
    const std::size_t at_once = request.at_once == 0 ? rows.size() : std::min(request.at_once, rows.size());
    RealtimeLoop loop;
    const StopOnSignals signals(loop);
    compare::Comparison comparison(loop, rows, request.conditions, at_once);
    {
        Progress progress(request.progress, "compare");
        comparison.on_progress = [&](double share, double seconds_left) { progress.show(share, seconds_left); };
        if (!comparison.run()) return failed(comparison.error());
    }
    const CompareReport report{request.conditions, comparison.results(), comparison.unfinished(), at_once};
    fmt::print("{}{}", request.json ? compare_json(report) : compare_text(report), request.json ? "\n" : "");
    if (signals.signal()) {
        return failed(fmt::format("interrupted: {} of {} transfers were over", report.rows.size(), rows.size()));
    }
    const std::string failure = complaint_about(report.rows);
    return failure.empty() ? exit_ok : failed(failure);
}

void add_row_options(Command& command, const Request& request) {
    command.add_texts(
        {"--rows", "PAIRS", "", "Who sends to whom; commas between (default: all)", ""},
        [request](const std::vector<std::string>& pairs) {
            for (const std::string& pair : pairs) {
                if (contains({"kernel-kernel", "lfn-kernel", "kernel-lfn", "lfn-lfn"}, pair)) continue;
                complain("--rows " + pair + ": give some of kernel-kernel, lfn-kernel, kernel-lfn, lfn-lfn");
            }
            request->pairs = pairs;
        },
        Command::Between::comma);
    command.add_texts(
        {"--control", "NAMES", "", "The kernel's congestion controls; commas between (default: all that it offers)",
         ""},
        [request](const std::vector<std::string>& controls) { request->controls = controls; }, Command::Between::comma);
    add_choice<int>(command, "--sack", "Offer SACK, or not, or each in a row of its own",
                    {{"both", 2}, {"on", 1}, {"off", 0}}, [request](int choice) {
                        if (choice != 2) request->sack = choice == 1;
                    });
    add_parsed<std::uint64_t>(
        command, {"--at-once", "N", "", "Transfers at the same time (default: all)", "give a number from 1 to 1000"},
        within<std::uint64_t>(parse_count, 1, 1000),
        [request](std::uint64_t count) { request->at_once = static_cast<std::size_t>(count); });
}

void add_size_options(Command& command, const Request& request) {
    add_parsed<std::uint64_t>(
        command,
        {"--bytes", "SIZE", "4M", "How much each sends; K, M, G are powers of 1000, Ki, Mi, Gi of 1024",
         "give bytes from 1 to 1G, as in 4M"},
        within<std::uint64_t>(parse_bytes, 1, bytes_max),
        [request](std::uint64_t octets) { request->conditions.octets = octets; });
    request->conditions.limit = std::chrono::seconds(600);
    add_parsed<std::uint64_t>(command,
                              {"--limit", "S", "600", "Cut off transfers that last longer than S seconds",
                               "give whole seconds from 1 to 1000000"},
                              within<std::uint64_t>(parse_count, 1, 1'000'000), [request](std::uint64_t seconds) {
                                  request->conditions.limit = std::chrono::seconds(seconds);
                              });
    add_parsed<std::uint64_t>(
        command, {"--mtu", "N", "1500", "MTU of all interfaces, 576 to 65520", "give bytes from 576 to 65520"},
        within<std::uint64_t>(parse_count, 576, 65520),
        [request](std::uint64_t mtu) { request->conditions.mtu = static_cast<std::uint16_t>(mtu); });
}

}  // namespace

void add_compare(Command& program, Run& run) {
    Command command =
        program.add_subcommand("compare", "The kernel's TCP and ours over the same emulated link, side by side");
    command.footer(footer);
    const auto request = std::make_shared<CompareRequest>();
    add_size_options(command, request);
    add_row_options(command, request);
    add_link_options(command, {request, &request->conditions.link}, {request, &request->conditions.path});
    add_when_full(command, {request, &request->conditions.when_full});
    request->conditions.path.bit_error_rate = bit_error_rate_default;
    command.get_option("--ber").default_text("1e-6");
    command.add_flag("--json", request->json, "Print one JSON object");
    add_progress_flags(command, {request, &request->progress});
    const TcpSettings tcp(request, &request->conditions.tcp);
    add_window_option(command, tcp, window_default);
    add_rfc1106_options(command, tcp, LFN_WIRE_EXID);
    add_recovery_options(command, tcp, recovery_defaults);
    add_safety_options(command, tcp, false);
    command.callback([&run, request] { run = [request] { return run_compare(*request); }; });
}

}  // namespace lfn::cli
