// SPDX-License-Identifier: BSD-3-Clause
// Octets that both ends can make for themselves: no two blocks are alike, so what is missing, doubled or misplaced
// shows.
#pragma once

#include <cstdint>
#include <span>

namespace lfn::services {

class Pattern {
public:
    explicit Pattern(std::uint64_t seed) : seed_(seed) {}
    /// Fills `octets` with what stands at `offset` of the pattern.
    void fill(std::uint64_t offset, std::span<std::uint8_t> octets) const;

private:
    std::uint64_t word(std::uint64_t index) const;

    std::uint64_t seed_;
};

}  // namespace lfn::services
