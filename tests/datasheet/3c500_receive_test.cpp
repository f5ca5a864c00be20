// SPDX-License-Identifier: BSD-3-Clause
// 3C500: reception, the stale handshake, the half-duplex truth table, loopback.
#include "tests/datasheet/3c500_fixture.hpp"

namespace lfn::test {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

class Card3c500Receive : public Card3c500 {};

TEST_F(Card3c500Receive, good_frame_lies_at_the_bottom_and_the_pointer_is_its_length) {
    listen();
    const Bytes frame = frame_to(own, 1514);
    pass(frame);
    EXPECT_EQ(in(0x6), 0x30);
    EXPECT_EQ(in16(0xA), 1514);  // the FCS is not counted
    out(0xE, 0x40);
    EXPECT_EQ(read_buffer(0, 1514), frame);
}

TEST_F(Card3c500Receive, receive_busy_falls_and_the_interrupt_rises_at_the_end_of_the_frame) {
    listen();
    EXPECT_EQ(in(0xE), 0xC9);
    card.frame_started();
    EXPECT_EQ(in(0xE) & 0x01, 0x01);
    EXPECT_FALSE(card.irq.level());
    card.frame_ended({frame_to(own, 60)});
    EXPECT_EQ(in(0xE) & 0x01, 0x00);
    EXPECT_TRUE(card.irq.level());
    in(0x6);
    EXPECT_FALSE(card.irq.level());
}

TEST_F(Card3c500Receive, unread_status_blocks_the_next_frame) {
    listen();
    pass(frame_to(own, 60));
    pass(frame_to(own, 90));
    EXPECT_EQ(in16(0xA), 60);
    EXPECT_EQ(card.counters().lost_to(DeafCause::status_unread), 1u);
}

TEST_F(Card3c500Receive, reading_the_status_lets_the_next_frame_in_behind_the_first) {
    listen();
    pass(frame_to(own, 60));
    in(0x6);
    pass(frame_to(own, 90));
    EXPECT_EQ(in16(0xA), 150);
    EXPECT_EQ(in(0x6), 0x30);
}

TEST_F(Card3c500Receive, frame_that_began_while_the_status_was_unread_stays_lost) {
    listen();
    pass(frame_to(own, 60));
    card.frame_started();
    in(0x6);
    card.frame_ended({frame_to(own, 90)});
    EXPECT_EQ(in16(0xA), 60);
    EXPECT_EQ(in(0x6) & 0x80, 0x80);
}

TEST_F(Card3c500Receive, host_owned_buffer_loses_frames_without_a_trace) {
    set_up();
    pass(frame_to(own, 60));
    EXPECT_EQ(in(0x6), 0x80);
    EXPECT_EQ(in16(0xA), 0);
    EXPECT_EQ(card.irq.rises(), 0u);
    EXPECT_EQ(card.counters().lost_to(DeafCause::host_owns_buffer), 1u);
}

TEST_F(Card3c500Receive, taking_the_buffer_in_mid_frame_loses_the_frame) {
    listen();
    card.frame_started();
    out(0xE, 0x40);
    out(0xE, 0x48);
    card.frame_ended({frame_to(own, 60)});
    EXPECT_EQ(in(0x6), 0x80);
    EXPECT_EQ(card.counters().lost_to(DeafCause::taken_over), 1u);
}

TEST_F(Card3c500Receive, frame_that_began_before_the_receiver_was_on_is_not_captured) {
    set_up();
    card.frame_started();
    out(0xE, 0x48);
    loop.run_for(microseconds(20));
    card.frame_ended({frame_to(own, 60)});
    EXPECT_EQ(in(0x6), 0x80);
    pass(frame_to(own, 60));
    EXPECT_EQ(in(0x6), 0x30);
}

TEST_F(Card3c500Receive, preamble_within_the_re_arm_latency_is_missed) {
    set_up();
    out(0xE, 0x48);
    loop.run_for(nanoseconds(9'999));
    pass(frame_to(own, 60));
    EXPECT_EQ(card.counters().lost_to(DeafCause::rearming), 1u);
    out(0xE, 0x40);
    out(0xE, 0x48);
    loop.run_for(nanoseconds(10'000));
    pass(frame_to(own, 60));
    EXPECT_EQ(in(0x6), 0x30);
}

TEST_F(Card3c500Receive, address_mode_00_hears_nothing) {
    listen(0x3F);
    pass(frame_to(own, 60));
    pass(frame_to(everybody, 60));
    EXPECT_EQ(in(0x6), 0x80);
    EXPECT_EQ(card.counters().lost_to(DeafCause::receiver_off), 2u);
}

TEST_F(Card3c500Receive, address_modes_accept_what_they_say) {
    struct Case {
        std::uint8_t command;
        bool accepts_own, accepts_other, accepts_everybody, accepts_group;
    };
    for (const Case& mode : {Case{0x60, true, true, true, true},      // promiscuous
                             Case{0xA0, true, false, true, false},    // station and broadcast
                             Case{0xE0, true, false, true, true}}) {  // station and multicast
        const auto accepts = [&](const EthernetAddress& destination) {
            listen(mode.command);
            pass(frame_to(destination, 60));
            return (in(0x6) & 0x80) == 0;
        };
        EXPECT_EQ(accepts(own), mode.accepts_own) << int{mode.command};
        EXPECT_EQ(accepts(other), mode.accepts_other) << int{mode.command};
        EXPECT_EQ(accepts(everybody), mode.accepts_everybody) << int{mode.command};
        EXPECT_EQ(accepts(group), mode.accepts_group) << int{mode.command};
    }
}

TEST_F(Card3c500Receive, filtered_frame_does_not_touch_the_buffer) {
    listen();
    const auto before = card.state().buffer;
    pass(frame_to(other, 500, 0x33));
    EXPECT_EQ(card.state().buffer, before);
    EXPECT_EQ(in16(0xA), 0);
}

TEST_F(Card3c500Receive, fewer_than_60_bytes_are_short) {
    listen();
    pass(frame_to(own, 59));
    EXPECT_EQ(in(0x6), 0x18);
    listen();
    pass(frame_to(own, 60));
    EXPECT_EQ(in(0x6), 0x30);
}

TEST_F(Card3c500Receive, fragment_without_a_whole_address_matches_nobody) {
    listen(0x7F);
    pass(frame_to(own, 5), true);
    EXPECT_EQ(in(0x6), 0x80);
}

TEST_F(Card3c500Receive, fcs_and_dribble_errors_are_reported_if_enabled) {
    listen(0x86);
    pass(frame_to(own, 60), true);
    EXPECT_EQ(in(0x6), 0x12);
    pass(frame_to(own, 60), false, true);
    EXPECT_EQ(in(0x6), 0x14);
}

TEST_F(Card3c500Receive, fcs_error_that_is_not_enabled_signals_nothing_and_the_receiver_goes_on) {
    listen(0xAD);
    pass(frame_to(own, 600), true);
    EXPECT_EQ(in(0x6) & 0x80, 0x80);
    EXPECT_EQ(card.irq.rises(), 0u);
    EXPECT_EQ(in(0xE) & 0x01, 0x01);
    pass(frame_to(own, 60));
    EXPECT_EQ(in(0x6), 0x30);
    EXPECT_EQ(in16(0xA), 60);
}

TEST_F(Card3c500Receive, end_of_frame_condition_reports_errors_but_no_overflow) {
    listen(0x90);
    pass(frame_to(own, 60), true);
    EXPECT_EQ(in(0x6), 0x12);
    pass(frame_to(own, 2000));
    EXPECT_EQ(in(0x6) & 0x80, 0x80);
}

TEST_F(Card3c500Receive, overflow_fills_the_buffer_to_its_end_and_no_further) {
    listen(0x81);
    const Bytes frame = frame_to(own, 2049);
    pass(frame);
    EXPECT_EQ(in(0x6), 0x01);
    EXPECT_EQ(in16(0xA), 2048);
    EXPECT_EQ(read_buffer(0, 2048), Bytes(frame.begin(), frame.end() - 1));
}

TEST_F(Card3c500Receive, pointer_that_was_not_cleared_makes_a_small_frame_overflow) {
    listen();
    pass(frame_to(own, 1500));
    in(0x6);
    pass(frame_to(own, 600));
    EXPECT_EQ(in(0x6), 0x01);
}

class Card3c500KeepsUnreported : public Card3c500 {
protected:
    Card3c500KeepsUnreported() : Card3c500(config()) {}
    static Nic3c500::Config config() {
        Nic3c500::Config config = default_config();
        config.discard_unreported = false;
        return config;
    }
};

TEST_F(Card3c500KeepsUnreported, pointer_is_not_rewound_behind_an_unreported_frame) {
    listen(0xAD);
    pass(frame_to(own, 600), true);
    EXPECT_EQ(in16(0xA), 600);
    pass(frame_to(own, 60));
    EXPECT_EQ(in16(0xA), 660);
}

TEST_F(Card3c500Receive, loopback_receives_its_own_frame_and_nothing_reaches_the_cable) {
    set_up();
    const Bytes frame = frame_to(own, 100);
    load(frame);
    out(0xE, 0x4C);
    EXPECT_EQ(in(0xE) & 0x81, 0x81);
    loop.run();
    EXPECT_TRUE(wire.frames.empty());
    EXPECT_EQ(in(0x7), 0x08);
    EXPECT_EQ(in(0x6), 0x30);
    EXPECT_EQ(in16(0xA), 100);
    EXPECT_EQ(in(0xE) & 0x81, 0x00);
    out(0xE, 0x40);
    EXPECT_EQ(read_buffer(0, 100), frame);
}

TEST_F(Card3c500Receive, loopback_of_a_frame_that_overlaps_itself_is_whole) {
    set_up();
    const Bytes frame = frame_to(own, 1500);
    load(frame);
    out(0xE, 0x4C);
    loop.run();
    EXPECT_EQ(read_buffer(0, 1500), frame);
}

TEST_F(Card3c500Receive, loopback_shows_the_errors_that_were_asked_for) {
    set_up(0x8F);
    load(frame_to(own, 30));
    out(0xE, 0x4E);
    loop.run();
    EXPECT_EQ(in(0x6), 0x1A);  // short, bad FCS, no overflow
}

TEST_F(Card3c500Receive, loopback_does_not_hear_the_cable) {
    set_up();
    load(frame_to(own, 100));
    out(0xE, 0x4C);
    pass(frame_to(own, 60));
    EXPECT_EQ(card.counters().lost_to(DeafCause::loopback), 1u);
}

}  // namespace
}  // namespace lfn::test
