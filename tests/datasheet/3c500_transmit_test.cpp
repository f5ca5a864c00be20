// SPDX-License-Identifier: BSD-3-Clause
// 3C500: transmission, collisions, the reply window.
#include "tests/datasheet/3c500_fixture.hpp"

namespace lfn::test {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

class Card3c500Transmit : public Card3c500 {
protected:
    /// What a driver does after a collision: AUX = 40, GP = start, clear the receive pointer, AUX = 44.
    void restart(std::size_t frame_size) {
        out(0xE, 0x40);
        out16(0x8, static_cast<std::uint16_t>(2048 - frame_size));
        out(0xA, 0);
        out(0xE, 0x44);
    }
};

TEST_F(Card3c500Transmit, sends_what_lies_between_gp_pointer_and_buffer_end) {
    set_up();
    const Bytes frame = frame_to(other, 777);
    send(frame);
    loop.run();
    ASSERT_EQ(wire.frames.size(), 1u);
    EXPECT_EQ(wire.frames[0], frame);
    EXPECT_EQ(in(0x7), 0x08);
}

TEST_F(Card3c500Transmit, leaves_the_gp_pointer_at_2048) {
    set_up();
    send(frame_to(other, 60));
    loop.run();
    EXPECT_EQ(in16(0x8), 0x0800);
}

TEST_F(Card3c500Transmit, is_busy_from_taking_the_buffer_to_the_last_bit) {
    set_up();
    EXPECT_EQ(in(0xE) & 0x80, 0x80);
    send(frame_to(other, 60));
    loop.run_for(nanoseconds(57'599));  // (8 + 60 + 4) x 0.8 us less 1 ns
    EXPECT_EQ(in(0xE) & 0x80, 0x80);
    EXPECT_EQ(in(0x7), 0x00);
    loop.run_for(nanoseconds(1));
    EXPECT_EQ(in(0xE) & 0x80, 0x00);
    EXPECT_EQ(in(0x7), 0x08);
    EXPECT_EQ(in(0xE) & 0x0C, 0x04);
}

TEST_F(Card3c500Transmit, raises_the_interrupt_that_the_command_asks_for) {
    set_up();
    out(0x7, 0x08);
    send(frame_to(other, 60));
    EXPECT_FALSE(card.irq.level());
    loop.run();
    EXPECT_TRUE(card.irq.level());
    EXPECT_EQ(in(0x7), 0x08);
    EXPECT_FALSE(card.irq.level());
    EXPECT_EQ(in(0x7), 0x08);  // the bits stay
}

TEST_F(Card3c500Transmit, raises_no_interrupt_for_an_outcome_that_is_not_enabled) {
    set_up();
    out(0x7, 0x07);
    send(frame_to(other, 60));
    loop.run();
    EXPECT_EQ(card.irq.rises(), 0u);
}

TEST_F(Card3c500Transmit, interrupt_needs_ride_or_ire) {
    set_up();
    load(frame_to(other, 60));
    out(0xE, 0x04);
    loop.run();
    EXPECT_FALSE(card.irq.level());
    out(0xE, 0x44);
    EXPECT_TRUE(card.irq.level());
    out(0xE, 0x05);
    EXPECT_TRUE(card.irq.level());
    out(0xE, 0x04);
    EXPECT_FALSE(card.irq.level());
}

TEST_F(Card3c500Transmit, second_44_without_40_sends_nothing) {
    set_up();
    send(frame_to(other, 60));
    loop.run();
    out16(0x8, 2048 - 60);
    out(0xE, 0x44);
    loop.run();
    EXPECT_EQ(wire.frames.size(), 1u);
}

TEST_F(Card3c500Transmit, 48_and_44_without_40_sends_nothing) {
    set_up();
    send(frame_to(other, 60));
    loop.run();
    out(0xE, 0x48);
    out16(0x8, 2048 - 60);
    out(0xE, 0x44);
    loop.run();
    EXPECT_EQ(wire.frames.size(), 1u);
}

TEST_F(Card3c500Transmit, collision_is_reported_and_not_repeated_by_the_card) {
    set_up();
    wire.collide(1);
    send(frame_to(other, 60));
    loop.run();
    EXPECT_EQ(in(0x7), 0x02);
    EXPECT_EQ(in(0xE) & 0x80, 0x00);
    EXPECT_EQ(wire.frames.size(), 1u);
}

TEST_F(Card3c500Transmit, collided_frame_is_still_in_the_buffer_and_goes_out_after_a_reload) {
    set_up();
    const Bytes frame = frame_to(other, 100);
    wire.collide(2);
    send(frame);
    loop.run();
    restart(100);
    loop.run();
    EXPECT_EQ(in(0x7), 0x02);
    restart(100);
    loop.run();
    EXPECT_EQ(in(0x7), 0x08);
    ASSERT_EQ(wire.frames.size(), 3u);
    EXPECT_EQ(wire.frames[2], frame);
}

TEST_F(Card3c500Transmit, restart_without_reloading_the_gp_pointer_is_a_giant_and_is_not_sent) {
    set_up();
    wire.collide(1);
    send(frame_to(other, 100));
    loop.run();
    out(0xE, 0x40);
    out(0xE, 0x44);  // GP reads 2048, which addresses byte 0: the frame would be the whole buffer
    loop.run();
    EXPECT_EQ(wire.frames.size(), 1u);
    EXPECT_EQ(in(0x7), 0x00);
    EXPECT_EQ(in(0xE) & 0x80, 0x00);
}

TEST_F(Card3c500Transmit, sixteenth_collision_in_a_row_is_told_apart) {
    set_up();
    wire.collide(16);
    send(frame_to(other, 60));
    for (int attempt = 1; attempt < 16; ++attempt) {
        loop.run();
        ASSERT_EQ(in(0x7), 0x02) << attempt;
        restart(60);
    }
    loop.run();
    EXPECT_EQ(in(0x7) & 0x04, 0x04);
    EXPECT_EQ(wire.frames.size(), 16u);
}

TEST_F(Card3c500Transmit, back_off_is_a_whole_number_of_slots_below_two_to_the_attempts) {
    set_up();
    wire.collide(15);
    send(frame_to(other, 60));
    for (int attempt = 1; attempt < 16; ++attempt) {
        loop.run();
        const Time collided = loop.now();
        restart(60);
        loop.run();
        const nanoseconds wait = wire.begun_at.back() - collided;
        EXPECT_EQ(wait.count() % 51'200, 0) << attempt;
        EXPECT_LT(wait.count() / 51'200, 1 << std::min(attempt, 10)) << attempt;
    }
}

TEST_F(Card3c500Transmit, back_off_that_has_passed_during_the_restart_is_not_waited_for_again) {
    set_up();
    wire.collide(1);
    send(frame_to(other, 60));
    loop.run();
    loop.run_for(microseconds(2 * 52));
    const Time restarted = loop.now();
    restart(60);
    EXPECT_EQ(wire.begun_at.back(), restarted);
}

TEST_F(Card3c500Transmit, reply_is_received_without_another_command) {
    set_up();
    send(frame_to(other, 300));
    loop.run();
    EXPECT_EQ(in(0xE) & 0x01, 0x01);
    const Bytes reply = frame_to(own, 64, 0x40);
    pass(reply);
    EXPECT_EQ(in(0x6), 0x30);
    EXPECT_EQ(in16(0xA), 64);
    EXPECT_EQ(read_buffer(0, 64), reply);
}

TEST_F(Card3c500Transmit, reply_overwrites_the_sent_frame_from_the_bottom) {
    set_up();
    send(frame_to(other, 1500));
    loop.run();
    pass(frame_to(own, 600, 0x40));
    EXPECT_EQ(read_buffer(0, 600), frame_to(own, 600, 0x40));
    EXPECT_EQ(read_buffer(600, 1448), [] {
        const Bytes sent = frame_to(other, 1500);
        return Bytes(sent.begin() + 52, sent.end());
    }());
}

TEST_F(Card3c500Transmit, switching_to_48_keeps_a_reply) {
    set_up();
    send(frame_to(other, 60));
    loop.run();
    pass(frame_to(own, 90, 0x40));
    out(0xE, 0x48);
    EXPECT_EQ(in(0xE) & 0x01, 0x00);
    EXPECT_EQ(in16(0xA), 90);
    EXPECT_EQ(in(0x6), 0x30);
    out(0xE, 0x40);
    EXPECT_EQ(read_buffer(0, 90), frame_to(own, 90, 0x40));
}

TEST_F(Card3c500Transmit, switching_to_48_while_a_reply_passes_keeps_it) {
    set_up();
    send(frame_to(other, 60));
    loop.run();
    card.frame_started();
    out(0xE, 0x48);
    card.frame_ended({frame_to(own, 90)});
    EXPECT_EQ(in(0x6), 0x30);
}

TEST_F(Card3c500Transmit, second_frame_in_the_reply_window_is_lost_while_the_first_is_unread) {
    set_up();
    send(frame_to(other, 60));
    loop.run();
    pass(frame_to(own, 90));
    pass(frame_to(own, 120));
    EXPECT_EQ(in16(0xA), 90);
    EXPECT_EQ(card.counters().lost_to(DeafCause::status_unread), 1u);
}

TEST_F(Card3c500Transmit, is_deaf_while_its_own_frame_waits_or_leaves) {
    set_up();
    send(frame_to(other, 1000));
    card.frame_started();
    card.frame_ended({frame_to(own, 60)});
    EXPECT_EQ(card.counters().lost_to(DeafCause::own_transmission), 1u);
    loop.run();
    EXPECT_EQ(in(0x6), 0x80);
}

TEST_F(Card3c500Transmit, host_that_takes_the_buffer_cuts_the_frame_off) {
    set_up();
    send(frame_to(other, 1000));
    out(0xE, 0x40);
    EXPECT_EQ(wire.aborts, 1u);
    loop.run();
    EXPECT_EQ(in(0x7), 0x00);
    EXPECT_EQ(in(0xE) & 0x80, 0x80);
}

TEST_F(Card3c500Transmit, longest_frame_is_1536_bytes) {
    set_up();
    send(Bytes(1536, 0x55));
    loop.run();
    EXPECT_EQ(wire.frames.size(), 1u);
    send(Bytes(1537, 0x55));
    loop.run();
    EXPECT_EQ(wire.frames.size(), 1u);
    EXPECT_EQ(in(0x7), 0x00);
    EXPECT_EQ(in16(0x8), 0x0800);
}

TEST_F(Card3c500Transmit, bad_fcs_is_sent_on_request) {
    set_up();
    load(frame_to(other, 60));
    out(0xE, 0x46);
    EXPECT_TRUE(wire.last_had_bad_fcs);
    loop.run();
    EXPECT_EQ(in(0xE) & 0x02, 0x02);
}

}  // namespace
}  // namespace lfn::test
