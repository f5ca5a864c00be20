// SPDX-License-Identifier: BSD-3-Clause
// 3C500: pointers, window, PROM, reset, status reads.
#include "tests/datasheet/3c500_fixture.hpp"

namespace lfn::test {
namespace {

using testing::ElementsAre;

class Card3c500Registers : public Card3c500 {};

TEST_F(Card3c500Registers, decode_sixteen_ports) {
    EXPECT_EQ(card.port_count(), 16u);
    EXPECT_EQ(lfn_io_in8(&io, 0x2FF), 0xFF);
    EXPECT_EQ(lfn_io_in8(&io, 0x310), 0xFF);
}

TEST_F(Card3c500Registers, gp_pointer_steps_with_each_window_access) {
    out16(0x8, 0x0123);
    out(0xF, 0xAA);
    out(0xF, 0xBB);
    EXPECT_EQ(in16(0x8), 0x0125);
    EXPECT_THAT(read_buffer(0x0123, 2), ElementsAre(0xAA, 0xBB));
    EXPECT_EQ(in16(0x8), 0x0125);
}

TEST_F(Card3c500Registers, gp_pointer_counts_to_2048_which_addresses_byte_0) {
    out16(0x8, 0x07FF);
    out(0xF, 0x11);
    EXPECT_EQ(in16(0x8), 0x0800);
    out(0xF, 0x22);
    EXPECT_EQ(in16(0x8), 0x0801);
    EXPECT_THAT(read_buffer(0, 1), ElementsAre(0x22));
    EXPECT_THAT(read_buffer(0x07FF, 1), ElementsAre(0x11));
}

TEST_F(Card3c500Registers, gp_pointer_is_a_12_bit_counter) {
    out16(0x8, 0);
    for (unsigned i = 0; i < 0xFFF; ++i) in(0xF);
    EXPECT_EQ(in16(0x8), 0x0FFF);
    in(0xF);
    EXPECT_EQ(in16(0x8), 0x0000);
}

TEST_F(Card3c500Registers, only_eleven_bits_of_the_gp_pointer_can_be_written) {
    out16(0x8, 0xFFFF);
    EXPECT_EQ(in16(0x8), 0x07FF);
}

TEST_F(Card3c500Registers, window_writes_are_ignored_unless_the_host_has_the_buffer) {
    set_up();
    out16(0x8, 0);
    out(0xF, 0x11);
    for (const int mode : {0x48, 0x44, 0x4C}) {
        out16(0x8, 0x07F0);
        out(0xE, 0x40);
        out(0xE, static_cast<std::uint8_t>(mode));
        out16(0x8, 0);
        out(0xF, 0x99);
        EXPECT_EQ(in16(0x8), 0) << mode;
        EXPECT_EQ(card.state().buffer[0], 0x11) << mode;
    }
}

TEST_F(Card3c500Registers, prom_window_shows_the_address_and_does_not_step) {
    for (unsigned i = 0; i < 6; ++i) {
        out16(0x8, static_cast<std::uint16_t>(i));
        EXPECT_EQ(in(0xC), own[i]);
        EXPECT_EQ(in(0xC), own[i]);
        EXPECT_EQ(in(0xD), own[i]);
        EXPECT_EQ(in16(0x8), i);
    }
}

TEST_F(Card3c500Registers, prom_window_decodes_three_bits_of_the_gp_pointer) {
    out16(0x8, 0x0008 + 2);
    EXPECT_EQ(in(0xC), 0x8C);
    out16(0x8, 7);
    EXPECT_EQ(in(0xC), 0x00);
}

TEST_F(Card3c500Registers, prom_cannot_be_written) {
    out16(0x8, 0);
    out(0xC, 0x77);
    out(0xD, 0x77);
    EXPECT_EQ(in(0xC), 0x02);
}

TEST_F(Card3c500Registers, station_address_is_empty_until_the_host_copies_it_from_the_prom) {
    EXPECT_EQ(card.state().station_address, EthernetAddress{});
    set_up();
    EXPECT_EQ(card.state().station_address, own);
}

TEST_F(Card3c500Registers, any_write_to_the_low_receive_pointer_clears_all_of_it) {
    listen();
    pass(frame_to(own, 300));
    EXPECT_EQ(in16(0xA), 300);
    out(0xB, 0x07);
    EXPECT_EQ(in16(0xA), 300);
    out(0xA, 0x55);
    EXPECT_EQ(in16(0xA), 0);
}

TEST_F(Card3c500Registers, receive_status_is_stale_after_power_on) {
    EXPECT_EQ(in(0x6), 0x80);
}

TEST_F(Card3c500Registers, transmit_is_busy_after_power_on) {
    EXPECT_EQ(in(0xE), 0x80);
}

TEST_F(Card3c500Registers, reading_receive_status_returns_it_once_and_then_stale) {
    listen();
    pass(frame_to(own, 60));
    EXPECT_EQ(in(0x6), 0x30);
    EXPECT_EQ(in(0x6), 0xB0);
}

TEST_F(Card3c500Registers, even_reads_below_six_alias_receive_status_with_its_side_effects) {
    for (const unsigned offset : {0u, 2u, 4u}) {
        listen();
        pass(frame_to(own, 60));
        EXPECT_TRUE(card.irq.level());
        EXPECT_EQ(in(offset), 0x30);
        EXPECT_FALSE(card.irq.level());
        EXPECT_EQ(in(offset), 0xB0);
    }
}

TEST_F(Card3c500Registers, odd_reads_below_six_alias_transmit_status_with_its_side_effects) {
    for (const unsigned offset : {1u, 3u, 5u}) {
        set_up();
        send(frame_to(other, 60));
        loop.run();
        EXPECT_TRUE(card.irq.level());
        EXPECT_EQ(in(offset), 0x08);
        EXPECT_FALSE(card.irq.level());
    }
}

TEST_F(Card3c500Registers, auxiliary_status_echoes_the_command_but_not_ire) {
    out(0xE, 0x43);
    EXPECT_EQ(in(0xE) & 0x6F, 0x42);
    out(0xE, 0x28);
    EXPECT_EQ(in(0xE) & 0x6C, 0x28);
}

TEST_F(Card3c500Registers, reset_keeps_buffer_address_and_pointers) {
    listen();
    pass(frame_to(own, 200));
    out(0xE, 0x40);
    out16(0x8, 0x0321);
    const Nic3c500::State before = card.state();
    out(0xE, 0x80);
    out(0xE, 0x00);
    EXPECT_EQ(card.state().buffer, before.buffer);
    EXPECT_EQ(card.state().station_address, own);
    EXPECT_EQ(in16(0x8), 0x0321);
    EXPECT_EQ(in16(0xA), 200);
}

TEST_F(Card3c500Registers, reset_clears_commands_statuses_and_interrupts) {
    listen();
    pass(frame_to(own, 200));
    EXPECT_TRUE(card.irq.level());
    out(0xE, 0x80);
    EXPECT_FALSE(card.irq.level());
    out(0xE, 0x00);
    EXPECT_EQ(card.state().receive_command.raw(), 0);
    EXPECT_EQ(card.state().transmit_command.raw(), 0);
    EXPECT_EQ(in(0x7), 0x00);
    EXPECT_EQ(in(0x6), 0x80);
    EXPECT_EQ(in(0xE), 0x80);
    out(0xE, 0x40);
    EXPECT_FALSE(card.irq.level());
}

TEST_F(Card3c500Registers, commands_written_during_reset_do_not_last) {
    out(0xE, 0x80);
    out(0x6, 0xAD);
    out(0x7, 0x0F);
    out(0xE, 0xC8);  // still reset: the rest counts for nothing
    out(0xE, 0x00);
    EXPECT_EQ(card.state().receive_command.raw(), 0);
    EXPECT_EQ(card.state().transmit_command.raw(), 0);
    EXPECT_EQ(in(0xE), 0x80);
}

TEST_F(Card3c500Registers, reset_cuts_a_transmission_off) {
    set_up();
    send(frame_to(other, 1000));
    out(0xE, 0x80);
    EXPECT_FALSE(wire.busy());
    EXPECT_EQ(wire.aborts, 1u);
    out(0xE, 0x00);
    loop.run();
    EXPECT_EQ(in(0x7), 0x00);
}

}  // namespace
}  // namespace lfn::test
