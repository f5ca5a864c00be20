// SPDX-License-Identifier: BSD-3-Clause
#include "ports/services/pattern.hpp"

#include <algorithm>

namespace lfn::services {

// One output of splitmix64 (Steele, Lea and Flood 2014, as published by Vigna), its state a counter.
std::uint64_t Pattern::word(std::uint64_t index) const {
    std::uint64_t state = seed_ + index * 0x9e3779b97f4a7c15U;
    state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9U;
    state = (state ^ (state >> 27)) * 0x94d049bb133111ebU;
    return state ^ (state >> 31);
}

// Words go out with their least significant octet first, whatever the machine.
void Pattern::fill(std::uint64_t offset, std::span<std::uint8_t> octets) const {
    std::size_t filled = 0;
    while (filled < octets.size()) {
        const std::uint64_t at = offset + filled;
        const std::size_t begin = at % 8;
        const std::size_t count = std::min<std::size_t>(8 - begin, octets.size() - filled);
        const std::uint64_t value = word(at / 8);
        for (std::size_t i = 0; i < count; ++i) {
            octets[filled + i] = static_cast<std::uint8_t>(value >> (8 * (begin + i)));
        }
        filled += count;
    }
}

}  // namespace lfn::services
