// SPDX-License-Identifier: BSD-3-Clause
// The other stations of an Ethernet: seeded background traffic, so that "a noisy Ethernet of 150 hosts" is a parameter.
//
// Each station sends a frame, then thinks for an exponentially distributed time, so that all together offer the load
// that was asked for, less what they wait for the cable. They defer, collide and back off like any station.
//
// Sources: IEEE 802.3-1985 4.2.3.2.5 (back-off). Frame sizes are bimodal, as J. Shoch and J. Hupp measured on an
// Ethernet
//   in 1980 (mostly short frames, most octets in long ones); the three sizes and their shares are a guess, and so is
//   the share of broadcasts.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "emulators/link/ethernet_segment.hpp"
#include "emulators/nic/ethernet_port.hpp"
#include "emulators/time/loop.hpp"
#include "emulators/time/random.hpp"

namespace lfn {

class EthernetTraffic {
public:
    struct Config {
        unsigned stations = 0;
        double load = 0;                ///< of the cable's time, by all stations together; 0 to 1
        double broadcast_share = 0.01;  ///< of the frames
        std::uint64_t seed = 1;
    };

    struct Counters {
        std::uint64_t offered = 0;  // frames
        std::uint64_t sent = 0;
        std::uint64_t collisions = 0;
        std::uint64_t given_up = 0;    // after sixteen collisions
        std::uint64_t broadcasts = 0;  // of those offered
    };

    /// Starts at once. Loop and segment must outlive it.
    EthernetTraffic(Loop& loop, EthernetSegment& segment, const Config& config);
    ~EthernetTraffic();

    const Counters& counters() const { return counters_; }
    /// Mean time that a frame of the mix keeps the cable, the gap not included.
    static Duration mean_wire_time();

private:
    class Station;

    Duration think_time();
    std::size_t draw_size();

    Loop& loop_;
    EthernetSegment& segment_;
    Config config_;
    Random random_;
    Counters counters_;
    std::vector<std::unique_ptr<Station>> stations_;
};

}  // namespace lfn
