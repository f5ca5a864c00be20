// SPDX-License-Identifier: BSD-3-Clause
// RFC 8985 7: a tail of which nothing is heard is probed before a timeout gives up everything that is in flight.
#include "rfc1106_test.hpp"

namespace lfn::test {
namespace {

using Offsets = std::vector<std::uint32_t>;

class TailProbe : public Rfc1106Test {
protected:
    static constexpr std::uint32_t kRtt = 400;
    static constexpr std::uint32_t kTimeout = 1200;          // 400 + 4 x 200
    static constexpr std::uint32_t kProbe = 2 * kRtt + 250;  // two round trips and a delayed acknowledgement

    TailProbe() {
        settings.tail_probe = true;
        handshake_ms = kRtt;
    }
    void expect_probe() {
        run_ms(kProbe - 1);
        EXPECT_TRUE(wire.sent.empty());
        run_ms(1);
        EXPECT_EQ(take_offsets(), Offsets{3 * kFull});
        EXPECT_EQ(info().probes, 1U);
        EXPECT_EQ(info().rtos, 0U);
    }
};

TEST_F(TailProbe, is_off_by_default) {
    settings.tail_probe = false;
    agree();
    fly(4);
    run_ms(kTimeout - 1);
    EXPECT_TRUE(wire.sent.empty());
    run_ms(1);
    EXPECT_EQ(take_offsets(), Offsets{0});
    EXPECT_EQ(info().rtos, 1U);
    EXPECT_EQ(info().probes, 0U);
}

TEST_F(TailProbe, sends_the_last_segment_ahead_of_the_timeout_and_keeps_the_window) {
    agree();
    fly(4);
    const std::uint32_t cwnd = info().cwnd;
    expect_probe();
    EXPECT_EQ(info().cwnd, cwnd);
}

TEST_F(TailProbe, what_the_peer_then_names_completes_the_tail_without_a_timeout) {
    settings.loss_policy = LFN_LOSS_NOISE;
    agree();
    fly(4);
    expect_probe();
    run_ms(kRtt);
    wire.sent.clear();  // the probe's spare copy
    names(0, 3);
    EXPECT_EQ(take_offsets(), (Offsets{0, kFull, 2 * kFull}));
    run_ms(kRtt);
    acks(4 * kFull);
    EXPECT_EQ(info().rtos, 0U);
    EXPECT_EQ(info().in_flight, 0U);
    wire.sent.clear();  // spare copies
}

TEST_F(TailProbe, a_timeout_follows_when_the_probe_is_not_answered) {
    agree();
    fly(4);
    expect_probe();
    run_ms(kTimeout - 1);
    EXPECT_TRUE(wire.sent.empty()) << "one probe, then patience";
    run_ms(1);
    EXPECT_EQ(take_offsets(), Offsets{0});
    EXPECT_EQ(info().rtos, 1U);
    run_ms(2 * kTimeout);
    EXPECT_EQ(take_offsets(), Offsets{0});
    EXPECT_EQ(info().probes, 1U) << "none while timeouts back off";
}

TEST_F(TailProbe, is_ready_again_after_an_acknowledgement) {
    agree();
    fly(4);
    expect_probe();
    run_ms(kRtt);
    acks(4 * kFull);
    wire.sent.clear();
    fly(2);
    run_ms(2 * info().srtt_ms + 250);
    EXPECT_EQ(take_offsets(), Offsets{5 * kFull});
    EXPECT_EQ(info().probes, 2U);
}

TEST_F(TailProbe, an_answer_that_took_a_round_trip_was_a_loss_and_counts_as_congestion) {
    agree();
    fly(4);
    expect_probe();
    run_ms(kRtt);
    acks(4 * kFull);
    EXPECT_EQ(info().window_reductions, 1U);
}

TEST_F(TailProbe, an_answer_that_took_less_was_to_what_came_before_it) {
    agree();
    fly(4);
    expect_probe();
    run_ms(kRtt / 2);
    acks(4 * kFull);
    EXPECT_EQ(info().window_reductions, 0U);
}

TEST_F(TailProbe, waits_for_a_busy_driver_without_losing_the_timeout) {
    agree();
    fly(4);
    wire.busy = true;
    run_ms(kProbe);
    wire.busy = false;
    lfn_tcp_output_ready();
    EXPECT_EQ(take_offsets(), Offsets{3 * kFull});
    run_ms(kTimeout);
    EXPECT_EQ(info().rtos, 1U);
    wire.sent.clear();
}

TEST_F(TailProbe, is_not_put_off_by_what_is_heard_of_earlier_segments) {
    settings.loss_policy = LFN_LOSS_NOISE;
    agree();
    fly(4);
    run_ms(kRtt);
    names(0, 1);
    run_ms(kRtt / 2);
    EXPECT_EQ(take_offsets(), (Offsets{0, 0}));
    run_ms(kProbe - kRtt * 3 / 2 - 1);
    EXPECT_TRUE(wire.sent.empty());
    run_ms(1);
    EXPECT_EQ(take_offsets(), Offsets{3 * kFull});
    EXPECT_EQ(info().probes, 1U);
    EXPECT_EQ(info().rtos, 0U);
}

// On a path whose losses are noise the end of what there is to send goes out with spare copies.
class SpareCopies : public TailProbe {
protected:
    static constexpr std::uint32_t kGap = kRtt / 32 + 1;

