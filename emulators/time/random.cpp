// SPDX-License-Identifier: BSD-3-Clause
#include "emulators/time/random.hpp"

#include <cassert>

namespace lfn {

namespace {

// FNV-1a, 64 bits: offset basis and prime from the FNV authors' page and draft-eastlake-fnv.
std::uint64_t fnv1a64(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char character : text) {
        hash ^= static_cast<unsigned char>(character);
        hash *= 0x100000001b3U;
    }
    return hash;
}

// One output of splitmix64 (Steele, Lea and Flood 2014, as published by Vigna).
std::uint64_t splitmix64(std::uint64_t state) {
    state += 0x9e3779b97f4a7c15U;
    state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9U;
    state = (state ^ (state >> 27)) * 0x94d049bb133111ebU;
    return state ^ (state >> 31);
}

}  // namespace

std::uint64_t stream_seed(std::uint64_t seed, std::string_view stream) {
    return splitmix64(seed ^ splitmix64(fnv1a64(stream)));
}

Random::Random(std::uint64_t seed, std::string_view stream) : engine_(stream_seed(seed, stream)) {}

std::uint64_t Random::below(std::uint64_t bound) {
    assert(bound > 0);
    const std::uint64_t biased = (0 - bound) % bound;  // 2^64 mod bound values too many
    std::uint64_t value = engine_();
    while (value < biased) value = engine_();
    return value % bound;
}

}  // namespace lfn
