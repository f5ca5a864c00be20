// SPDX-License-Identifier: BSD-3-Clause
// 3C500: a right-justified frame leaves, collides, or is refused.
#include <algorithm>
#include <cassert>

#include "emulators/nic/3c500.hpp"

namespace lfn {

using namespace el3c500;

/// The frame is what lies between the GP pointer and the end of the buffer.
EthernetFrame Nic3c500::outgoing() const {
    return {.bytes = std::span(state_.buffer).subspan(state_.transmit_begin),
            .fcs_error = state_.auxiliary_command.has(AuxiliaryCommand::XMIT_BAD_FCS)};
}

void Nic3c500::start_transmission() {
    state_.transmit_begin = static_cast<std::uint16_t>(state_.gp_pointer & (buffer_bytes - 1));
    state_.transmit_status = {};
    const std::size_t bytes = buffer_bytes - state_.transmit_begin;
    if (bytes > longest_transmission) {
        ++counters_.giants_refused;
        finish_transmission({});
    } else if (buffer_control() == BufferControl::loopback) {
        state_.transmitter = Transmitter::looping_back;
        timer_.schedule_after(ethernet::wire_time(bytes));
    } else if (loop_.now() < state_.back_off_until) {
        state_.transmitter = Transmitter::backing_off;
        timer_.schedule_at(state_.back_off_until);
    } else {
        put_on_wire();
    }
}

void Nic3c500::put_on_wire() {
    state_.transmitter = Transmitter::on_wire;
    ++counters_.transmissions;
    wire_.transmit(*this, outgoing());
}

void Nic3c500::on_timer() {
    if (state_.transmitter == Transmitter::backing_off) {
        put_on_wire();
    } else {
        loop_back();
    }
}

/// The frame goes through the receiver like any other. It is copied first, for it lies in the same buffer.
void Nic3c500::loop_back() {
    std::array<std::uint8_t, longest_transmission> copy;
    EthernetFrame frame = outgoing();
    std::ranges::copy(frame.bytes, copy.begin());
    frame.bytes = std::span(copy).first(frame.bytes.size());
    finish_transmission(TransmitStatus::READY);
    ++counters_.offered;
    if (buffer_control() != BufferControl::loopback) {
        lose(DeafCause::taken_over);  // by a listener of the interrupt line, at this very instant
    } else if (!state_.receive_status.has(ReceiveStatus::STALE)) {
        lose(DeafCause::status_unread);
    } else {
        receive(frame);
    }
}

void Nic3c500::transmission_ended(EthernetOutcome outcome) {
    assert(state_.transmitter == Transmitter::on_wire);
    if (outcome == EthernetOutcome::sent) {
        ++counters_.sent;
        state_.collisions = 0;
        finish_transmission(TransmitStatus::READY);
        return;
    }
    ++counters_.collisions;
    ++state_.collisions;
    if (state_.collisions < ethernet::attempt_limit) {
        back_off();
        finish_transmission(TransmitStatus::COLL);
    } else {
        state_.collisions = 0;
        state_.back_off_until = {};
        finish_transmission(TransmitStatus::COLL | TransmitStatus::COLL16);
    }
}

/// Truncated binary exponential back-off. The 8001 counts it from the end of the jam; the host's restart takes longer
/// than the first few waits, so it often finds the time already gone.
void Nic3c500::back_off() {
    const unsigned doublings = std::min<unsigned>(state_.collisions, ethernet::back_off_limit);
    const auto slots = static_cast<Duration::rep>(random_.below(std::uint64_t{1} << doublings));
    state_.back_off_until = loop_.now() + slots * ethernet::slot_time;
}

/// Buffer control stays where it is: the card listens now, and the host must pass through "host" to send again.
void Nic3c500::finish_transmission(TransmitStatus::Bits status) {
    state_.transmitter = Transmitter::idle;
    state_.transmit_status = status;
    state_.transmit_busy = false;
    state_.transmit_interrupt = detects(state_.transmit_command, status);
    state_.gp_pointer = buffer_bytes;
    if (buffer_control() == BufferControl::transmit_then_receive) state_.receive_busy = true;
    update_lines();
}

void Nic3c500::abort_transmission() {
    if (state_.transmitter == Transmitter::idle) return;
    if (state_.transmitter == Transmitter::on_wire) wire_.abort(*this);
    timer_.cancel();
    state_.transmitter = Transmitter::idle;
    ++counters_.aborted;
}

}  // namespace lfn
