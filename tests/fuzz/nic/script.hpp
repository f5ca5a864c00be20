// SPDX-License-Identifier: BSD-3-Clause
// Fuzz input read as a script: one byte says what happens, the next ones are its operands. Short input reads as zeros.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

#include "emulators/time/time.hpp"

/// Like assert, but also in a release build.
#define INVARIANT(condition)                                                             \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            std::abort();                                                                \
        }                                                                                \
    } while (false)

namespace lfn::fuzz {

class Script {
public:
    explicit Script(std::span<const std::uint8_t> input) : input_(input) {}

    bool done() const { return at_ >= input_.size(); }
    std::uint8_t byte() { return done() ? std::uint8_t{0} : input_[at_++]; }
    unsigned word() {
        const unsigned low = byte();
        return low | static_cast<unsigned>(byte()) << 8;
    }
    /// Up to a quarter of a second, most values short.
    Duration delay() {
        const unsigned exponent = byte() % 13;
        return Duration(static_cast<Duration::rep>(word()) << exponent);
    }
    /// Up to `limit` bytes; the head is from the script, the tail a pattern.
    std::vector<std::uint8_t> frame(std::size_t limit) {
        std::vector<std::uint8_t> bytes(word() % (limit + 1));
        for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = i < 8 ? byte() : static_cast<std::uint8_t>(i);
        return bytes;
    }

private:
    std::span<const std::uint8_t> input_;
    std::size_t at_ = 0;
};

}  // namespace lfn::fuzz
