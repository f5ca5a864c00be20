// SPDX-License-Identifier: BSD-3-Clause
// 3Com 3C500 "EtherLink" (IE), also sold as 3C501: an 8-bit ISA Ethernet card of 1982.
//
// Theory of operation. One 2048-byte packet buffer serves both directions, and the host. Two bits of the auxiliary
// command, the buffer control, say who has it; the card acts when they *change*.
//
//   host      the host reads and writes at the GP pointer. Whatever passes on the cable is lost without a trace.
//   transmit  the bytes from the GP pointer to the buffer's end are the frame. When it has left, the card listens, in
//   the
//             same buffer from the receive pointer up, so that a reply to what was just sent has somewhere to go.
//   receive   the next frame for us goes to the receive pointer; its end is the length.
//   loopback  transmits to itself.
//
// A reception that the receive command asks for leaves its status "not stale"; until the host reads the status nothing
// more is received. The transmitter cannot repeat a frame after a collision: the GP pointer has run, and only the host
// can set it again. So a frame that comes while the host still copies the last one is lost, and so is one that comes
// while it loads the next (RFC 1030 calls the card deaf).
//
// Models: every register bit in the sheet, DMA and programmed I/O, collisions and back-off, the half-duplex losses.
// Sources: 86Box net_3c501.c and VirtualBox Dev3C501.cpp (checked against 3Com's diagnostics and in parts a real card);
//   the drivers of MIT/CMU PC/IP, Linux, NetBSD and Crynwr; RFC 1030. Row by row in 3c500_sheet.cpp.
// Not modelled: see not_modelled in 3c500_sheet.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "emulators/bus/isa_card.hpp"
#include "emulators/nic/3c500_registers.hpp"
#include "emulators/nic/ethernet_port.hpp"
#include "emulators/time/loop.hpp"
#include "emulators/time/random.hpp"

namespace lfn {

/// Why a frame that passed by did not reach the host.
enum class DeafCause : std::uint8_t {
    receiver_off,          // address mode 00, or in reset
    host_owns_buffer,      // buffer control "host" when the frame began
    own_transmission,      // the buffer holds a frame that waits to leave or is leaving
    loopback,              // buffer control "loopback"
    status_unread,         // the last frame's status has not been read
    rearming,              // the receiver had just been switched on
    taken_over,            // the host took the buffer, or reset the card, in mid-frame
    address_filter,        // not for us
    condition_not_enabled  // received, but no bit of the receive command asks for it
};
constexpr std::size_t deaf_cause_count = 9;

class Nic3c500 final : public IsaCard, public EthernetStation {
public:
    static constexpr unsigned buffer_bytes = 2048;
    static constexpr unsigned longest_transmission = 1536;  // bytes; the emulations refuse more

    struct Config {
        EthernetAddress prom_address{0x02, 0x60, 0x8C, 0x00, 0x00, 0x01};
        /// From the AUX write that switches the receiver on until a preamble can be caught. guess: at most 10 us.
        Duration rearm_latency{10'000};
        /// A reception that no enabled condition reports: put the receive pointer back where it was. guess: the SEEQ
        /// chips have a "discard" output for this purpose; 86Box leaves the pointer.
        bool discard_unreported = true;
        /// DMA also ends when the GP pointer reaches the end of the buffer, as in 86Box; always at terminal count.
        bool dma_ends_at_buffer_end = false;
        std::uint64_t seed = 1;  // of the back-off
    };

    enum class Transmitter : std::uint8_t { idle, backing_off, on_wire, looping_back };

