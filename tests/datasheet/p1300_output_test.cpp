// SPDX-License-Identifier: BSD-3-Clause
// P1300: the originator: negative counts, the token, refused, time-out, ring initialisation.
#include "tests/datasheet/p1300_fixture.hpp"

namespace lfn::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

class CardP1300Output : public CardP1300 {
protected:
    CardP1300Output() { enable(); }
};

TEST_F(CardP1300Output, count_of_minus_length_makes_the_message_end_with_the_buffer) {
    const Bytes bytes = message(other_node, 100, own_node);
    load(bytes);
    EXPECT_EQ(card.state().output_count, 0x800 - 100);
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), card.state().output_buffer.begin() + 0x800 - 100));
    out(OCSR, 0x11);
    loop.run();
    ASSERT_EQ(ring.messages.size(), 1u);
    EXPECT_EQ(ring.messages[0], bytes);
}

TEST_F(CardP1300Output, second_byte_is_replaced_by_the_own_address) {
    load(message(other_node, 100, 0x99));
    out(OCSR, 0x11);
    loop.run();
    EXPECT_EQ(ring.messages.at(0)[1], own_node);
}

TEST_F(CardP1300Output, orig_en_stays_until_the_message_is_back) {
    load(message(other_node, 2046));
    out(OCSR, 0x11);
    EXPECT_EQ(in(OCSR)&0x01, 0x01);
    // 5 us for the token, then 2046 x 8 + 21 bits: 1.64 ms
    loop.run_for(nanoseconds(5'000 + 1'638'899));
    EXPECT_EQ(in(OCSR)&0x01, 0x01);
    loop.run_for(nanoseconds(1));
    EXPECT_EQ(in(OCSR)&0x0F, 0x00);
}

TEST_F(CardP1300Output, counter_has_run_to_zero_and_must_be_loaded_again) {
    load(message(other_node, 100));
    out(OCSR, 0x11);
    loop.run();
    EXPECT_EQ(card.state().output_count, 0u);
    out(OCSR, 0x11);
    loop.run();
    EXPECT_EQ(ring.messages.size(), 1u);
    EXPECT_EQ(in(OCSR)&0x05, 0x04);
}

TEST_F(CardP1300Output, refused_message_is_repeated_without_filling_the_buffer_again) {
    const Bytes bytes = message(other_node, 100, own_node);
    ring.result = {.refused = true};
    load(bytes);
    out(OCSR, 0x11);
    loop.run();
    EXPECT_EQ(in(OCSR)&0x0F, 0x02);
    ring.result = {};
    output_count_minus(100);
    out(OCSR, 0x11);
    EXPECT_EQ(in(OCSR)&0x02, 0x00);
    loop.run();
    EXPECT_EQ(in(OCSR)&0x0F, 0x00);
    ASSERT_EQ(ring.messages.size(), 2u);
    EXPECT_EQ(ring.messages[1], bytes);
}

TEST_F(CardP1300Output, refused_stays_until_the_next_originate_or_reset) {
    ring.result = {.refused = true};
    load(message(other_node, 100));
    out(OCSR, 0x11);
    loop.run();
    out(OCSR, 0x80);
    EXPECT_EQ(in(OCSR)&0x02, 0x02);
    out(OCSR, 0x20);
    EXPECT_EQ(in(OCSR)&0x02, 0x00);
}

TEST_F(CardP1300Output, malformed_return_is_reported) {
    ring.result = {.bad_format = true};
    load(message(other_node, 100));
    out(OCSR, 0x11);
    loop.run();
    EXPECT_EQ(in(OCSR)&0x0F, 0x04);
}

TEST_F(CardP1300Output, no_token_ends_in_outtmo) {
    ring.ok = false;
    load(message(other_node, 100));
    out(OCSR, 0x01);
    loop.run_for(milliseconds(400) - nanoseconds(1));
    EXPECT_EQ(in(OCSR)&0x0F, 0x01);
    loop.run_for(nanoseconds(1));
    EXPECT_EQ(in(OCSR)&0x0F, 0x08);
    EXPECT_EQ(ring.withdrawals, 1u);
    EXPECT_TRUE(ring.messages.empty());
}

TEST_F(CardP1300Output, initring_lets_the_ring_make_a_token) {
    ring.ok = false;
    load(message(other_node, 100));
    out(OCSR, 0x11);
    loop.run();
    EXPECT_EQ(in(OCSR)&0x0F, 0x00);
    EXPECT_EQ(ring.messages.size(), 1u);
}

TEST_F(CardP1300Output, rgnok_reads_ring_not_ok) {
    EXPECT_EQ(in(OCSR)&0x20, 0x00);
    ring.ok = false;
    EXPECT_EQ(in(OCSR)&0x20, 0x20);
}

TEST_F(CardP1300Output, out_of_the_ring_an_originate_times_out) {
    out(ICSR, 0x40);
    load(message(other_node, 100));
    out(OCSR, 0x11);
    loop.run();
    EXPECT_EQ(in(OCSR)&0x0F, 0x08);
    EXPECT_TRUE(ring.messages.empty());
}

TEST_F(CardP1300Output, message_originated_outside_leaves_once_the_station_has_joined) {
    out(ICSR, 0x40);
    load(message(other_node, 100));
    out(OCSR, 0x11);
    loop.run_for(milliseconds(399));
    out(ICSR, 0x47);
    loop.run();
    EXPECT_EQ(in(OCSR)&0x0F, 0x00);
    EXPECT_EQ(ring.messages.size(), 1u);
}

TEST_F(CardP1300Output, interrupt_needs_outinten_and_80_clears_it) {
    load(message(other_node, 100));
    out(OCSR, 0x51);
    loop.run();
    EXPECT_TRUE(card.irq.level());
    EXPECT_EQ(in(OCSR)&0x80, 0x80);
    out(OCSR, 0x80);
    EXPECT_FALSE(card.irq.level());
    EXPECT_EQ(in(OCSR)&0x80, 0x00);
    output_count_minus(100);
    out(OCSR, 0x11);
    loop.run();
    EXPECT_FALSE(card.irq.level());
    EXPECT_EQ(in(OCSR)&0x80, 0x00);
}

TEST_F(CardP1300Output, both_sides_share_one_interrupt_line) {
    load(message(other_node, 100));
    out(OCSR, 0x51);
    EXPECT_TRUE(pass(message(own_node, 100)));
    loop.run();
    EXPECT_EQ(card.irq.rises(), 1u);
    out(ICSR, 0x86);
    EXPECT_TRUE(card.irq.level());
    out(OCSR, 0x80);
    EXPECT_FALSE(card.irq.level());
}

TEST_F(CardP1300Output, clearing_orig_en_takes_back_a_message_that_waits) {
    ring.ok = false;
    load(message(other_node, 100));
    out(OCSR, 0x01);
    out(OCSR, 0x00);
    EXPECT_EQ(in(OCSR)&0x0F, 0x00);
    EXPECT_EQ(loop.pending_events(), 0u);
    EXPECT_EQ(card.counters().withdrawn, 1u);
}

TEST_F(CardP1300Output, clearing_orig_en_does_not_stop_a_message_that_leaves) {
    load(message(other_node, 100));
    out(OCSR, 0x11);
    loop.run_for(ring.token_wait);
    out(OCSR, 0x40);
    EXPECT_EQ(in(OCSR)&0x01, 0x01);
    loop.run();
    EXPECT_EQ(in(OCSR)&0x8F, 0x80);
}

TEST_F(CardP1300Output, output_reset_cuts_off_and_keeps_the_buffer) {
    const Bytes bytes = message(other_node, 100, own_node);
    load(bytes);
    out(OCSR, 0x11);
    loop.run_for(ring.token_wait);
    out(OCSR, 0x20);
    EXPECT_EQ(ring.withdrawals, 1u);
    EXPECT_EQ(in(OCSR)&0x0F, 0x00);
    output_count_minus(100);
    out(OCSR, 0x11);
    loop.run();
    EXPECT_EQ(ring.messages.back(), bytes);
}

TEST_F(CardP1300Output, leaving_the_ring_in_mid_message_ends_it_malformed) {
    load(message(other_node, 100));
    out(OCSR, 0x11);
    loop.run_for(ring.token_wait);
    out(ICSR, 0x00);
    EXPECT_EQ(in(OCSR)&0x0F, 0x04);
}

TEST_F(CardP1300Output, odd_lengths_go_out_as_they_are) {
    // Drivers pad to an even length; nothing on the card does it for them.
    load(message(other_node, 101));
    out(OCSR, 0x11);
    loop.run();
    EXPECT_EQ(ring.messages.at(0).size(), 101u);
}

TEST_F(CardP1300Output, messages_of_2_to_2046_bytes_can_be_sent) {
    for (const std::size_t size : {2u, 2046u, 1u, 2047u}) {
        load(message(other_node, size));
        out(OCSR, 0x11);
        loop.run();
        EXPECT_EQ(in(OCSR)&0x04, size == 2 || size == 2046 ? 0x00 : 0x04) << size;
    }
    EXPECT_EQ(ring.messages.size(), 2u);
}

TEST_F(CardP1300Output, own_message_is_copied_on_its_way_home_if_it_is_for_everybody) {
    load(message(0xFF, 100));
    out(OCSR, 0x11);
    loop.run_for(ring.token_wait);
    EXPECT_TRUE(pass(message(0xFF, 100, own_node)));
    EXPECT_EQ(input_count(), 100u);
}

TEST_F(CardP1300Output, dma_write_fills_the_buffer_and_a_surplus_cycle_does_no_harm) {
    const Bytes bytes = message(other_node, 100, own_node);
    output_count_minus(100);
    for (const std::uint8_t byte : bytes) card.dma_write(byte, false);
    card.dma_write(0xEE, true);
    output_count_minus(100);
    out(OCSR, 0x11);
    loop.run();
    EXPECT_EQ(ring.messages.at(0), bytes);
}

class CardP1300RingOk : public CardP1300 {
protected:
    CardP1300RingOk() : CardP1300(config()) {}
    static NicP1300::Config config() {
        NicP1300::Config config = default_config();
        config.rgnok_means_not_ok = false;
        return config;
    }
};

TEST_F(CardP1300RingOk, polarity_of_rgnok_can_be_turned_round) {
    EXPECT_EQ(in(OCSR)&0x20, 0x20);
    ring.ok = false;
    EXPECT_EQ(in(OCSR)&0x20, 0x00);
}

}  // namespace
}  // namespace lfn::test
