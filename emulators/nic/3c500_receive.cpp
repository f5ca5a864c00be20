// SPDX-License-Identifier: BSD-3-Clause
// 3C500: from a preamble on the cable to a status that the host may read, and the many ways to be lost in between.
#include <algorithm>

#include "emulators/nic/3c500.hpp"

namespace lfn {

using namespace el3c500;

/// Whether a frame that begins now is captured, the half-duplex truth table.
bool Nic3c500::hears(DeafCause& why_not) const {
    const BufferControl control = buffer_control();
    if (in_reset() || address_mode(state_.receive_command) == AddressMode::off) {
        why_not = DeafCause::receiver_off;
    } else if (control == BufferControl::host) {
        why_not = DeafCause::host_owns_buffer;
    } else if (control == BufferControl::loopback) {
        why_not = DeafCause::loopback;
    } else if (state_.transmitter != Transmitter::idle) {
        why_not = DeafCause::own_transmission;
    } else if (!state_.receive_status.has(ReceiveStatus::STALE)) {
        why_not = DeafCause::status_unread;
    } else if (control == BufferControl::receive && loop_.now() < state_.armed_at) {
        why_not = DeafCause::rearming;
    } else {
        return true;
    }
    return false;
}

void Nic3c500::frame_started() {
    state_.capturing = hears(state_.deaf_cause);
}

void Nic3c500::frame_ended(const EthernetFrame& frame) {
    ++counters_.offered;
    if (!state_.capturing) {
        lose(state_.deaf_cause);
        return;
    }
    state_.capturing = false;
    receive(frame);
}

/// The host takes the buffer, or resets the card, while a frame passes.
void Nic3c500::stop_capture() {
    if (!state_.capturing) return;
    state_.capturing = false;
    state_.deaf_cause = DeafCause::taken_over;
}

bool Nic3c500::passes_filter(std::span<const std::uint8_t> bytes) const {
    const AddressMode mode = address_mode(state_.receive_command);
    if (mode == AddressMode::off || bytes.size() < state_.station_address.size()) return false;
    const auto destination = bytes.first(state_.station_address.size());
    if (mode == AddressMode::promiscuous) return true;
    if (std::ranges::equal(destination, state_.station_address)) return true;
    if (mode == AddressMode::station_and_multicast) return (destination[0] & 1) != 0;
    return std::ranges::all_of(destination, [](std::uint8_t byte) { return byte == ethernet::broadcast_byte; });
}

/// Into the buffer at the receive pointer, which ends as the length (the FCS is not counted), and into the status.
void Nic3c500::receive(const EthernetFrame& frame) {
    if (!passes_filter(frame.bytes)) {
        lose(DeafCause::address_filter);
        return;
    }
    const std::uint16_t begin = state_.receive_pointer;
    const std::size_t stored = std::min<std::size_t>(frame.bytes.size(), buffer_bytes - begin);
    std::copy_n(frame.bytes.begin(), stored, state_.buffer.begin() + begin);
    state_.receive_pointer = static_cast<std::uint16_t>(begin + stored);

    const bool overflow = stored < frame.bytes.size();
    ReceiveStatus::Bits status;
    status.assign(ReceiveStatus::OVER, overflow);
    status.assign(ReceiveStatus::ANY, !overflow);
    status.assign(ReceiveStatus::FCS, frame.fcs_error);
    status.assign(ReceiveStatus::DRIBBLE, frame.dribble);
    status.assign(ReceiveStatus::SHORT, frame.bytes.size() < ethernet::minimum_bytes);
    const bool good = status == ReceiveStatus::ANY;
    status.assign(ReceiveStatus::GOOD, good);

    if (!detects(state_.receive_command, status)) {
        lose(DeafCause::condition_not_enabled);
        state_.receive_status = status | ReceiveStatus::STALE;
        if (config_.discard_unreported) state_.receive_pointer = begin;
        return;
    }
    ++counters_.received;
    if (!good) ++counters_.received_with_error;
    state_.receive_status = status;  // not stale: deaf until it is read
    state_.receive_busy = false;
    state_.receive_interrupt = true;
    update_lines();
}

}  // namespace lfn