    /// All that the card remembers. Two cards with equal states, one wire and no timer pending behave alike, but for
    /// the draws of the back-off.
    struct State {
        std::array<std::uint8_t, buffer_bytes> buffer{};
        EthernetAddress station_address{};
        std::uint16_t gp_pointer = 0;       // 12-bit counter; bit 11 does not address
        std::uint16_t receive_pointer = 0;  // 0..2048
        el3c500::TransmitCommand::Bits transmit_command;
        el3c500::TransmitStatus::Bits transmit_status;
        el3c500::ReceiveCommand::Bits receive_command;
        el3c500::ReceiveStatus::Bits receive_status;
        el3c500::AuxiliaryCommand::Bits auxiliary_command;
        bool receive_busy = false;
        bool transmit_busy = false;
        bool dma_done = false;
        bool receive_interrupt = false;
        bool transmit_interrupt = false;
        bool dma_interrupt = false;
        Transmitter transmitter = Transmitter::idle;
        std::uint16_t transmit_begin = 0;  // in the buffer
        std::uint8_t collisions = 0;       // of the frame that is being tried
        Time back_off_until{};
        Time armed_at{};
        bool capturing = false;                          // a frame is passing and goes into the buffer
        DeafCause deaf_cause = DeafCause::receiver_off;  // of the passing frame, if not capturing
        friend bool operator==(const State&, const State&) = default;
    };

    /// offered = received + the sum of lost. received counts what was reported to the host, erroneous frames included.
    struct Counters {
        std::uint64_t transmissions = 0;  // frames given to the wire, retries included
        std::uint64_t sent = 0;
        std::uint64_t collisions = 0;
        std::uint64_t aborted = 0;  // transmissions cut off by the host
        std::uint64_t giants_refused = 0;
        std::uint64_t offered = 0;
        std::uint64_t received = 0;
        std::uint64_t received_with_error = 0;
        std::array<std::uint64_t, deaf_cause_count> lost{};
        std::uint64_t lost_to(DeafCause cause) const { return lost[static_cast<std::size_t>(cause)]; }
    };

    /// As after power-on. Loop and wire must outlive the card.
    Nic3c500(Loop& loop, EthernetWire& wire, const Config& config);
    ~Nic3c500() override;

    const State& state() const { return state_; }
    const Counters& counters() const { return counters_; }
    const DeviceSheet& sheet() const override;
    static const DeviceSheet& describe();

    // 3c500_io.cpp
    unsigned port_count() const override { return el3c500::port_count; }
    std::uint8_t in8(unsigned offset) override;
    void out8(unsigned offset, std::uint8_t value) override;
    std::uint8_t dma_read(bool terminal_count) override;
    void dma_write(std::uint8_t value, bool terminal_count) override;

    // 3c500_receive.cpp
    void frame_started() override;
    void frame_ended(const EthernetFrame& frame) override;

    // 3c500_transmit.cpp
    void transmission_ended(EthernetOutcome outcome) override;

private:
    // 3c500_io.cpp
    std::uint8_t read_receive_status();
    std::uint8_t read_transmit_status();
    std::uint8_t read_auxiliary_status() const;
    void write_station_side(unsigned offset, std::uint8_t value);
    std::uint8_t fetch();
    void store(std::uint8_t value);
    void end_dma_cycle(bool terminal_count);

    // 3c500_auxiliary.cpp
    void write_auxiliary(el3c500::AuxiliaryCommand::Bits command);
    void enter_reset();
    void soft_reset();
    void change_buffer_control(el3c500::BufferControl from, el3c500::BufferControl to);
    void start_receiver();
    bool in_reset() const { return state_.auxiliary_command.has(el3c500::AuxiliaryCommand::RESET); }
    el3c500::BufferControl buffer_control() const { return el3c500::buffer_control(state_.auxiliary_command); }
    bool dma_wanted() const;
    bool interrupt_wanted() const;
    void update_lines();

    // 3c500_receive.cpp
    bool hears(DeafCause& why_not) const;
    bool passes_filter(std::span<const std::uint8_t> bytes) const;
    void receive(const EthernetFrame& frame);
    void stop_capture();
    void lose(DeafCause cause) { ++counters_.lost[static_cast<std::size_t>(cause)]; }

    // 3c500_transmit.cpp
    void start_transmission();
    void put_on_wire();
    void on_timer();
    void loop_back();
    void abort_transmission();
    void back_off();
    void finish_transmission(el3c500::TransmitStatus::Bits status);
    EthernetFrame outgoing() const;

    Loop& loop_;
    EthernetWire& wire_;
    Config config_;
    Random random_;
    Timer timer_;  // end of the back-off, or of a loopback frame
    State state_;
    Counters counters_;
};

}  // namespace lfn
