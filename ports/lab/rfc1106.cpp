// SPDX-License-Identifier: BSD-3-Clause
#include "ports/lab/rfc1106.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "lfn/loss_policy.h"
#include "lfn/nak_receiver.h"
#include "lfn/tcp_options.h"
#include "ports/lab/transfer.hpp"
#include "ports/lab/worker_pool.hpp"
#include "rfc1106_published.hpp"

namespace lfn::lab {

namespace {

constexpr std::array figure_error_rates = {0.0, 1e-7, 1e-6};
constexpr std::array today_error_rates = {1e-7, 1e-6, 1e-5};
constexpr std::uint32_t kilobyte = 1024;

// What a worker hands back.
struct Outcome {
    bool intact;
    double octets, seconds, ceiling;
};

// One transfer, and the cell that it belongs to.
struct Job {
    TransferOptions transfer;
    Tally* tally;
};

TransferOptions common(double bit_error_rate, unsigned window_kilobytes, std::uint64_t octets) {
    TransferOptions transfer;
    transfer.bit_error_rate = bit_error_rate;
    transfer.window = window_kilobytes * kilobyte;
    transfer.mss = rfc1106_mss;
    transfer.octets = octets;
    transfer.tcp.big_window = true;
    transfer.tcp.wire = LFN_WIRE_RFC1106;
    return transfer;
}

TransferOptions figure_transfer(const Rfc1106Cell& cell, std::uint64_t octets) {
    TransferOptions transfer = common(cell.bit_error_rate, cell.window_kilobytes, octets);
    transfer.tcp.slow_start_rate = 1;
    if (cell.figure == 1) {
        transfer.tcp.nak_mode = LFN_NAK_OFF;
        transfer.tcp.dup_acks = LFN_DUP_ACKS_ON;
        transfer.tcp.loss_policy = LFN_LOSS_CONGESTION;
    } else {
        transfer.tcp.nak_mode = LFN_NAK_LEFT_EDGE;
        transfer.tcp.loss_policy = LFN_LOSS_NOISE;
    }
    return transfer;
}

TransferOptions today_transfer(const TodayCell& cell, std::uint64_t octets) {
    TransferOptions transfer = common(cell.bit_error_rate, today_window_kilobytes, octets);
    transfer.tcp.slow_start_rate = 2;
    transfer.tcp.nak_mode = LFN_NAK_EVERY_GAP;
    transfer.tcp.renak = true;
    transfer.tcp.loss_policy = LFN_LOSS_NOISE;
    if (cell.lwip_sends) transfer.sender = lfn_stack_lwip();
    return transfer;
}

template <std::size_t rows>
void add_figure(std::vector<Rfc1106Cell>& cells, int figure, const PublishedRow (&table)[rows]) {
    for (const PublishedRow& row : table) {
        for (std::size_t column = 0; column < figure_error_rates.size(); ++column) {
            cells.push_back({.figure = figure,
                             .window_kilobytes = row.window_kilobytes,
                             .bit_error_rate = figure_error_rates[column],
                             .published = 1000 * row.kilobytes_per_second[column],
                             .measured = {}});
        }
    }
}

Rfc1106Results empty_tables() {
    Rfc1106Results results;
    add_figure(results.cells, 1, rfc1106_figure1);
    add_figure(results.cells, 2, rfc1106_figure2);
    for (const double rate : today_error_rates) {
        results.today.push_back({.bit_error_rate = rate, .lwip_sends = false, .measured = {}});
        results.today.push_back({.bit_error_rate = rate, .lwip_sends = true, .measured = {}});
    }
    return results;
}

void add_jobs(std::vector<Job>& jobs, const TransferOptions& transfer, Tally& tally, const Rfc1106Options& options) {
    const unsigned seeds = transfer.bit_error_rate.value_or(0) > 0 ? options.seeds : 1;
    for (unsigned i = 0; i < seeds; ++i) {
        jobs.push_back({transfer, &tally});
        jobs.back().transfer.seed = options.first_seed + i;
    }
}

// The long ones first, so that no core is idle at the end.
std::vector<Job> list_jobs(Rfc1106Results& results, const Rfc1106Options& options) {
    std::vector<Job> jobs;
    for (TodayCell& cell : results.today) {
        add_jobs(jobs, today_transfer(cell, options.today_octets), cell.measured, options);
    }
    for (Rfc1106Cell& cell : results.cells) {
        add_jobs(jobs, figure_transfer(cell, options.octets), cell.measured, options);
    }
    return jobs;
}

Outcome run_job(const Job& job) {
    const TransferReport report = run_transfer(job.transfer);
    return {.intact = report.intact && report.failure.empty(),
            .octets = static_cast<double>(report.delivered_octets),
            .seconds = report.seconds,
            .ceiling = report.ceiling};
}

void add(Tally& tally, const Outcome& outcome) {
    const double goodput = outcome.seconds > 0 ? outcome.octets / outcome.seconds : 0;
    tally.lowest = tally.seeds == 0 ? goodput : std::min(tally.lowest, goodput);
    tally.highest = std::max(tally.highest, goodput);
    tally.octets += outcome.octets;
    tally.seconds += outcome.seconds;
    tally.ceiling = outcome.ceiling;
    tally.intact += outcome.intact ? 1 : 0;
    ++tally.seeds;
}

std::string kilobytes_text(double octets_per_second) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f", octets_per_second / 1000);
    return text.data();
}

// Of the time that one transfer took, what an endless one at full rate would not have needed.
std::string slow_start_reason(const Rfc1106Cell& cell) {
    const double full_rate = cell.measured.ceiling;
    const double seconds = cell.measured.seconds / cell.measured.seeds;
    const double more_seconds = seconds - cell.measured.octets / cell.measured.seeds / full_rate;
    std::array<char, 160> text{};
    std::snprintf(text.data(), text.size(),
                  "slow start costs %.1f of the %.1f s; the paper does not say how much it sent", more_seconds,
                  seconds);
    return text.data();
}

}  // namespace

