// SPDX-License-Identifier: BSD-3-Clause
// P1300: the receiver. Arming, copying, refusing; and the mode bits, which live in the input register.
#include <algorithm>

#include "emulators/nic/p1300.hpp"

namespace lfn {

using namespace pr1300;

/// Every write says the mode anew: a driver that leaves the mode bits out drops out of the ring.
void NicP1300::write_input_command(InputCommand::Bits command) {
    const Mode before = mode();
    state_.input_command = command & (InputCommand::MODE1 | InputCommand::MODE2 | InputCommand::ININTEN);
    if (command.has(InputCommand::ININTRES)) state_.input_status.clear(InputStatus::ININTSTAT);
    if (before != mode()) change_mode(before, mode());
    if (command.has(InputCommand::INRST)) {
        reset_input();  // guess: COPYEN in the same write counts for nothing
    } else if (command.has(InputCommand::COPYEN)) {
        arm();
    } else {
        disarm();
    }
    update_interrupts();
}

void NicP1300::change_mode(Mode from, Mode to) {
    cut_message();
    if (from == Mode::network) leave_ring();
    if (to == Mode::network) join_ring();
}

/// The counter and the buffer are left alone: the driver clears the counter itself.
void NicP1300::reset_input() {
    stop_copying();
    state_.input = Input::idle;
    state_.input_status = {};
}

/// A plain re-arm: no acknowledge, and no look at whether the last message has been read.
void NicP1300::arm() {
    if (state_.input == Input::armed || state_.input == Input::copying) return;
    state_.input = Input::armed;
    state_.input_status.clear(InputStatus::BADFMT | InputStatus::PARITY | InputStatus::OVERRUN);
}

void NicP1300::disarm() {
    stop_copying();
    if (state_.input == Input::armed) state_.input = Input::idle;
}

/// A message that is cut short this way is refused, and the receiver is armed as before it came. guess
void NicP1300::stop_copying() {
    if (state_.input != Input::copying) return;
    state_.input = Input::armed;
    state_.refusal_cause = RefusalCause::disarmed;
}

/// The rest of the message that is passing will not come, or not to us.
void NicP1300::cut_message() {
    stop_copying();
    if (state_.message_is_ours) refuse(state_.refusal_cause);
}

void NicP1300::message_started(std::uint8_t destination) {
    if (mode() == Mode::network) start_message(destination);
}

bool NicP1300::message_ended(const RingMessage& message) {
    return mode() == Mode::network && end_message(message);
}

void NicP1300::start_message(std::uint8_t destination) {
    cut_message();
    state_.message_is_ours = destination == config_.address || destination == pronet::broadcast;
    if (!state_.message_is_ours) return;
    if (state_.input == Input::armed) {
        state_.input = Input::copying;
    } else {
        state_.refusal_cause = state_.input == Input::holding ? RefusalCause::holding : RefusalCause::not_armed;
    }
}

/// True if copied. guess: a message with an error counts as copied, one that overran does not.
bool NicP1300::end_message(const RingMessage& message) {
    if (!state_.message_is_ours) return false;
    if (state_.input != Input::copying) return refuse(state_.refusal_cause);
    const unsigned begin = state_.input_count;
    const std::size_t stored = std::min<std::size_t>(message.bytes.size(), buffer_bytes - 1 - begin);
    std::copy_n(message.bytes.begin(), stored, state_.input_buffer.begin() + begin);
    state_.input_count = static_cast<std::uint16_t>(begin + stored);

    const bool overrun = stored < message.bytes.size();
    state_.input_status.assign(InputStatus::BADFMT, message.bad_format);
    state_.input_status.assign(InputStatus::PARITY, message.parity_error);
    state_.input_status.assign(InputStatus::OVERRUN, overrun);
    state_.input = Input::holding;
    state_.message_is_ours = false;
    if (overrun) {
        refuse(RefusalCause::overrun);
    } else {
        ++counters_.offered;
        ++counters_.copied;
        if (message.bad_format || message.parity_error) ++counters_.copied_with_error;
    }
    if (state_.input_command.has(InputCommand::ININTEN)) state_.input_status.set(InputStatus::ININTSTAT);
    update_interrupts();
    return !overrun;
}

bool NicP1300::refuse(RefusalCause cause) {
    state_.message_is_ours = false;
    ++counters_.offered;
    ++counters_.refused[static_cast<std::size_t>(cause)];
    return false;
}

}  // namespace lfn
