// SPDX-License-Identifier: BSD-3-Clause
// P1300: the receiver: arming, copying, refusing, errors, the acknowledge-then-arm sequence.
#include "tests/datasheet/p1300_fixture.hpp"

namespace lfn::test {
namespace {

class CardP1300Input : public CardP1300 {};

TEST_F(CardP1300Input, card_decodes_eight_ports) {
    EXPECT_EQ(card.port_count(), 8u);
}

TEST_F(CardP1300Input, message_is_copied_once_armed_and_the_counter_is_its_length) {
    enable();
    const Bytes bytes = message(own_node, 2046);
    EXPECT_TRUE(pass(bytes));
    EXPECT_EQ(in(ICSR)&0x01, 0x00);
    EXPECT_EQ(input_count(), 2046u);
    EXPECT_EQ(read_input(2046), bytes);
}

TEST_F(CardP1300Input, copyen_reads_back_until_the_message_is_whole) {
    enable();
    EXPECT_EQ(in(ICSR)&0x01, 0x01);
    card.message_started(own_node);
    EXPECT_EQ(in(ICSR)&0x81, 0x01);
    card.message_ended({message(own_node, 50)});
    EXPECT_EQ(in(ICSR)&0x81, 0x80);
}

TEST_F(CardP1300Input, input_counter_is_eleven_bits_and_reads_back) {
    out(ILCNT, 0xFF);
    out(IHCNT, 0xFF);
    EXPECT_EQ(in(ILCNT), 0xFF);
    EXPECT_EQ(in(IHCNT), 0x07);
}

TEST_F(CardP1300Input, ibuf_steps_and_wraps_at_2048) {
    input_count(0x7FF);
    in(IBUF);
    EXPECT_EQ(input_count(), 0u);
    in(IBUF);
    EXPECT_EQ(input_count(), 1u);
}

TEST_F(CardP1300Input, station_that_is_not_armed_refuses_and_notices_nothing) {
    out(ICSR, 0x46);
    EXPECT_FALSE(pass(message(own_node, 100)));
    EXPECT_EQ(in(ICSR)&0xB9, 0x00);
    EXPECT_EQ(input_count(), 0u);
    EXPECT_EQ(card.irq.rises(), 0u);
    EXPECT_EQ(card.counters().refused_for(RefusalCause::not_armed), 1u);
}

TEST_F(CardP1300Input, station_that_holds_a_message_refuses_the_next_and_keeps_the_first) {
    enable();
    const Bytes first = message(own_node, 100);
    EXPECT_TRUE(pass(first));
    EXPECT_FALSE(pass(message(own_node, 200)));
    EXPECT_EQ(input_count(), 100u);
    EXPECT_EQ(read_input(100), first);
    EXPECT_EQ(card.counters().refused_for(RefusalCause::holding), 1u);
}

TEST_F(CardP1300Input, message_that_began_before_the_arming_is_refused) {
    out(ICSR, 0x46);
    card.message_started(own_node);
    out(ICSR, 0x47);
    EXPECT_FALSE(card.message_ended({message(own_node, 100)}));
    EXPECT_TRUE(pass(message(own_node, 100)));
}

TEST_F(CardP1300Input, message_for_somebody_else_passes_untouched) {
    enable();
    EXPECT_FALSE(pass(message(other_node, 100)));
    EXPECT_EQ(in(ICSR)&0x01, 0x01);
    EXPECT_EQ(card.counters().offered, 0u);
}

TEST_F(CardP1300Input, ff_is_everybody) {
    enable();
    EXPECT_TRUE(pass(message(0xFF, 100)));
    EXPECT_EQ(input_count(), 100u);
}

TEST_F(CardP1300Input, interrupt_follows_the_copy_and_86_acknowledges_without_arming) {
    enable();
    EXPECT_TRUE(pass(message(own_node, 100)));
    EXPECT_TRUE(card.irq.level());
    out(ICSR, 0x86);
    EXPECT_FALSE(card.irq.level());
    EXPECT_EQ(in(ICSR)&0x81, 0x00);
    EXPECT_FALSE(pass(message(own_node, 100)));
    input_count(0);
    out(ICSR, 0x47);
    EXPECT_TRUE(pass(message(own_node, 60)));
    EXPECT_TRUE(card.irq.level());
}

TEST_F(CardP1300Input, 47_re_arms_and_leaves_the_interrupt_pending) {
    enable();
    EXPECT_TRUE(pass(message(own_node, 100)));
    out(ICSR, 0x47);
    EXPECT_EQ(in(ICSR)&0x81, 0x81);
    EXPECT_TRUE(card.irq.level());
}

TEST_F(CardP1300Input, re_arming_without_clearing_the_counter_appends) {
    enable();
    EXPECT_TRUE(pass(message(own_node, 100)));
    out(ICSR, 0x47);
    EXPECT_TRUE(pass(message(own_node, 60)));
    EXPECT_EQ(input_count(), 160u);
}

TEST_F(CardP1300Input, interrupt_disabled_is_not_noted) {
    enable();
    out(ICSR, 0x07);
    EXPECT_TRUE(pass(message(own_node, 100)));
    EXPECT_EQ(in(ICSR)&0x81, 0x00);
    EXPECT_FALSE(card.irq.level());
}

TEST_F(CardP1300Input, disabling_lowers_the_line_and_enabling_raises_it_again) {
    enable();
    EXPECT_TRUE(pass(message(own_node, 100)));
    out(ICSR, 0x06);
    EXPECT_FALSE(card.irq.level());
    out(ICSR, 0x46);
    EXPECT_TRUE(card.irq.level());
}

TEST_F(CardP1300Input, parity_and_format_errors_end_the_arming_and_interrupt) {
    enable();
    EXPECT_TRUE(pass(message(own_node, 100), true, false));
    EXPECT_EQ(in(ICSR)&0x99, 0x90);
    out(ICSR, 0xC7);
    input_count(0);
    EXPECT_TRUE(pass(message(own_node, 100), false, true));
    EXPECT_EQ(in(ICSR)&0x99, 0x88);
}

TEST_F(CardP1300Input, message_beyond_the_counter_s_room_overruns) {
    enable();
    input_count(2000);
    EXPECT_FALSE(pass(message(own_node, 48)));
    EXPECT_EQ(in(ICSR)&0xA1, 0xA0);
    EXPECT_EQ(input_count(), 2047u);
    input_count(2000);
    out(ICSR, 0x47);
    EXPECT_EQ(in(ICSR)&0x20, 0x00);
    EXPECT_TRUE(pass(message(own_node, 47)));
}

TEST_F(CardP1300Input, disarming_in_mid_message_refuses_it) {
    enable();
    card.message_started(own_node);
    out(ICSR, 0x46);
    EXPECT_FALSE(card.message_ended({message(own_node, 100)}));
    EXPECT_EQ(input_count(), 0u);
    EXPECT_EQ(card.counters().refused_for(RefusalCause::disarmed), 1u);
}

TEST_F(CardP1300Input, message_that_is_cut_off_by_the_next_leaves_the_receiver_armed) {
    enable();
    card.message_started(own_node);
    EXPECT_TRUE(pass(message(own_node, 100)));
    EXPECT_EQ(input_count(), 100u);
    EXPECT_EQ(card.counters().refused_for(RefusalCause::disarmed), 1u);
}

TEST_F(CardP1300Input, write_without_mode_bits_leaves_the_ring) {
    enable();
    EXPECT_TRUE(ring.relay_closed);
    card.message_started(own_node);
    out(ICSR, 0x41);
    EXPECT_FALSE(ring.relay_closed);
    EXPECT_FALSE(card.message_ended({message(own_node, 100)}));
    EXPECT_FALSE(pass(message(own_node, 100)));
}

TEST_F(CardP1300Input, input_reset_disarms_and_clears_the_status) {
    enable();
    EXPECT_TRUE(pass(message(own_node, 100), true));
    out(ICSR, 0x66);
    EXPECT_EQ(in(ICSR), 0x46);
    EXPECT_FALSE(card.irq.level());
    EXPECT_FALSE(pass(message(own_node, 100)));
}

TEST_F(CardP1300Input, reception_goes_on_while_the_output_buffer_is_filled) {
    enable();
    const Bytes incoming = message(own_node, 500);
    const Bytes outgoing = message(other_node, 600, own_node);
    output_count_minus(600);
    for (std::size_t i = 0; i < 300; ++i) out(OBUF, outgoing[i]);
    EXPECT_TRUE(pass(incoming));
    for (std::size_t i = 300; i < 600; ++i) out(OBUF, outgoing[i]);
    output_count_minus(600);
    out(OCSR, 0x11);
    loop.run();
    ASSERT_EQ(ring.messages.size(), 1u);
    EXPECT_EQ(ring.messages[0], outgoing);
    EXPECT_EQ(input_count(), 500u);
    EXPECT_EQ(read_input(500), incoming);
}

TEST_F(CardP1300Input, reception_goes_on_while_the_own_message_leaves) {
    enable();
    load(message(other_node, 2000));
    out(OCSR, 0x11);
    EXPECT_TRUE(pass(message(own_node, 100)));  // while it waits for the token, and longer
    EXPECT_EQ(in(OCSR)&0x01, 0x01);
    loop.run();
    EXPECT_EQ(in(OCSR)&0x0F, 0x00);
    EXPECT_EQ(input_count(), 100u);
}

TEST_F(CardP1300Input, dma_read_takes_the_bytes_that_ibuf_would_give) {
    enable();
    const Bytes bytes = message(own_node, 100);
    EXPECT_TRUE(pass(bytes));
    input_count(0);
    EXPECT_TRUE(card.dreq.level());
    Bytes read;
    for (int i = 0; i < 100; ++i) read.push_back(card.dma_read(false));
    EXPECT_EQ(read, bytes);
    EXPECT_TRUE(card.dreq.level());  // the board does not stop by itself
}

}  // namespace
}  // namespace lfn::test
