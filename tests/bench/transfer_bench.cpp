// SPDX-License-Identifier: BSD-3-Clause
// Simulation speed: whole transfers over the T1 satellite, in packets (data and acknowledgements) per second of wall
// time.
#include <benchmark/benchmark.h>

#include "lfn/loss_policy.h"
#include "lfn/nak_receiver.h"
#include "ports/lab/transfer.hpp"

namespace {

void transfer(benchmark::State& state, const lfn_stack* sender, bool options_on) {
    lfn::lab::TransferOptions options;
    options.octets = 20'000'000;
    options.bit_error_rate = 1e-7;
    options.sender = sender;
    options.window = static_cast<std::uint32_t>(state.range(0));
    if (options_on) {
        options.tcp.big_window = true;
        options.tcp.nak_mode = LFN_NAK_EVERY_GAP;
        options.tcp.renak = true;
        options.tcp.loss_policy = LFN_LOSS_NOISE;
    }
    std::uint64_t packets = 0;
    for (auto _ : state) {
        const auto report = run_transfer(options);
        if (!report.intact) state.SkipWithError(report.failure.c_str());
        packets += report.packets();
    }
    state.counters["packets"] = benchmark::Counter(static_cast<double>(packets), benchmark::Counter::kIsRate);
}

void lfn_all_on(benchmark::State& state) {
    transfer(state, lfn_stack_lfn(), true);
}
void lfn_all_off(benchmark::State& state) {
    transfer(state, lfn_stack_lfn(), false);
}
void lwip_unpatched(benchmark::State& state) {
    transfer(state, lfn_stack_lwip(), false);
}

BENCHMARK(lfn_all_on)->Arg(224 * 1024)->Arg(512 * 1024)->Unit(benchmark::kMillisecond);
BENCHMARK(lfn_all_off)->Arg(224 * 1024)->Unit(benchmark::kMillisecond);
BENCHMARK(lwip_unpatched)->Arg(224 * 1024)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
