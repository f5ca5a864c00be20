// SPDX-License-Identifier: BSD-3-Clause
// The stack's own packet rate: two instances of one build, joined by nothing but memory, with no delay and the default
// window. Upstream lwIP beside the patched one with the extension compiled out, compiled in and off, and on, paired:
// each round runs all of them, and what is compared is what they did in the same round.
#include <getopt.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>
#include <vector>

#include "lfn/loss_policy.h"
#include "lfn/nak_receiver.h"
#include "memory_wire.hpp"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#endif

extern "C" const lfn_stack* lfn_stack_without(void);  // the patched tree with LFN_TCP 0

namespace {

using lfn::bench::MemoryTransfer;

struct Variant {
    const char* name;
    const char* meaning;
    const lfn_stack* (*stack)();
    bool on;
};

constexpr std::array<Variant, 4> variants = {{
    {"upstream", "lwIP 2.2.1 as released", lfn_stack_lwip, false},
    {"out", "patched, the extension compiled out (LFN_TCP 0)", lfn_stack_without, false},
    {"off", "patched, compiled in, no connection asks for it", lfn_stack_lfn, false},
    {"on", "big window, NAK, renak", lfn_stack_lfn, true},
}};

lfn_tcp_settings settings_of(const Variant& variant) {
    lfn_tcp_settings settings{};
    if (variant.on) {
        settings.big_window = true;
        settings.nak_mode = LFN_NAK_EVERY_GAP;
        settings.renak = true;
        settings.loss_policy = LFN_LOSS_NOISE;
    }
    return settings;
}

double processor_ns() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

struct Outcome {
    bool intact = false;
    std::uint64_t packets = 0;
    double ns_a_packet = 0;
};

Outcome run(const Variant& variant, std::uint64_t octets) {
    MemoryTransfer transfer(*variant.stack(), settings_of(variant), octets);
    if (!transfer.connect()) return {};
    const std::uint64_t packets_before = transfer.packets();
    const double begin = processor_ns();
    CALLGRIND_START_INSTRUMENTATION;
    transfer.run();
    CALLGRIND_STOP_INSTRUMENTATION;
    const double end = processor_ns();
    const std::uint64_t packets = transfer.packets() - packets_before;
    return {transfer.intact(), packets, packets > 0 ? (end - begin) / static_cast<double>(packets) : 0};
}

// The same in a process of its own, which inherits no heap that another run has left.
Outcome run_apart(const Variant& variant, std::uint64_t octets) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) return {};
    const pid_t child = fork();
    if (child == 0) {
        const Outcome outcome = run(variant, octets);
        _exit(write(ends[1], &outcome, sizeof(outcome)) == sizeof(outcome) ? 0 : 1);
    }
    close(ends[1]);
    Outcome outcome;
    if (child < 0 || read(ends[0], &outcome, sizeof(outcome)) != sizeof(outcome)) outcome = {};
    close(ends[0]);
    if (child > 0) waitpid(child, nullptr, 0);
    return outcome;
}

// One column a variant, one row a round.
using Rounds = std::vector<std::array<double, variants.size()>>;

struct Spread {
    double least, median, most;
};
Spread spread(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return {values.front(), values[values.size() / 2], values.back()};
}

// How many times upstream's packet rate of the same round.
Spread against_upstream(const Rounds& rounds, std::size_t variant) {
    std::vector<double> ratios;
    for (const auto& round : rounds) ratios.push_back(round[0] / round[variant]);
    return spread(ratios);
}

Spread nanoseconds(const Rounds& rounds, std::size_t variant) {
    std::vector<double> values;
    for (const auto& round : rounds) values.push_back(round[variant]);
    return spread(values);
}

void print_table(const Rounds& rounds, const std::array<std::uint64_t, variants.size()>& packets) {
    std::printf("%-9s %9s %8s %11s   %-22s %s\n", "", "packets", "ns", "packets/s", "times upstream",
                "in processor time of this process; all intact");
    for (std::size_t at = 0; at < variants.size(); ++at) {
        const Spread ns = nanoseconds(rounds, at);
        const Spread times = against_upstream(rounds, at);
        std::printf("%-9s %9llu %8.0f %11.0f   %.3f (%.3f to %.3f)  %s\n", variants[at].name,
                    static_cast<unsigned long long>(packets[at]), ns.median, 1e9 / ns.median, times.median, times.least,
                    times.most, variants[at].meaning);
    }
}

