// SPDX-License-Identifier: BSD-3-Clause
#include "ports/lab/policy_table.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "lfn/loss_policy.h"
#include "lfn/nak_receiver.h"
#include "ports/lab/shared_link.hpp"
#include "ports/lab/worker_pool.hpp"

namespace lfn::lab {

namespace {

struct PathCase {
    std::uint64_t rate_bps;
    unsigned round_trip_ms;
    double queue_share;
};

// Chosen: a T1, GEO links, a terrestrial one; queues from a quarter of what the path holds to twice of it.
constexpr std::array paths{PathCase{1'544'000, 580, 1.0},  PathCase{10'000'000, 40, 0.25},
                           PathCase{10'000'000, 40, 1.0},  PathCase{10'000'000, 200, 0.25},
                           PathCase{10'000'000, 200, 2.0}, PathCase{10'000'000, 600, 1.0},
                           PathCase{50'000'000, 100, 1.0}};
constexpr std::array causes{LossCause::noise, LossCause::congestion, LossCause::both};
constexpr std::array policies{LFN_LOSS_CONGESTION, LFN_LOSS_NOISE, LFN_LOSS_AUTO};
constexpr std::size_t packet_octets = 1500;
constexpr std::uint32_t plenty = 8 << 20;  // of window, where the path and not the window is to be the limit

struct Case {
    PathCase path;
    LossCause cause;
    std::optional<lfn_loss_policy> policy;  // nothing: two flows of NewReno
    bool marks = false;
};

std::size_t pipe_octets(const PathCase& path) {
    return static_cast<std::size_t>(path.rate_bps / 8 * path.round_trip_ms / 1000);
}

// Twice what the path holds, as a hole stands for a round trip.
std::size_t noise_window(const PathCase& path) {
    return 2 * pipe_octets(path);
}

// A router's; on noise alone one that holds the whole window, so that it never drops.
std::size_t queue_frames(const Case& test) {
    const double octets = test.cause == LossCause::noise ? double(noise_window(test.path))
                                                         : test.path.queue_share * double(pipe_octets(test.path));
    return std::max<std::size_t>(static_cast<std::size_t>(octets / packet_octets), 10);
}

// Where the drop-tail queue ends beside NewReno; the flow that is alone would never get there.
std::size_t mark_frames(const Case& test) {
    if (!test.marks) return 0;
    return test.cause == LossCause::noise ? std::max<std::size_t>(queue_frames(test) / 4, 1) : queue_frames(test);
}

SharedFlowOptions ours(const Case& test) {
    SharedFlowOptions flow;
    flow.tcp.big_window = true;
    flow.tcp.isolated = true;
    flow.tcp.nak_mode = LFN_NAK_EVERY_GAP;
    flow.tcp.renak = true;
    flow.tcp.wire = LFN_WIRE_RFC1106;
    flow.tcp.loss_policy = static_cast<std::uint8_t>(*test.policy);
    flow.tcp.ecn = test.marks;
    flow.window = test.cause == LossCause::noise ? static_cast<std::uint32_t>(noise_window(test.path)) : plenty;
    return flow;
}

// RFC 7323's scaling, SACK not used, no option of ours.
SharedFlowOptions new_reno() {
    SharedFlowOptions flow;
    flow.tcp.wire = LFN_WIRE_RFC1106;
    flow.tcp.slow_start_rate = 1;
    flow.window = plenty;
    return flow;
}

SharedLinkOptions link_options(const PolicyTableOptions& options, const Case& test) {
    SharedLinkOptions link;
    link.link = find_link_profile("geo-10m");
    link.rate_bps = test.path.rate_bps;
    link.round_trip = std::chrono::milliseconds(test.path.round_trip_ms);
    link.bit_error_rate = test.cause == LossCause::congestion ? 0 : options.bit_error_rate;
    link.mark_frames = mark_frames(test);
    link.queue_frames = std::max(queue_frames(test), 4 * link.mark_frames);
    link.seed = options.seed;
    link.warm_up = std::chrono::seconds(options.warm_up_seconds);
    link.duration = std::chrono::seconds(options.seconds);
    link.flows.push_back(test.policy ? ours(test) : new_reno());
    if (test.cause != LossCause::noise) link.flows.push_back(new_reno());
    return link;
}

// Plain data, as it crosses a process's border.
struct Outcome {
    PolicyCell cell;
    bool failed;
};

Outcome run_case(const PolicyTableOptions& options, const Case& test) {
    const SharedLinkReport report = run_shared_link(link_options(options, test));
    Outcome outcome{};
    outcome.failed = !report.failure.empty();
    PolicyCell& cell = outcome.cell;
    cell.cause = test.cause;
    cell.policy = test.policy.value_or(LFN_LOSS_CONGESTION);
    cell.marks = test.marks;
    cell.rate_bps = test.path.rate_bps;
    cell.round_trip_ms = test.path.round_trip_ms;
    cell.queue_share = double(queue_frames(test) * packet_octets) / double(pipe_octets(test.path));
    cell.intact = std::all_of(report.flows.begin(), report.flows.end(), [](const auto& flow) { return flow.intact; });
    cell.utilisation = report.utilisation;
    if (outcome.failed) return outcome;
    cell.goodput = report.flows.front().measured_goodput;
    cell.other_goodput = report.flows.size() > 1 ? report.flows.back().measured_goodput : 0;
    const lfn_tcp_info& info = report.flows.front().sender;
    cell.reductions = info.window_reductions;
    cell.reductions_for_marks = info.ecn_reductions;
    cell.losses_kept = info.losses_kept;
    cell.timeouts = info.rtos;
    return outcome;
}

// Noise alone has a queue of its own.
bool seen_before(const PathCase* path) {
    return std::any_of(paths.begin(), path, [path](const PathCase& other) {
        return other.rate_bps == path->rate_bps && other.round_trip_ms == path->round_trip_ms;
    });
}

// For each path and cause: NewReno beside NewReno (not on noise alone), then the policies; the same where a router
// marks.
std::vector<Case> all_cases() {
    std::vector<Case> cases;
    for (const PathCase& path : paths) {
        for (const LossCause cause : causes) {
            if (cause == LossCause::noise && seen_before(&path)) continue;
            if (cause != LossCause::noise) cases.push_back({path, cause, std::nullopt});
            for (const lfn_loss_policy policy : policies) cases.push_back({path, cause, policy});
            if (cause != LossCause::noise) cases.push_back({path, cause, std::nullopt, true});
            cases.push_back({path, cause, LFN_LOSS_AUTO, true});
        }
    }
    return cases;
}

}  // namespace

double PolicyCell::error() const {
    const double reduced = double(reductions) - double(reductions_for_marks);
    const double judged = reduced + double(losses_kept);
    if (policy != LFN_LOSS_AUTO || cause == LossCause::both || judged <= 0) return -1;
    return (cause == LossCause::noise ? reduced : double(losses_kept)) / judged;
}

PolicyTable measure_policies(const PolicyTableOptions& options) {
    const std::vector<Case> cases = all_cases();
    std::vector<Outcome> outcomes;
    PolicyTable table;
    table.failure = map_in_processes(
        cases.size(), options.jobs, [&](std::size_t index) { return run_case(options, cases[index]); }, outcomes,
        [&](std::size_t done) {
            if (options.on_progress) options.on_progress(done, cases.size());
        });
    double fair_half = 0;
    for (std::size_t i = 0; i < outcomes.size() && table.failure.empty(); ++i) {
        if (outcomes[i].failed) table.failure = "a run of flows over a shared link failed";
        PolicyCell& cell = outcomes[i].cell;
        if (!cases[i].policy) {
            fair_half = (cell.goodput + cell.other_goodput) / 2;
            continue;
        }
        if (cell.cause != LossCause::noise) cell.other_undisturbed = fair_half;
        table.cells.push_back(cell);
    }
    return table;
}

}  // namespace lfn::lab
