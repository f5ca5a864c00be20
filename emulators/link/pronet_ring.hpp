// SPDX-License-Identifier: BSD-3-Clause
// A ProNET-10 token ring, 10 Mb/s: stations in the order in which they were attached, one token, one message at a time.
//
// Theory of operation. While nobody sends the token goes round, and nothing has to happen for that: where it is follows
// from when it last left whom. A station that wants to send waits until the token passes it. Its message goes round all
// the stations in the ring and comes back; it is stripped, and the token goes on from there. Each station that is armed
// copies what is addressed to it, and clears the refuse bit by that. A ring without a token stays silent until somebody
// originates with leave to create one.
//
// Sources: D. Comer on ProNET-10 (frame, flag timer of about 3 ms), 4.3BSD if_vv.c.
// Not modelled: the order in which stations see a message's begin and end (all see the begin when it leaves and the end
//   when it is back, at most one ring latency late), the short break when a relay moves, the election of the station
//   that makes a new token, bit stuffing.
#pragma once

#include <cstdint>
#include <vector>

#include "emulators/nic/ring_port.hpp"
#include "emulators/time/loop.hpp"
#include "emulators/time/random.hpp"

namespace lfn {

class PronetRing final : public RingWire {
public:
    struct Config {
        /// From one station in the ring to the next; more than zero. guess: 2 bits in the station, 10 m of cable at 5
        /// ns/m.
        Duration hop{250};
        /// Stations in the ring that never send or copy, after the last attached one; they cost a hop each.
        unsigned silent_stations = 0;
        /// From an originate with INITRING on a ring that is not OK until a token is made: the flag timer.
        Duration recovery{std::chrono::milliseconds(3)};
        /// Chance that a message arrives with a parity error, at all stations alike.
        double message_error_rate = 0;
        std::uint64_t seed = 1;
    };

    /// seized = returned + cut + the one under way.
    struct Counters {
        std::uint64_t seized = 0;
        std::uint64_t returned = 0;
        std::uint64_t refused = 0;  // returned, but nobody had copied
        std::uint64_t damaged = 0;  // returned, with a parity error
        std::uint64_t cut = 0;      // withdrawn in mid-message
        std::uint64_t tokens_made = 0;
        std::uint64_t tokens_lost = 0;
        Duration busy{};  // messages on the ring
    };

    PronetRing(Loop& loop, const Config& config);

    /// Takes its place after those attached before, its relay open. The place stays when the station leaves the ring,
    /// which it does before it dies.
    void attach(RingStation& station);
    /// A fault: the token is gone. Does nothing while a message goes round.
    void lose_token();
    const Counters& counters() const { return counters_; }
    /// Once round, for a single bit.
    Duration latency() const;

    void originate(RingStation& from, std::span<const std::uint8_t> bytes, bool may_create_token) override;
    void withdraw(RingStation& from) override;
    void set_relay(RingStation& station, bool in_ring) override;
    bool ring_ok() const override { return token_ || sender_ != nullptr; }

private:
    struct Place {
        RingStation* station;
        bool in_ring = false;
        bool waiting = false;
        bool may_create_token = false;
        Time asked{};  // when the message began to wait
        std::vector<std::uint8_t> message;
    };

    Place& place_of(const RingStation& station);
    std::size_t hops_to(std::size_t index) const;
    Time token_at(std::size_t index) const;
    void look_for_token();
    void on_token();
    void seize(Place& place);
    void on_return();
    bool pass_message(bool parity_error, bool bad_format);
    void cut_message();

    Loop& loop_;
    Config config_;
    Random random_;
    Timer token_timer_;   // the token reaches the next station that waits for it, or is made there
    Timer return_timer_;  // the message is back
    std::vector<Place> places_;
    bool token_ = false;          // the token goes round; not while a message does
    std::size_t token_from_ = 0;  // the place that the token left,
    Time token_left_{};           // and when
    std::size_t next_place_ = 0;  // for which token_timer_ is booked
    Time silent_since_{};         // if there is neither token nor message
    RingStation* sender_ = nullptr;
    std::vector<std::uint8_t> on_ring_;
    Time message_since_{};
    Counters counters_;
};

}  // namespace lfn
