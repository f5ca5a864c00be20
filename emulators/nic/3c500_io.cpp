// SPDX-License-Identifier: BSD-3-Clause
// 3C500: the sixteen ports, the buffer window and the DMA cycles.
#include "emulators/nic/3c500.hpp"

namespace lfn {

using namespace el3c500;

namespace {
constexpr unsigned address_mask = Nic3c500::buffer_bytes - 1;
constexpr unsigned gp_counter_size = 0x1000;  // bit 11 counts but does not address (3Com's diagnostic wants it so)
constexpr unsigned gp_written_high_bits = 0x07;
}  // namespace

Nic3c500::Nic3c500(Loop& loop, EthernetWire& wire, const Config& config)
    : loop_(loop),
      wire_(wire),
      config_(config),
      random_(config.seed, "3c500/back-off"),
      timer_(loop, Callback::bind<&Nic3c500::on_timer>(*this)) {
    soft_reset();
}

Nic3c500::~Nic3c500() {
    if (state_.transmitter == Transmitter::on_wire) wire_.abort(*this);
}

std::uint8_t Nic3c500::in8(unsigned offset) {
    switch (offset) {
        case gp_low:
            return low_byte(state_.gp_pointer);
        case gp_high:
            return high_byte(state_.gp_pointer);
        case receive_pointer_low:
            return low_byte(state_.receive_pointer);
        case receive_pointer_high:
            return high_byte(state_.receive_pointer);
        case address_prom:
        case address_prom_alias: {
            const unsigned index = state_.gp_pointer & 7u;  // two more bytes than an address has
            return index < config_.prom_address.size() ? config_.prom_address[index] : std::uint8_t{0};
        }
        case auxiliary:
            return read_auxiliary_status();
        case buffer_window:
            return fetch();
        default:  // The 8001 decodes one address bit on reads.
            return offset % 2 == 0 ? read_receive_status() : read_transmit_status();
    }
}

void Nic3c500::out8(unsigned offset, std::uint8_t value) {
    switch (offset) {
        case gp_low:
            set_low_byte(state_.gp_pointer, value);
            break;
        case gp_high:  // 11 bits can be written; the twelfth is only reached by counting
            set_high_byte(state_.gp_pointer, value & gp_written_high_bits);
            break;
        case receive_pointer_low:
            state_.receive_pointer = 0;
            break;
        case receive_pointer_high:
        case address_prom:
        case address_prom_alias:
            break;
        case auxiliary:
            write_auxiliary(AuxiliaryCommand::Bits{value});
            break;
        case buffer_window:
            store(value);
            break;
        default:
            write_station_side(offset, value);
    }
}

void Nic3c500::write_station_side(unsigned offset, std::uint8_t value) {
    if (offset < state_.station_address.size()) state_.station_address[offset] = value;
    if (in_reset()) return;  // the commands are held at zero
    if (offset == el3c500::receive) state_.receive_command = ReceiveCommand::Bits{value};
    if (offset == el3c500::transmit) state_.transmit_command = TransmitCommand::Bits{value};
}

std::uint8_t Nic3c500::read_receive_status() {
    const std::uint8_t value = state_.receive_status.raw();
    state_.receive_status.set(ReceiveStatus::STALE);  // which also lets the next frame in
    state_.receive_interrupt = false;
    update_lines();
    return value;
}

std::uint8_t Nic3c500::read_transmit_status() {
    const std::uint8_t value = state_.transmit_status.raw();
    state_.transmit_interrupt = false;  // the bits stay
    update_lines();
    return value;
}

std::uint8_t Nic3c500::read_auxiliary_status() const {
    const AuxiliaryCommand::Bits command = state_.auxiliary_command;
    AuxiliaryStatus::Bits status{static_cast<unsigned>(buffer_control()) << 2};
    status.assign(AuxiliaryStatus::RECEIVE_BUSY, state_.receive_busy);
    status.assign(AuxiliaryStatus::XMIT_BAD_FCS, command.has(AuxiliaryCommand::XMIT_BAD_FCS));
    status.assign(AuxiliaryStatus::DMA_DONE, state_.dma_done);
    status.assign(AuxiliaryStatus::DMA_REQUEST, command.has(AuxiliaryCommand::DMA_REQUEST));
    status.assign(AuxiliaryStatus::RIDE, command.has(AuxiliaryCommand::RIDE));
    status.assign(AuxiliaryStatus::TRANSMIT_BUSY, state_.transmit_busy);
    return status.raw();
}

std::uint8_t Nic3c500::fetch() {
    const std::uint8_t value = state_.buffer[state_.gp_pointer & address_mask];
    step(state_.gp_pointer, gp_counter_size);
    return value;
}

void Nic3c500::store(std::uint8_t value) {
    if (buffer_control() != BufferControl::host) return;
    state_.buffer[state_.gp_pointer & address_mask] = value;
    step(state_.gp_pointer, gp_counter_size);
}

std::uint8_t Nic3c500::dma_read(bool terminal_count) {
    if (!dma_wanted()) return 0xFF;
    const std::uint8_t value = fetch();
    end_dma_cycle(terminal_count);
    return value;
}

void Nic3c500::dma_write(std::uint8_t value, bool terminal_count) {
    if (!dma_wanted()) return;
    store(value);
    end_dma_cycle(terminal_count);
}

void Nic3c500::end_dma_cycle(bool terminal_count) {
    const bool at_end = config_.dma_ends_at_buffer_end && state_.gp_pointer == buffer_bytes;
    if (!terminal_count && !at_end) return;
    state_.dma_done = true;
    state_.dma_interrupt = true;
    update_lines();
}

}  // namespace lfn