std::string Rfc1106Cell::reason() const {
    if (measured.goodput() > published) return {};
    const std::string range = kilobytes_text(measured.lowest) + " to " + kilobytes_text(measured.highest) + " kB/s";
    if (bit_error_rate > 0 && published <= measured.highest) return "within the spread of the seeds, " + range;
    if (published > measured.ceiling) return "published above the link's ceiling";
    if (bit_error_rate > 0) return "outside the spread of the seeds, " + range;
    return slow_start_reason(*this);
}

Rfc1106Results reproduce_rfc1106(const Rfc1106Options& options) {
    Rfc1106Results results = empty_tables();
    const std::vector<Job> jobs = list_jobs(results, options);
    std::vector<Outcome> outcomes;
    const auto progress = [&](std::size_t done) {
        if (options.on_progress) options.on_progress(done, jobs.size());
    };
    results.failure = map_in_processes<Outcome>(
        jobs.size(), options.jobs, [&jobs](std::size_t i) { return run_job(jobs[i]); }, outcomes, progress);
    results.transfers = jobs.size();
    if (!results.failure.empty()) return results;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        add(*jobs[i].tally, outcomes[i]);
        results.intact += outcomes[i].intact ? 1 : 0;
    }
    return results;
}

double rms_factor(const std::vector<Rfc1106Cell>& cells, int figure, bool with_errors) {
    double sum = 0;
    int count = 0;
    for (const Rfc1106Cell& cell : cells) {
        if (cell.figure != figure || (cell.bit_error_rate > 0) != with_errors) continue;
        const double error = std::log(cell.ratio());
        sum += error * error;
        ++count;
    }
    return count > 0 ? std::exp(std::sqrt(sum / count)) : 1;
}

}  // namespace lfn::lab
