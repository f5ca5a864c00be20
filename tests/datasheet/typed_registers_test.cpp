// SPDX-License-Identifier: BSD-3-Clause
// The wrong line does not compile. These claims are decided by the compiler; the cases give them their names.
#include <gtest/gtest.h>

#include <concepts>

#include "emulators/nic/3c500_registers.hpp"
#include "emulators/nic/p1300_registers.hpp"

namespace lfn::test {
namespace {

template <class Left, class Right>
concept CanCombine = requires(Left left, Right right) {
    left | right;
};
template <class Left, class Right>
concept CanMask = requires(Left left, Right right) {
    left& right;
};
template <class Left, class Right>
concept CanTest = requires(Left left, Right right) {
    left.has(right);
};
template <class Left, class Right>
concept CanCompare = requires(Left left, Right right) {
    left == right;
};

template <class Left, class Right>
constexpr bool mixes = CanCombine<Left, Right> || CanMask<Left, Right> || CanTest<Left, Right> ||
                       CanCompare<Left, Right> || std::is_assignable_v<Left&, Right>;

TEST(TypedRegisters, bits_of_one_register_combine) {
    using Command = el3c500::ReceiveCommand;
    static_assert(mixes<Command::Bits, Command::Bits>);
    EXPECT_EQ((Command::GOOD | Command::SHORT).raw(), 0x28);
}

TEST(TypedRegisters, transmit_bits_do_not_go_into_the_receive_command) {
    static_assert(!mixes<el3c500::ReceiveCommand::Bits, el3c500::TransmitCommand::Bits>);
}

TEST(TypedRegisters, status_bits_are_not_command_bits) {
    static_assert(!mixes<el3c500::TransmitCommand::Bits, el3c500::TransmitStatus::Bits>);
    static_assert(!mixes<el3c500::AuxiliaryCommand::Bits, el3c500::AuxiliaryStatus::Bits>);
    static_assert(!mixes<pr1300::InputCommand::Bits, pr1300::InputStatus::Bits>);
}

TEST(TypedRegisters, input_bits_do_not_go_into_the_output_side) {
    static_assert(!mixes<pr1300::OutputCommand::Bits, pr1300::InputCommand::Bits>);
}

TEST(TypedRegisters, a_bare_number_is_not_a_register) {
    static_assert(!mixes<el3c500::AuxiliaryCommand::Bits, int>);
    static_assert(!mixes<el3c500::AuxiliaryCommand::Bits, std::uint8_t>);
    static_assert(!std::convertible_to<el3c500::AuxiliaryCommand::Bits, unsigned>);
}

TEST(TypedRegisters, address_mode_is_not_buffer_control) {
    // Both have a value 3; one real emulation compared the two.
    static_assert(!CanCompare<el3c500::AddressMode, el3c500::BufferControl>);
}

}  // namespace
}  // namespace lfn::test
