// SPDX-License-Identifier: BSD-3-Clause
// A coaxial Ethernet segment: CSMA/CD among the stations attached to it, 10 Mb/s, half duplex.
//
// Theory of operation. The segment is free, in its interframe gap, or carries. A station that wants to send while it is
// not free waits, and all that wait start together when the gap is over; a station that starts before the carrier of
// another has reached it starts too. More than one transmission is a collision: all jam, every transmission ends as
// collided, everybody else sees a fragment. Back-off is the controllers' business (4.2.3.2.5 of IEEE 802.3-1985).
//
// Sources: IEEE 802.3-1985 clause 4; The Ethernet, Blue Book 2.0, 1982.
// Not modelled: each station's place on the cable (one propagation time for all pairs), the two parts of the gap,
//   heartbeat, late collisions.
#pragma once

#include <cstdint>
#include <vector>

#include "emulators/nic/ethernet_port.hpp"
#include "emulators/time/loop.hpp"
#include "emulators/time/random.hpp"

namespace lfn {

class EthernetSegment final : public EthernetWire {
public:
    static constexpr Duration jam_time{3'200};  // 32 bits

    struct Config {
        /// From any station to any other. guess: 500 m of cable at 5 ns/m; two repeaters would triple it.
        Duration propagation{2'500};
        /// Chance that a whole frame arrives with a wrong FCS, at all stations alike: noise.
        double frame_error_rate = 0;
        std::uint64_t seed = 1;
    };

    /// started = carried + collided + aborted + those on the wire now.
    struct Counters {
        std::uint64_t started = 0;     // transmissions
        std::uint64_t deferred = 0;    // of them, those that had to wait first
        std::uint64_t carried = 0;     // whole frames
        std::uint64_t damaged = 0;     // of them, with a wrong FCS by noise
        std::uint64_t collided = 0;    // transmissions lost to collisions
        std::uint64_t collisions = 0;  // events
        std::uint64_t aborted = 0;     // cut off by their station
        Duration busy{};               // carrier on the cable
    };

    EthernetSegment(Loop& loop, const Config& config);

    /// Hears the segment from the next frame on. A station is attached once, and detached before it dies.
    void attach(EthernetStation& station);
    void detach(EthernetStation& station);
    const Counters& counters() const { return counters_; }
    bool carrier() const { return !active_.empty(); }

    void transmit(EthernetStation& from, const EthernetFrame& frame) override;
    void abort(EthernetStation& from) override;

private:
    struct Transmission {
        EthernetStation* from;
        std::vector<std::uint8_t> bytes;
        bool fcs_error;
    };

    void start(Transmission transmission);
    void start_waiting();
    void collide();
    void end();
    void release();
    bool noise_hits();
    void announce();
    void deliver(const EthernetFrame& frame);
    std::size_t bytes_so_far() const;
    static bool take(std::vector<Transmission>& list, const EthernetStation& from);

    Loop& loop_;
    Config config_;
    Random random_;
    Timer free_;  // the gap is over
    Timer end_;   // the frame, or the jam, is over
    std::vector<EthernetStation*> stations_;
    std::vector<EthernetStation*> listeners_;  // have heard the start of what is on the wire
    std::vector<Transmission> waiting_;
    std::vector<Transmission> active_;
    std::vector<Transmission> ending_;  // over, their stations not told yet
    Time carrier_since_{};
    bool collision_ = false;
    Counters counters_;
};

}  // namespace lfn
