// SPDX-License-Identifier: BSD-3-Clause
// Seeded random numbers, in named streams that know nothing of each other.
//
// The engine is std::mt19937_64, whose output the C++ standard fixes bit by bit; the distributions of <random> it does
// not, so the mappings to doubles and to small integers are here.
//
// A stream's engine is seeded with splitmix64(seed ^ splitmix64(fnv1a64(name))). FNV-1a turns the name into 64 bits;
// splitmix64's finaliser (a bijection) spreads close seeds and close names over the whole space. Each consumer takes
// its own name, so one more consumer, or one that draws more, changes nobody else's numbers.
#pragma once

#include <cstdint>
#include <random>
#include <string_view>

namespace lfn {

class Random {
public:
    /// `stream` names the consumer, as in "link/a-to-b/bit-errors".
    Random(std::uint64_t seed, std::string_view stream);

    std::uint64_t next_u64() { return engine_(); }
    /// A multiple of 2^-53 in [0, 1).
    double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
    /// Each integer in [0, bound) with the same chance; bound is at least 1. Draws again where modulo would be biased.
    std::uint64_t below(std::uint64_t bound);
    /// True with the given probability; always draws exactly once.
    bool chance(double probability) { return unit() < probability; }

private:
    std::mt19937_64 engine_;
};

/// The seed of a stream's engine, as documented above.
std::uint64_t stream_seed(std::uint64_t seed, std::string_view stream);

}  // namespace lfn
