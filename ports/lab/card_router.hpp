// SPDX-License-Identifier: BSD-3-Clause
// A gateway between two wires: a host with a card on each and no stack, whose program forwards IP datagrams.
//
// It takes what either card has, looks at the header, and puts the datagram into the other card's queue; what finds no
// room there is dropped, as in any gateway. Its processor works as a host's does, but for the user's copy and the
// checksum over the data, which a gateway does not touch. It sends no ICMP and cuts nothing into fragments: what is too
// long for the other wire is dropped and counted.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "ports/lab/card_port.hpp"

namespace lfn::lab {

struct CardRouterSide {
    IsaCard& card;
    std::unique_ptr<NicDriver> driver;  ///< takes and gives datagrams
    std::uint32_t data_ports = 0;
    std::uint32_t address = 0;  ///< host byte order, in a network of 256
    std::string_view name;      ///< in a trace
};

struct CardRouterOptions {
    const HostProfile* profile = nullptr;  ///< null: ideal
    std::size_t queue_frames = 16;         ///< on each side. guess: 16 buffers of 2 KB in a machine of 64 KB
    double interrupt_loss = 0;
    std::uint64_t seed = 1;
    IoTrace* trace = nullptr;
};

class CardRouter {
public:
    /// came in = forwarded + the rest
    struct Counters {
        std::uint64_t forwarded = 0;
        std::uint64_t malformed = 0;   // no IPv4, or its header checksum is wrong
        std::uint64_t not_routed = 0;  // to ourselves, or to where it comes from
        std::uint64_t expired = 0;     // time to live
        std::uint64_t too_long = 0;    // for the other wire
        std::uint64_t queue_full = 0;
    };

    CardRouter(Loop& loop, FramePool& pool, CardRouterSide first, CardRouterSide second,
               const CardRouterOptions& options);
    ~CardRouter();

    /// Both cards answer.
    bool is_up() const { return up_; }
    const Processor& processor() const { return processor_; }
    const Counters& counters() const { return counters_; }
    const CardPort& port(std::size_t side) const { return side == 0 ? first_ : second_; }

private:
    CardPort& port(std::size_t side) { return side == 0 ? first_ : second_; }
    void program();
    bool bring_up();
    bool step(std::size_t side);
    void forward(std::size_t from, std::span<const std::uint8_t> frame);
    std::uint64_t& refuse_or_put(std::size_t from, std::span<const std::uint8_t> frame);
    bool is_for(std::size_t side, std::uint32_t address) const;
    void on_tick();

    FramePool& pool_;
    const HostProfile& profile_;
    std::array<lfn_interface, 2> interfaces_{};
    bool up_ = false;
    Counters counters_;
    Timer tick_;
    Processor processor_;
    CardPort first_, second_;
};

}  // namespace lfn::lab