    SpareCopies() { settings.loss_policy = LFN_LOSS_NOISE; }
    void expect_no_copy() {
        run_ms(kRtt / 2);
        EXPECT_EQ(take_offsets(), Offsets{});
    }
};

TEST_F(SpareCopies, what_is_named_while_nothing_new_waits_goes_out_twice) {
    agree();
    fly(4);
    names(0, 2);
    EXPECT_EQ(take_offsets(), (Offsets{0, kFull}));
    run_ms(kGap - 1);
    EXPECT_TRUE(wire.sent.empty());
    run_ms(1);
    EXPECT_EQ(take_offsets(), (Offsets{0, kFull}));
    expect_no_copy();
}

TEST_F(SpareCopies, none_while_new_data_wait_for_the_window) {
    peer_window = 4 * kFull;
    agree();
    fly(4);
    write(kFull);
    names(1 * kFull, 1);
    EXPECT_EQ(take_offsets(), Offsets{kFull});
    expect_no_copy();
}

TEST_F(SpareCopies, none_where_a_loss_may_be_congestion) {
    settings.loss_policy = LFN_LOSS_CONGESTION;
    agree();
    fly(4);
    names(0, 1);
    EXPECT_EQ(take_offsets(), Offsets{0});
    expect_no_copy();
}

TEST_F(SpareCopies, none_of_what_has_been_acknowledged_meanwhile) {
    agree();
    fly(4);
    names(0, 2);
    EXPECT_EQ(take_offsets(), (Offsets{0, kFull}));
    acks(kFull);
    run_ms(kGap);
    EXPECT_EQ(take_offsets(), Offsets{kFull});
    acks(4 * kFull);
    expect_no_copy();
}

TEST_F(SpareCopies, wait_until_the_driver_has_taken_the_first_copies) {
    agree();
    fly(4);
    wire.busy = true;
    names(0, 1);
    run_ms(10 * kGap);
    wire.busy = false;
    lfn_tcp_output_ready();
    EXPECT_EQ(take_offsets(), Offsets{0});
    run_ms(2 * kGap);
    EXPECT_EQ(take_offsets(), Offsets{0});
    expect_no_copy();
}

TEST_F(SpareCopies, of_a_connection_s_last_segment_go_out_unasked) {
    agree();
    fly(4);
    ASSERT_EQ(tcp_shutdown(pcb, 0, 1), ERR_OK);
    EXPECT_EQ(take_all().size(), 1U);
    run_ms(kGap);
    const std::vector<Segment> copies = take_all();
    ASSERT_EQ(copies.size(), 1U);
    EXPECT_NE(copies[0].flags & flag::fin, 0);
    expect_no_copy();
}

// The loss policy `auto`, by the round trip at which a loss happened.
class AutoPolicy : public Rfc1106Test {
protected:
    static constexpr std::uint32_t kFloor = 100;
    static constexpr std::uint32_t kFullQueue = 200;

    AutoPolicy() {
        settings.loss_policy = LFN_LOSS_AUTO;
        handshake_ms = kFloor;
    }
    // The queue has been seen full, and then empty for some round trips.
    void see_the_queue() {
        agree();
        for (const std::uint32_t rtt_ms : {kFullQueue, kFloor, kFloor, kFloor}) {
            fly(1);
            run_ms(rtt_ms);
            acks(written);
        }
        wire.sent.clear();
    }
    // Twenty segments fly, and after this time the peer names the first.
    void lose_after(std::uint32_t rtt_ms) {
        pcb->cwnd = 20 * kMss;
        fly(20);
        run_ms(rtt_ms);
        names(kBegun, 1);
        EXPECT_EQ(take_offsets(), Offsets{kBegun});
    }
    static constexpr std::uint32_t kBegun = 4 * kFull;  // what see_the_queue() sent
};

TEST_F(AutoPolicy, a_loss_at_a_full_queue_closes_the_window_by_as_much_as_empties_it) {
    see_the_queue();
    lose_after(170);
    EXPECT_EQ(info().window_reductions, 1U);
    EXPECT_EQ(info().cwnd, 20U * kFull * kFloor / 170 / 8 * 7);
}

TEST_F(AutoPolicy, a_loss_at_an_empty_queue_leaves_the_window) {
    see_the_queue();
    lose_after(kFloor + 5);
    EXPECT_EQ(info().window_reductions, 0U);
    EXPECT_EQ(info().cwnd, 20U * kMss);
}

TEST_F(AutoPolicy, once_per_round_trip) {
    see_the_queue();
    lose_after(170);
    const std::uint32_t cwnd = info().cwnd;
    names(kBegun + 4 * kFull, 1);
    EXPECT_EQ(info().cwnd, cwnd);
    wire.sent.clear();
}

// What was named arrives sooner than what goes out for it could: it was late, not lost.
TEST_F(AutoPolicy, a_reduction_for_a_segment_that_was_only_late_is_taken_back) {
    see_the_queue();
    lose_after(170);
    ASSERT_EQ(info().window_reductions, 1U);
    run_ms(kFloor / 2);
    acks(kBegun + 20 * kFull);
    EXPECT_EQ(info().window_reductions, 0U);
    EXPECT_GE(info().cwnd, 20U * kMss);
}

TEST_F(AutoPolicy, a_reduction_for_a_segment_that_was_lost_stays) {
    see_the_queue();
    lose_after(170);
    run_ms(kFloor);
    acks(kBegun + 20 * kFull);
    EXPECT_EQ(info().window_reductions, 1U);
    EXPECT_LT(info().cwnd, 20U * kMss);
}

}  // namespace
}  // namespace lfn::test
