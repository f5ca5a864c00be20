// SPDX-License-Identifier: BSD-3-Clause
// The steps from lwIP as it was released, on a port as its own tapif is written, to what we have; and one transfer on
// one of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "ports/tap/tap_host.hpp"

namespace lfn::bench {

struct Step {
    const char* name;
    const char* what;
    const lfn_stack* (*stack)();
    TapPortOptions port;
    bool merge = false;    ///< as in TapOptions
    bool offload = false;  ///< as in TapOptions
};

/// The first is what all others are compared with; each but the last two adds one thing to the one before it.
std::span<const Step> ladder();

enum class Direction : std::uint8_t { to_kernel, from_kernel };

struct Conditions {
    Direction direction = Direction::to_kernel;
    std::uint16_t mtu = 1500;
    std::uint64_t octets = 0;
    std::uint32_t window = 0;  ///< receive window and send buffer of the stack
};

/// Seconds, and of them those that a metered run has told apart.
struct Costs {
    double reads = 0, writes = 0, polls = 0;  ///< system calls; that of polling includes its waiting
    double copies = 0, checksums = 0;
    double digest = 0;  ///< of what was received
    double rest = 0;    ///< the stack, the port, the loop
    std::uint64_t read_calls = 0, write_calls = 0, poll_calls = 0;
};

struct Result {
    std::string failure;  ///< a sentence; empty: whole, by digest
    double seconds = 0;
    double processor_seconds = 0;  ///< of our process
    TapPortCounters port;
    std::uint64_t data_packets = 0;  ///< in the direction of the data
    Costs costs;                     ///< of a metered run
};

/// One transfer over a TAP interface of its own in the current network namespace, which is made and goes.
Result run(const Step& step, const Conditions& conditions, bool metered);

}  // namespace lfn::bench
