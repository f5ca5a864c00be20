// SPDX-License-Identifier: BSD-3-Clause
// P1300: the eight ports, the two counters, DMA cycles, and the interrupt line.
#include "emulators/nic/p1300.hpp"

namespace lfn {

using namespace pr1300;

namespace {

constexpr std::uint8_t open_bus = 0xFF;
constexpr unsigned high_bits = 0x07;  // of an 11-bit count

}  // namespace

NicP1300::NicP1300(Loop& loop, RingWire& ring, const Config& config)
    : loop_(loop), ring_(ring), config_(config), timer_(loop, Callback::bind<&NicP1300::on_timer>(*this)) {
    dreq.set(true);  // no register asks for DMA: the board asks whenever its channel is enabled
}

NicP1300::~NicP1300() {
    if (mode() == Mode::network) ring_.set_relay(*this, false);
}

std::uint8_t NicP1300::in8(unsigned offset) {
    switch (offset) {
        case icsr:
            return read_input_status();
        case ibuf:
            return fetch();
        case ilcnt:
            return low_byte(state_.input_count);
        case ihcnt:
            return high_byte(state_.input_count);
        case ocsr:
            return read_output_status();
        case olcnt:  // guess: the output count reads back as the input count does
            return low_byte(state_.output_count);
        case ohcnt:
            return high_byte(state_.output_count);
        default:  // guess: nothing drives the bus when OBUF is read
            return open_bus;
    }
}

void NicP1300::out8(unsigned offset, std::uint8_t value) {
    switch (offset) {
        case icsr:
            write_input_command(InputCommand::Bits{value});
            break;
        case ilcnt:
            set_low_byte(state_.input_count, value);
            break;
        case ihcnt:
            set_high_byte(state_.input_count, value & high_bits);
            break;
        case ocsr:
            write_output_command(OutputCommand::Bits{value});
            break;
        case obuf:
            store(value);
            break;
        case olcnt:
            set_low_byte(state_.output_count, value);
            break;
        case ohcnt:
            set_high_byte(state_.output_count, value & high_bits);
            break;
        default:  // IBUF cannot be written
            break;
    }
}

std::uint8_t NicP1300::read_input_status() const {
    InputStatus::Bits status = state_.input_status;
    status.assign(InputStatus::COPYEN, state_.input == Input::armed || state_.input == Input::copying);
    status.assign(InputStatus::MODE1, state_.input_command.has(InputCommand::MODE1));  // guess: read back
    status.assign(InputStatus::MODE2, state_.input_command.has(InputCommand::MODE2));  // guess: read back
    status.assign(InputStatus::ININTEN, state_.input_command.has(InputCommand::ININTEN));
    return status.raw();
}

std::uint8_t NicP1300::read_output_status() const {
    OutputStatus::Bits status = state_.output_status;
    status.assign(OutputStatus::ORIGEN, state_.output != Output::idle);
    status.assign(OutputStatus::RGNOK, ring_.ring_ok() != config_.rgnok_means_not_ok);
    status.assign(OutputStatus::OUTINTEN, state_.output_command.has(OutputCommand::OUTINTEN));
    return status.raw();
}

std::uint8_t NicP1300::fetch() {
    const std::uint8_t value = state_.input_buffer[state_.input_count];
    step(state_.input_count, buffer_bytes);
    return value;
}

void NicP1300::store(std::uint8_t value) {
    state_.output_buffer[state_.output_count] = value;
    step(state_.output_count, buffer_bytes);
}

std::uint8_t NicP1300::dma_read(bool) {
    return fetch();
}

void NicP1300::dma_write(std::uint8_t value, bool) {
    store(value);
}

/// The only place that moves the interrupt line.
void NicP1300::update_interrupts() {
    const bool input =
        state_.input_status.has(InputStatus::ININTSTAT) && state_.input_command.has(InputCommand::ININTEN);
    const bool output =
        state_.output_status.has(OutputStatus::OUTINTSTAT) && state_.output_command.has(OutputCommand::OUTINTEN);
    irq.set(input || output);
}

}  // namespace lfn
