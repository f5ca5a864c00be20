// SPDX-License-Identifier: BSD-3-Clause
// System calls counted and timed, for benchmarks.
#pragma once

#include <cstdint>
#ifdef __x86_64__
#include <x86intrin.h>
#else
#include <chrono>
#endif

namespace lfn {

/// Of a clock that costs little to read; compare with a stretch of real time to know its unit.
inline std::uint64_t meter_ticks() {
#ifdef __x86_64__
    return __rdtsc();
#else
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

struct CallMeter {
    std::uint64_t calls = 0;
    std::uint64_t ticks = 0;
};

/// Makes the call, and counts it if anybody asks.
template <class Call>
auto metered(CallMeter* meter, Call call) {
    if (meter == nullptr) return call();
    const std::uint64_t begin = meter_ticks();
    const auto result = call();
    meter->ticks += meter_ticks() - begin;
    ++meter->calls;
    return result;
}

}  // namespace lfn
