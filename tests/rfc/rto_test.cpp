// SPDX-License-Identifier: BSD-3-Clause
// RFC 6298 to the millisecond, and RFC 1106 4.2's margin.
#include "rfc1106_test.hpp"

namespace lfn::test {
namespace {

class Rto : public Rfc1106Test {
protected:
    // A segment that is in flight now is sent again after exactly this time.
    void expect_timeout_after(std::uint32_t rto_ms) {
        EXPECT_EQ(info().rto_ms, rto_ms);
        const std::uint32_t before = info().rtos;
        run_ms(rto_ms - 1);
        EXPECT_TRUE(wire.sent.empty());
        EXPECT_EQ(info().rtos, before);
        run_ms(1);
        EXPECT_EQ(info().rtos, before + 1);
        EXPECT_EQ(wire.take().payload, stream(acked(), kFull));
        wire.sent.clear();
    }

    // Of the data in `wire.sent`, which is empty afterwards; 2^32 - 1 without any.
    std::uint32_t take_first_offset() {
        const auto offsets = take_offsets();
        return offsets.empty() ? 0xffffffff : offsets.front();
    }

    void round_trip(std::uint32_t rtt_ms) {
        fly(1);
        run_ms(rtt_ms);
        acks(written);
        wire.sent.clear();
    }
};

TEST_F(Rto, timeout_comes_at_the_millisecond_that_rfc_6298_says) {
    handshake_ms = 800;
    agree();
    EXPECT_EQ(info().srtt_ms, 800U);
    fly(1);
    expect_timeout_after(800 + 4 * 400);
}

TEST_F(Rto, second_sample_is_smoothed_in) {
    handshake_ms = 800;
    agree();
    round_trip(1200);
    EXPECT_EQ(info().srtt_ms, 850U);
    fly(1);
    expect_timeout_after(850 + 4 * (300 + 100));
}

TEST_F(Rto, active_side_samples_its_syn) {
    send_connect();
    run_ms(600);
    peer_says_c = true;
    finish_connect(b_option(kBig));
    wire.sent.clear();
    EXPECT_EQ(info().srtt_ms, 600U);
    fly(1);
    expect_timeout_after(600 + 4 * 300);
}

TEST_F(Rto, floor_is_a_second) {
    handshake_ms = 100;
    agree();
    fly(1);
    expect_timeout_after(1000);
}

TEST_F(Rto, margin_is_added) {
    settings.rto_margin_ms = 250;
    handshake_ms = 800;
    agree();
    fly(1);
    expect_timeout_after(800 + 4 * 400 + 250);
}

TEST_F(Rto, each_timeout_doubles_the_next_up_to_a_minute) {
    handshake_ms = 800;
    agree();
    fly(1);
    for (const std::uint32_t rto_ms : {2400U, 4800U, 9600U, 19'200U, 38'400U, 60'000U, 60'000U}) {
        expect_timeout_after(rto_ms);
    }
}

TEST_F(Rto, acknowledgement_ends_the_back_off_and_a_retransmission_is_no_sample) {
    handshake_ms = 800;
    agree();
    fly(1);
    expect_timeout_after(2400);
    expect_timeout_after(4800);
    run_ms(100);
    acks(written);
    EXPECT_EQ(info().srtt_ms, 800U) << "Karn's rule";
    fly(1);
    expect_timeout_after(2400);
}

TEST_F(Rto, after_a_syn_timeout_data_start_with_three_seconds) {
    answer_syn(b_option(kBig));
    run_ms(1000);
    EXPECT_EQ(wire.take().flags, flag::syn | flag::ack);
    peer_says_c = true;
    says(flag::ack);
    EXPECT_EQ(info().srtt_ms, 0U);
    fly(1);
    expect_timeout_after(3000);
}

TEST_F(Rto, after_a_syn_timeout_of_the_active_side_too) {
    send_connect();
    run_ms(1000);
    wire.sent.clear();
    peer_says_c = true;
    finish_connect(b_option(kBig));
    wire.sent.clear();
    fly(1);
    expect_timeout_after(3000);
    EXPECT_EQ(info().ssthresh, 2U * kMss) << "data's first timeout, not the SYN's second";
}

TEST_F(Rto, an_acknowledgement_of_new_data_starts_it_anew) {
    handshake_ms = 800;
    agree();
    fly(2);
    run_ms(2000);
    acks(kFull);
    wire.sent.clear();
    expect_timeout_after(info().rto_ms);
}

TEST_F(Rto, none_comes_without_cause_at_580_plus_minus_20_ms) {
    handshake_ms = 580;
    agree();
    for (std::uint32_t i = 0; i < 200; ++i) round_trip(560 + i * 7 % 41);
    EXPECT_EQ(info().rtos, 0U);
    EXPECT_EQ(info().retransmitted_segments, 0U);
}

TEST_F(Rto, all_that_was_in_flight_goes_out_again_as_the_window_opens) {
    agree();
    fly(4);
    run_ms(1000);
    EXPECT_EQ(take_offsets(), std::vector<std::uint32_t>{0});
    acks(kFull);
    EXPECT_EQ(take_first_offset(), kFull);
    acks(4 * kFull);
    EXPECT_TRUE(take_offsets().empty());
    EXPECT_EQ(info().in_flight, 0U);
    run_ms(60'000);
    EXPECT_TRUE(wire.sent.empty());
}

TEST_F(Rto, driver_that_stays_busy_does_not_stop_it) {
    handshake_ms = 800;
    agree();
    fly(2);
    wire.busy = true;
    run_ms(30'000);
    wire.busy = false;
    run_ms(60'000);
    EXPECT_EQ(take_first_offset(), 0U);
}

TEST_F(Rto, window_that_closed_before_a_timeout_and_opened_after_it_leaves_the_timer_running) {
    agree();
    fly(3);
    peer_window = 0;
    acks(kFull);
    run_ms(30'000);
    wire.sent.clear();
    peer_window = kBig;
    acks(kFull);
    EXPECT_EQ(take_first_offset(), kFull);  // and it is lost
    run_ms(60'000);
    EXPECT_EQ(take_first_offset(), kFull);
}

TEST_F(Rto, everything_acknowledged_under_a_closed_window_after_a_timeout_ends_the_probing) {
    agree();
    fly(3);
    peer_window = 0;
    acks(kFull);
    run_ms(1500);
    acks(3 * kFull);
    run_ms(60'000);
    ASSERT_NE(pcb, nullptr);
    EXPECT_EQ(info().in_flight, 0U);
    wire.sent.clear();
}

TEST_F(Rto, a_connection_that_is_never_answered_ends) {
    agree();
    fly(1);
    run_ms(1'000'000);
    EXPECT_EQ(pcb, nullptr);
    EXPECT_EQ(user.error, ERR_ABRT);
    wire.sent.clear();
}

}  // namespace
}  // namespace lfn::test
