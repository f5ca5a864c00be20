// SPDX-License-Identifier: BSD-3-Clause
// Proteon p1300, ProNET-10 token ring interface for the IBM PC, 1984-86: an 8-bit ISA card with eight ports.
//
// Theory of operation. Two packet buffers, one a direction, with a counter each; a counter is buffer address and count
// in one. Output: the host writes -length (two's complement, 11 bits), then the bytes, which so end at the buffer's
// end, then -length again, and originates. The message leaves when the token comes, goes round, and is stripped by its
// sender, who sees in its last bit whether anyone copied it: REFUSED. The bytes stay, so that a repetition costs two
// count writes and one command. Input: COPYEN arms the receiver for one message; it copies from the counter up, COPYEN
// falls, the counter is the length. A message for a station that is not armed is refused, and its sender knows: the
// ring pushes back where an Ethernet loses. Both directions run at the same time (RFC 1030).
//
// The station's address is set by switches and can only be learnt by sending oneself a message in loopback: the
// hardware puts the address into the second byte of everything that leaves.
//
// The identification of the eight-port "v2lni" of Proteon's header with the p1300 is inferred; the p1300 manual (v4.0,
// July 1986, cited in RFC 1051) was not found. Where the header is silent, the UNIBUS and VME boards of the family
// decide.
//
// Sources: Proteon's header and the pronet driver in MIT/CMU PC/IP, 4.3BSD if_vv.c, VxWorks if_pn.c, D. Comer on
// ProNET-10, RFC 1030. Row by row in p1300_sheet.cpp, guesses marked. Not modelled: see there.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "emulators/bus/isa_card.hpp"
#include "emulators/nic/p1300_registers.hpp"
#include "emulators/nic/ring_port.hpp"
#include "emulators/time/loop.hpp"

namespace lfn {

/// Why a message that was addressed to the station was not copied.
enum class RefusalCause : std::uint8_t {
    not_armed,  // COPYEN was off
    holding,    // COPYEN has fallen: the input buffer holds the last message
    disarmed,   // disarmed, reset, out of its mode, or the message cut, in mid-message
    overrun     // longer than the room from the counter up
};
constexpr std::size_t refusal_cause_count = 4;

class NicP1300 final : public IsaCard, public RingStation {
public:
    static constexpr unsigned buffer_bytes = 2048;

    struct Config {
        std::uint8_t address = 1;  // the switches
        /// From an originate until OUTTMO if no token comes. guess: the token timer, about 400 ms.
        Duration output_timeout{std::chrono::milliseconds(400)};
        /// RGNOK is "ring not OK", as the UNIBUS board's bit. guess; false turns it round.
        bool rgnok_means_not_ok = true;
    };

    enum class Input : std::uint8_t { idle, armed, copying, holding };
    enum class Output : std::uint8_t { idle, waiting_for_token, sending, looping_back };

    /// All that the card remembers.
    struct State {
        std::array<std::uint8_t, buffer_bytes> input_buffer{};
        std::array<std::uint8_t, buffer_bytes> output_buffer{};
        std::uint16_t input_count = 0;               // 11 bits
        std::uint16_t output_count = 0;              // 11 bits
        pr1300::InputCommand::Bits input_command;    // mode and interrupt enable, as last written
        pr1300::InputStatus::Bits input_status;      // BADFMT, PARITY, OVERRUN, ININTSTAT
        pr1300::OutputCommand::Bits output_command;  // interrupt enable, as last written
        pr1300::OutputStatus::Bits output_status;    // REFUSED, OBADFMT, OUTTMO, OUTINTSTAT
        Input input = Input::idle;
        Output output = Output::idle;
        std::uint16_t output_begin = 0;                        // of the message under way, in the buffer
        bool may_create_token = false;                         // INITRING, of the message that waits
        bool message_is_ours = false;                          // the one that is passing
        RefusalCause refusal_cause = RefusalCause::not_armed;  // of the passing message, if not copying
        friend bool operator==(const State&, const State&) = default;
    };

    /// offered = copied + the sum of refused; originated = returned + timed_out + withdrawn + the one under way.
    struct Counters {
        std::uint64_t originated = 0;
        std::uint64_t returned = 0;
        std::uint64_t returned_refused = 0;
        std::uint64_t timed_out = 0;
        std::uint64_t withdrawn = 0;
        std::uint64_t offered = 0;  // messages addressed to us
        std::uint64_t copied = 0;
        std::uint64_t copied_with_error = 0;
        std::array<std::uint64_t, refusal_cause_count> refused{};
        std::uint64_t refused_for(RefusalCause cause) const { return refused[static_cast<std::size_t>(cause)]; }
    };

    /// As after power-on: out of the ring. Loop and ring must outlive the card.
    NicP1300(Loop& loop, RingWire& ring, const Config& config);
    ~NicP1300() override;

    const State& state() const { return state_; }
    const Counters& counters() const { return counters_; }
    const DeviceSheet& sheet() const override;
    static const DeviceSheet& describe();

    // p1300_io.cpp
    unsigned port_count() const override { return pr1300::port_count; }
    std::uint8_t in8(unsigned offset) override;
    void out8(unsigned offset, std::uint8_t value) override;
    std::uint8_t dma_read(bool terminal_count) override;
    void dma_write(std::uint8_t value, bool terminal_count) override;

    // p1300_input.cpp
    void message_started(std::uint8_t destination) override;
    bool message_ended(const RingMessage& message) override;

    // p1300_output.cpp
    void token_seized() override;
    void message_returned(RingReturn result) override;

private:
    // p1300_io.cpp
    std::uint8_t read_input_status() const;
    std::uint8_t read_output_status() const;
    std::uint8_t fetch();
    void store(std::uint8_t value);
    void update_interrupts();

    // p1300_input.cpp
    void write_input_command(pr1300::InputCommand::Bits command);
    void change_mode(pr1300::Mode from, pr1300::Mode to);
    void reset_input();
    void arm();
    void disarm();
    void stop_copying();
    void cut_message();
    void start_message(std::uint8_t destination);
    bool end_message(const RingMessage& message);
    bool refuse(RefusalCause cause);
    pr1300::Mode mode() const { return pr1300::mode(state_.input_command); }

    // p1300_output.cpp
    void write_output_command(pr1300::OutputCommand::Bits command);
    void originate(bool may_create_token);
    void join_ring();
    void leave_ring();
    void withdraw();
    void on_timer();
    void loop_back();
    void finish_output(pr1300::OutputStatus::Bits result);
    std::span<const std::uint8_t> message(std::array<std::uint8_t, buffer_bytes>& storage) const;
    unsigned message_bytes() const { return (buffer_bytes - state_.output_begin) % buffer_bytes; }

    Loop& loop_;
    RingWire& ring_;
    Config config_;
    Timer timer_;  // output time-out, or the end of a message in loopback
    State state_;
    Counters counters_;
};

}  // namespace lfn
