// SPDX-License-Identifier: BSD-3-Clause
// A host of the lab whose network interface is a driver over an emulated card.
//
// Theory of operation. The host's program runs on its processor (emulators/host) and does one thing at a time: bring
// the card up, then for ever run the stack's timers, poll the driver, hand what has come to the stack, hand the driver
// what the stack wants sent. What a packet costs is spent before the stack sees it, or before the driver does; a call
// into the stack takes no time itself, so no other host's stack can run in the middle of one. While the processor is
// busy the card is alone: whatever it cannot hold is lost or refused, as in life.
//
// The interface holds a few frames, the one that the driver is sending included; beyond that the stack is refused
// (ERR_MEM) and called again when there is room. A clock tick wakes the program besides the interrupts, so that one
// that is lost costs a tick.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "ports/lab/card_port.hpp"
#include "ports/lab/odometer.hpp"
#include "ports/lab/stack_host.hpp"

namespace lfn::lab {

struct CardHostOptions {
    std::uint32_t address = 0;  ///< host byte order
    std::uint32_t gateway = 0;  ///< 0: none
    std::uint16_t mtu = 0;      ///< octets of a datagram; 0, or more than the card's: the card's
    std::uint64_t seed = 1;
    std::string_view name;                       ///< names the host's random stream, and the host in a trace
    const lfn_tcp_settings* defaults = nullptr;  ///< windows of a stack that has no settings per connection
    const HostProfile* profile = nullptr;        ///< null: ideal
    std::uint32_t data_ports = 0;                ///< of the card, see CardIo
    double interrupt_loss = 0;                   ///< see CardPortOptions
    IoTrace* trace = nullptr;
    CaptureWriter* capture = nullptr;
};

const HostProfile& or_ideal(const HostProfile* profile);

class CardHost final : public StackHost {
public:
    CardHost(Loop& loop, FramePool& pool, const lfn_stack& stack, IsaCard& card, std::unique_ptr<NicDriver> driver,
             const CardHostOptions& options);
    ~CardHost() override;

    /// The card answers and the stack runs; some milliseconds after the start.
    bool is_up() const { return stack_is_up(); }
    const Processor& processor() const { return processor_; }
    const CardPort& port() const { return port_; }
    const Odometer& sent() const { return sent_; }
    const Odometer& received() const { return received_; }
    /// Frames that the stack was refused room for.
    std::uint64_t refusals() const { return refusals_; }

private:
    void program();
    bool bring_up();
    bool step();
    bool receive();
    bool send();
    std::span<const std::uint8_t> datagram_of(std::span<const std::uint8_t> frame) const;

    void on_tick();
    void on_timer() override;
    std::uint8_t* transmit_begin(std::size_t length) override;
    void transmit_end() override;

    FramePool& pool_;
    CardHostOptions options_;
    const HostProfile& profile_;
    lfn_interface interface_{};
    FramePtr outgoing_;
    bool refused_ = false;
    bool timers_due_ = false;
    Odometer sent_, received_;
    std::uint64_t refusals_ = 0;
    Timer tick_;
    Processor processor_;
    CardPort port_;
};

}  // namespace lfn::lab
