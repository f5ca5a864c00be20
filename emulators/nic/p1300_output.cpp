// SPDX-License-Identifier: BSD-3-Clause
// P1300: the originator. A message waits for the token, leaves, and comes back copied, refused or not at all.
#include <algorithm>
#include <cassert>

#include "emulators/nic/p1300.hpp"

namespace lfn {

using namespace pr1300;

void NicP1300::write_output_command(OutputCommand::Bits command) {
    state_.output_command = command & OutputCommand::OUTINTEN;
    if (command.has(OutputCommand::OUTINTRES)) state_.output_status.clear(OutputStatus::OUTINTSTAT);
    if (command.has(OutputCommand::OUTRST)) {
        withdraw();
        state_.output_status = {};
    } else if (command.has(OutputCommand::ORIGEN)) {
        if (state_.output == Output::idle) originate(command.has(OutputCommand::INITRING));
    } else if (state_.output == Output::waiting_for_token) {
        withdraw();  // guess: one that is leaving already goes on
    }
    update_interrupts();
}

void NicP1300::originate(bool may_create_token) {
    state_.output_begin = state_.output_count;
    state_.output_status.clear(OutputStatus::REFUSED | OutputStatus::OBADFMT | OutputStatus::OUTTMO);
    ++counters_.originated;
    std::array<std::uint8_t, buffer_bytes> storage;
    const auto bytes = message(storage);
    const bool sendable = bytes.size() >= 2 && bytes.size() <= pronet::maximum_bytes;
    if (is_loopback(mode()) || !sendable) {
        // guess: what the ring could not carry comes back malformed after its time, and nobody else sees it
        state_.output = Output::looping_back;
        timer_.schedule_after(pronet::wire_time(bytes.size()));
        if (sendable) start_message(bytes[0]);
        return;
    }
    state_.output = Output::waiting_for_token;
    timer_.schedule_after(config_.output_timeout);
    state_.may_create_token = may_create_token;
    if (mode() == Mode::network) ring_.originate(*this, bytes, may_create_token);
}

/// What leaves: the buffer from the count to its end, the second byte replaced by the station's own address.
std::span<const std::uint8_t> NicP1300::message(std::array<std::uint8_t, buffer_bytes>& storage) const {
    const auto bytes = std::span(storage).first(message_bytes());
    std::copy_n(state_.output_buffer.begin() + state_.output_begin, bytes.size(), bytes.begin());
    if (bytes.size() >= 2) bytes[1] = config_.address;
    return bytes;
}

void NicP1300::token_seized() {
    assert(state_.output == Output::waiting_for_token);
    timer_.cancel();
    state_.output = Output::sending;
}

void NicP1300::message_returned(RingReturn result) {
    assert(state_.output == Output::sending);
    OutputStatus::Bits status;
    status.assign(OutputStatus::REFUSED, result.refused);
    status.assign(OutputStatus::OBADFMT, result.bad_format);
    finish_output(status);
}

void NicP1300::on_timer() {
    if (state_.output == Output::looping_back) {
        loop_back();
        return;
    }
    if (mode() == Mode::network) ring_.withdraw(*this);
    finish_output(OutputStatus::OUTTMO);
}

/// The message meets the station's own receiver; the ring hears nothing of it.
void NicP1300::loop_back() {
    std::array<std::uint8_t, buffer_bytes> storage;
    const auto bytes = message(storage);
    if (!is_loopback(mode()) || bytes.size() < 2 || bytes.size() > pronet::maximum_bytes) {
        finish_output(OutputStatus::OBADFMT);
        return;
    }
    const bool copied = end_message({.bytes = bytes});
    if (state_.output == Output::looping_back) finish_output(copied ? OutputStatus::Bits{} : OutputStatus::REFUSED);
}

/// The counter has run up to zero; the bytes stay for a repetition.
void NicP1300::finish_output(OutputStatus::Bits result) {
    timer_.cancel();
    state_.output = Output::idle;
    if (result == OutputStatus::OUTTMO) {
        ++counters_.timed_out;  // nothing has left
    } else {
        ++counters_.returned;
        if (result.has(OutputStatus::REFUSED)) ++counters_.returned_refused;
        state_.output_count = 0;
    }
    state_.output_status.set(result);
    if (state_.output_command.has(OutputCommand::OUTINTEN)) state_.output_status.set(OutputStatus::OUTINTSTAT);
    update_interrupts();
}

/// The relay closes. A message that was originated outside, and has not timed out yet, may have its token now. guess
void NicP1300::join_ring() {
    ring_.set_relay(*this, true);
    if (state_.output != Output::waiting_for_token) return;
    std::array<std::uint8_t, buffer_bytes> storage;
    ring_.originate(*this, message(storage), state_.may_create_token);
}

/// The relay opens. A message that waits goes on waiting, for a token that cannot come; one under way comes back cut.
void NicP1300::leave_ring() {
    const Output output = state_.output;
    if (output == Output::waiting_for_token || output == Output::sending) ring_.withdraw(*this);
    ring_.set_relay(*this, false);
    if (output == Output::sending) finish_output(OutputStatus::OBADFMT);
}

void NicP1300::withdraw() {
    if (state_.output == Output::idle) return;
    if (mode() == Mode::network && state_.output != Output::looping_back) ring_.withdraw(*this);
    timer_.cancel();
    state_.output = Output::idle;
    ++counters_.withdrawn;
}

}  // namespace lfn
