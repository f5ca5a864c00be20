// SPDX-License-Identifier: BSD-3-Clause
// What one packet, data or acknowledgement, costs with a given window, once that is open: both stacks, the link and the
// workload. window_cost.sh makes the table.
//
//   window_cost STACK WINDOW BIT-ERROR-RATE [SEGMENTS [RATE ROUND-TRIP [SEED]]]
//
// STACK: lfn or lwip (unpatched). WINDOW: octets. SEGMENTS: how many to measure over, at least (default 60000, and what
// three windows hold). RATE: bits a second, and ROUND-TRIP: milliseconds; the default round trip is 600 ms, the default
// rate what the window just fills. SEED: of the link's errors (default 1). Writes one line: nanoseconds of processor
// time a packet, the share of the link's ceiling that was filled, octets in flight and the sending stack's memory for
// each, losses, the process's peak memory in MB. Under callgrind, with --instr-atstart=no, only the measured part
// counts, which had so many packets.
#include <sys/resource.h>
#include <valgrind/callgrind.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "lfn/loss_policy.h"
#include "lfn/nak_receiver.h"
#include "ports/lab/transfer.hpp"

namespace {

using lfn::lab::TransferOptions;

constexpr std::uint16_t mss = 1460;
constexpr std::uint64_t payload = mss - 4;  // option C rides in every segment

struct Moment {
    std::uint64_t octets = 0;
    std::uint64_t packets = 0;
    lfn::Time virtual_time{};
    double processor_ns = 0;  // this process's, so that others do not count
};

double processor_ns() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

// Looks on once a second of virtual time; measures from the first look behind `begin` octets to the first behind `end`.
class Stretch {
public:
    Stretch(std::uint64_t begin, std::uint64_t end) : begin_(begin), end_(end) {}

    void look(std::uint64_t octets, std::uint64_t packets, lfn::Time now) {
        if (state_ == State::before && octets >= begin_) {
            from_ = {octets, packets, now, processor_ns()};
            state_ = State::within;
            CALLGRIND_START_INSTRUMENTATION;
        } else if (state_ == State::within && octets >= end_) {
            CALLGRIND_STOP_INSTRUMENTATION;
            to_ = {octets, packets, now, processor_ns()};
            state_ = State::behind;
        }
    }

    bool complete() const { return state_ == State::behind; }
    std::uint64_t packets() const { return to_.packets - from_.packets; }
    double nanoseconds() const { return to_.processor_ns - from_.processor_ns; }
    double octets_per_second() const {
        return static_cast<double>(to_.octets - from_.octets) /
               std::chrono::duration<double>(to_.virtual_time - from_.virtual_time).count();
    }

private:
    enum class State : std::uint8_t { before, within, behind };
    std::uint64_t begin_, end_;
    State state_ = State::before;
    Moment from_, to_;
};

TransferOptions transfer_options(const char* stack, std::uint32_t window, double bit_error_rate) {
    TransferOptions options;
    options.sender = options.receiver = std::strcmp(stack, "lwip") == 0 ? lfn_stack_lwip() : lfn_stack_lfn();
    options.bit_error_rate = bit_error_rate;
    options.window = options.send_buffer = window;
    options.mss = mss;
    options.tcp.big_window = true;
    options.tcp.nak_mode = LFN_NAK_EVERY_GAP;
    options.tcp.renak = true;
    options.tcp.loss_policy = LFN_LOSS_NOISE;
    options.tcp.slow_start_rate = 2;
    options.tcp.isolated = true;  // or no window is above what RFC 1110 leaves of it, 10.7 MB here
    options.tcp.wire = LFN_WIRE_RFC1106;
    return options;
}

double peak_megabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        std::fprintf(stderr, "window_cost STACK WINDOW BIT-ERROR-RATE [SEGMENTS [RATE ROUND-TRIP [SEED]]]\n");
        return 2;
    }
    const auto window = static_cast<std::uint32_t>(std::strtoul(argv[2], nullptr, 10));
    TransferOptions options = transfer_options(argv[1], window, std::strtod(argv[3], nullptr));
    const auto least = argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 60'000;
    const double round_trip_ms = argc > 6 ? std::strtod(argv[6], nullptr) : 600;
    options.round_trip = lfn::Duration(static_cast<lfn::Duration::rep>(round_trip_ms * 1e6));
    if (argc > 7) options.seed = std::strtoull(argv[7], nullptr, 10);
    const double filled_bps = window * 8e3 / round_trip_ms * (mss + 40) / payload;
    options.rate_bps =
        argc > 5 ? static_cast<std::uint64_t>(std::strtod(argv[5], nullptr)) : static_cast<std::uint64_t>(filled_bps);
    const std::uint64_t begin = 3ULL * window;
    const std::uint64_t end = begin + std::max<std::uint64_t>(3ULL * window, least * payload);
    options.octets = end + 2ULL * window + *options.rate_bps / 4;  // the look behind `end` finds it still running
    Stretch stretch(begin, end);
    options.on_look = [&](std::uint64_t octets, std::uint64_t packets, lfn::Time now) {
        stretch.look(octets, packets, now);
    };

    const auto report = run_transfer(options);
    if (!report.intact || !stretch.complete()) {
        std::fprintf(stderr, "window_cost: %s\n", report.failure.empty() ? "too short" : report.failure.c_str());
        return 1;
    }
    std::printf(
        "stack=%s window=%u ber=%s packets=%llu ns=%.0f fill=%.4f in_flight=%u memory=%.3f lost=%llu rtos=%u "
        "peak_mb=%.0f\n",
        argv[1], window, argv[3], static_cast<unsigned long long>(stretch.packets()),
        stretch.nanoseconds() / static_cast<double>(stretch.packets()), stretch.octets_per_second() / report.ceiling,
        report.most_in_flight, static_cast<double>(report.memory_then) / report.most_in_flight,
        static_cast<unsigned long long>(report.forward.counters.dropped().frames), report.sender.rtos,
        peak_megabytes());
    return 0;
}
