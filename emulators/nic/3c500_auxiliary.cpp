// SPDX-License-Identifier: BSD-3-Clause
// 3C500: the auxiliary command: reset, buffer control, DMA and interrupt enables; and the two lines to the bus.
#include "emulators/nic/3c500.hpp"

namespace lfn {

using namespace el3c500;

void Nic3c500::write_auxiliary(AuxiliaryCommand::Bits command) {
    if (command.has(AuxiliaryCommand::RESET)) {
        enter_reset();
        return;
    }
    if (in_reset()) soft_reset();
    const BufferControl before = buffer_control();
    state_.auxiliary_command = command;
    if (!command.has(AuxiliaryCommand::DMA_REQUEST)) {
        state_.dma_done = false;
        state_.dma_interrupt = false;
    }
    if (before != buffer_control()) change_buffer_control(before, buffer_control());
    update_lines();
}

/// The other bits written together with RESET count for nothing; what was under way is cut off.
void Nic3c500::enter_reset() {
    abort_transmission();
    stop_capture();
    state_.auxiliary_command = AuxiliaryCommand::RESET;
    state_.receive_command = {};
    state_.transmit_command = {};
    update_lines();
}

/// The end of a reset pulse. The packet buffer, the station address and both pointers survive it (checked by others on
/// a real card), and drivers count on that.
void Nic3c500::soft_reset() {
    state_.transmit_command = {};
    state_.transmit_status = {};
    state_.receive_command = {};
    state_.receive_status = ReceiveStatus::STALE;
    state_.auxiliary_command = {};
    state_.receive_busy = false;
    state_.transmit_busy = true;  // as whenever the host takes the buffer
    state_.dma_done = false;
    state_.receive_interrupt = false;
    state_.transmit_interrupt = false;
    state_.dma_interrupt = false;
    state_.collisions = 0;
    state_.back_off_until = {};
    update_lines();
}

void Nic3c500::change_buffer_control(BufferControl from, BufferControl to) {
    abort_transmission();
    switch (to) {
        case BufferControl::host:
            stop_capture();
            state_.transmit_busy = true;
            state_.receive_busy = false;
            break;
        case BufferControl::receive:
            if (from != BufferControl::transmit_then_receive) start_receiver();
            // A reply that came in after a transmission is kept, and the receiver stays as it is.
            if (state_.receive_status.has(ReceiveStatus::STALE)) state_.receive_busy = true;
            break;
        case BufferControl::transmit_then_receive:
        case BufferControl::loopback:
            stop_capture();
            state_.receive_busy = to == BufferControl::loopback;
            if (state_.transmit_busy) start_transmission();
            break;
    }
}

void Nic3c500::start_receiver() {
    state_.armed_at = loop_.now() + config_.rearm_latency;
}

bool Nic3c500::dma_wanted() const {
    return state_.auxiliary_command.has_all(AuxiliaryCommand::DMA_REQUEST | AuxiliaryCommand::RIDE) && !state_.dma_done;
}

bool Nic3c500::interrupt_wanted() const {
    const bool latched = state_.receive_interrupt || state_.transmit_interrupt || state_.dma_interrupt;
    return latched && state_.auxiliary_command.has(AuxiliaryCommand::RIDE | AuxiliaryCommand::IRE);
}

/// The only place that moves the card's lines. A listener may come back in through a register, so that each level is
/// worked out just before it is set.
void Nic3c500::update_lines() {
    dreq.set(dma_wanted());
    irq.set(interrupt_wanted());
}

}  // namespace lfn