void print_json(const Rounds& rounds, const std::array<std::uint64_t, variants.size()>& packets) {
    std::printf("[");
    for (std::size_t at = 0; at < variants.size(); ++at) {
        const Spread ns = nanoseconds(rounds, at);
        const Spread times = against_upstream(rounds, at);
        std::printf(
            "%s\n  {\"build\": \"%s\", \"packets\": %llu, \"ns_per_packet\": %.1f, \"packets_per_second\": %.0f, "
            "\"times_upstream\": {\"median\": %.4f, \"least\": %.4f, \"most\": %.4f}, \"rounds\": %zu, \"intact\": "
            "true}",
            at > 0 ? "," : "", variants[at].name, static_cast<unsigned long long>(packets[at]), ns.median,
            1e9 / ns.median, times.median, times.least, times.most, rounds.size());
    }
    std::printf("\n]\n");
}

int fail(const Variant& variant) {
    std::fprintf(stderr, "packet_rate: %s: the octets did not arrive whole\n", variant.name);
    return 1;
}

int compare(std::uint64_t octets, unsigned long round_count, bool json) {
    Rounds rounds;
    std::array<std::uint64_t, variants.size()> packets{};
    for (unsigned long round = 0; round < round_count; ++round) {
        rounds.emplace_back();
        for (std::size_t turn = 0; turn < variants.size(); ++turn) {
            const std::size_t at = (turn + round) % variants.size();  // nobody is always first
            const Outcome outcome = run_apart(variants[at], octets);
            if (!outcome.intact) return fail(variants[at]);
            rounds.back()[at] = outcome.ns_a_packet;
            packets[at] = outcome.packets;
        }
        std::fprintf(stderr, "\rround %lu of %lu", round + 1, round_count);
    }
    std::fprintf(stderr, "\n");
    (json ? print_json : print_table)(rounds, packets);
    return 0;
}

int one(std::string_view name, std::uint64_t octets) {
    for (const Variant& variant : variants) {
        if (name != variant.name) continue;
        const Outcome outcome = run(variant, octets);
        if (!outcome.intact) return fail(variant);
        std::printf("packets=%llu ns=%.0f\n", static_cast<unsigned long long>(outcome.packets), outcome.ns_a_packet);
        return 0;
    }
    std::fprintf(stderr, "packet_rate: no build is called '%.*s': upstream, out, off, on\n",
                 static_cast<int>(name.size()), name.data());
    return 2;
}

constexpr const char* usage =
    "packet_rate [--bytes N] [--rounds N] [--only BUILD] [--json]\n"
    "\n"
    "Two stacks of one build send N octets through memory: no delay, no loss, the default window of 65,535 octets, "
    "MSS\n"
    "1460. Builds: upstream, out (patched, compiled out), off (compiled in), on (big window, NAK). Packets are data "
    "and\n"
    "acknowledgements, each sent by one stack and received by the other.\n"
    "\n"
    "  --bytes N      octets a run (default 40000000)\n"
    "  --rounds N     rounds of all four (default 15); the median of the rounds' ratios is what counts\n"
    "  --only BUILD   one run of one build, for callgrind (--instr-atstart=no): packet_rate.sh\n"
    "  --json         the table as JSON\n";

// 0: not a number.
unsigned long long number(const char* text) {
    char* end = nullptr;
    const unsigned long long value = std::strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' ? value : 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::array<option, 6> options = {{{"bytes", required_argument, nullptr, 'b'},
                                            {"rounds", required_argument, nullptr, 'r'},
                                            {"only", required_argument, nullptr, 'o'},
                                            {"json", no_argument, nullptr, 'j'},
                                            {"help", no_argument, nullptr, 'h'},
                                            {nullptr, 0, nullptr, 0}}};
    unsigned long long octets = 40'000'000;
    unsigned long long rounds = 15;
    const char* only = nullptr;
    bool json = false;
    for (int choice = 0; (choice = getopt_long(argc, argv, "h", options.data(), nullptr)) != -1;) {
        if (choice == 'h') return std::fputs(usage, stdout) < 0;
        if (choice == 'j') json = true;
        if (choice == 'o') only = optarg;
        if (choice == 'b') octets = number(optarg);
        if (choice == 'r') rounds = number(optarg);
        if (choice == '?') return 2;
    }
    if (octets == 0 || rounds == 0 || rounds > 100'000 || optind < argc) {
        std::fprintf(stderr, "packet_rate: --bytes and --rounds are numbers from 1 on; see --help\n");
        return 2;
    }
    return only != nullptr ? one(only, octets) : compare(octets, rounds, json);
}
