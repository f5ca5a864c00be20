// SPDX-License-Identifier: BSD-3-Clause
// RFC 1106 4.2 and 4.3: duplicate acknowledgements, slow start, and what a loss does to the congestion window.
#include "rfc1106_test.hpp"

namespace lfn::test {
namespace {

using Offsets = std::vector<std::uint32_t>;

class DupAcks : public Rfc1106Test {
protected:
    // What ten duplicates send again, with eight segments in flight.
    Offsets ten_duplicates() {
        fly(8);
        for (int i = 0; i < 10; ++i) acks(acked());
        return take_offsets();
    }
};

TEST_F(DupAcks, duplicates_retransmit_nothing_once_nak_is_agreed) {
    agree();
    ASSERT_TRUE(info().nak_agreed);
    const std::uint32_t cwnd = 8 * kMss;
    pcb->cwnd = cwnd;
    EXPECT_EQ(ten_duplicates(), Offsets{});
    EXPECT_EQ(info().cwnd, cwnd);
}

TEST_F(DupAcks, duplicates_retransmit_while_nak_is_not_agreed) {
    settings.nak_mode = LFN_NAK_OFF;
    agree();
    EXPECT_EQ(ten_duplicates(), Offsets{0});
}

TEST_F(DupAcks, duplicates_stop_to_retransmit_once_an_a_is_seen) {
    settings.wire = LFN_WIRE_RFC1106;
    settings.big_window = false;
    answer_syn({});
    says(flag::ack);
    ASSERT_FALSE(info().nak_agreed);
    fly(8);
    names(kFull, 1);
    EXPECT_TRUE(info().nak_agreed);
    EXPECT_EQ(take_offsets(), (Offsets{kFull, 2 * kFull})) << "without C a full segment is four octets more";
    for (int i = 0; i < 10; ++i) acks(0);
    EXPECT_EQ(take_offsets(), Offsets{});
}

TEST_F(DupAcks, on_retransmits_though_nak_is_agreed) {
    settings.dup_acks = LFN_DUP_ACKS_ON;
    agree();
    EXPECT_EQ(ten_duplicates(), Offsets{0});
}

TEST_F(DupAcks, off_retransmits_nothing_without_nak) {
    settings.nak_mode = LFN_NAK_OFF;
    settings.dup_acks = LFN_DUP_ACKS_OFF;
    agree();
    EXPECT_EQ(ten_duplicates(), Offsets{});
}

TEST_F(DupAcks, may_be_switched_while_the_connection_is_up) {
    agree();
    EXPECT_EQ(ten_duplicates(), Offsets{});
    ASSERT_EQ(lfn_tcp_setopt(pcb, LFN_TCP_DUP_ACKS, LFN_DUP_ACKS_ON), ERR_OK);
    for (int i = 0; i < 3; ++i) acks(0);
    EXPECT_EQ(take_offsets(), Offsets{0});
}

class SlowStart : public Rfc1106Test {
protected:
    // How much an acknowledgement of this many segments at once opens the congestion window.
    std::uint32_t opening(std::uint32_t segments) {
        fly(segments);
        const std::uint32_t before = pcb->cwnd = 2 * segments * kFull;
        acks(acked() + segments * kFull);
        return info().cwnd - before;
    }
};

TEST_F(SlowStart, rate_1_opens_by_what_is_acknowledged_two_segments_at_most) {
    agree();
    EXPECT_EQ(opening(1), kFull);
    EXPECT_EQ(opening(4), 2U * kMss);
}

TEST_F(SlowStart, rate_2_opens_by_twice_of_it_without_a_cap) {
    settings.slow_start_rate = 2;
    agree();
    EXPECT_EQ(opening(1), 2U * kFull);
    EXPECT_EQ(opening(8), 16U * kFull);
}

TEST_F(SlowStart, ends_at_ssthresh_whatever_the_rate) {
    settings.slow_start_rate = 2;
    agree();
    pcb->ssthresh = kMss;
    EXPECT_LE(opening(4), kMss);
}

TEST_F(SlowStart, threshold_starts_at_the_send_buffer) {
    settings.send_buffer = 250'000;
    agree();
    EXPECT_EQ(info().ssthresh, 250'000U);
    EXPECT_EQ(pcb->snd_buf, 250'000U);
}

class LossPolicy : public Rfc1106Test {};

TEST_F(LossPolicy, congestion_halves_once_per_round_trip) {
    agree();
    pcb->cwnd = 20 * kMss;
    fly(20);
    names(2 * kFull, 1);
    EXPECT_EQ(info().ssthresh, 10U * kFull);
    EXPECT_EQ(info().cwnd, 10U * kFull);
    names(4 * kFull, 1);
    acks(2 * kFull, a_option(first_data + 6 * kFull, 1));
    EXPECT_EQ(info().naks_honoured, 3U);
    EXPECT_EQ(info().ssthresh, 10U * kFull) << "the same round trip";
    acks(20 * kFull);
    wire.sent.clear();
    pcb->cwnd = 10 * kMss;
    fly(10);
    names(22 * kFull, 1);
    EXPECT_EQ(info().ssthresh, 5U * kFull) << "the next one";
    EXPECT_EQ(info().cwnd, 5U * kFull);
    wire.sent.clear();
}

TEST_F(LossPolicy, congestion_never_goes_below_two_segments) {
    agree();
    fly(1);
    names(0, 1);
    EXPECT_EQ(info().ssthresh, 2U * kMss);
    wire.sent.clear();
}

TEST_F(LossPolicy, refused_and_premature_naks_do_not_count_as_losses) {
    agree();
    pcb->cwnd = 20 * kMss;
    fly(20);
    names(0, 0);
    names(20 * kFull, 1);
    EXPECT_EQ(info().cwnd, 20U * kMss);
}

TEST_F(LossPolicy, noise_keeps_the_window) {
    settings.loss_policy = LFN_LOSS_NOISE;
    agree();
    pcb->cwnd = 20 * kMss;
    const std::uint32_t ssthresh = pcb->ssthresh = 20 * kMss;
    fly(20);
    for (std::uint32_t i = 0; i < 20; i += 2) names(i * kFull, 1);
    EXPECT_EQ(info().naks_honoured, 10U);
    EXPECT_EQ(info().cwnd, 20U * kMss);
    EXPECT_EQ(info().ssthresh, ssthresh);
    wire.sent.clear();
}

// Twenty segments of which the first is lost: each of the others tells of itself, and then all are acknowledged.
TEST_F(LossPolicy, noise_does_not_stop_slow_start_and_what_lies_behind_a_hole_counts_once) {
    settings.loss_policy = LFN_LOSS_NOISE;
    settings.slow_start_rate = 2;
    agree();
    pcb->cwnd = 20 * kMss;
    fly(20);
    names(0, 1);
    for (int i = 0; i < 18; ++i) acks(0);
    EXPECT_EQ(info().cwnd, 20U * kMss + 2 * 18U * kFull) << "all but the one that told of the hole";
    acks(20 * kFull);
    EXPECT_EQ(info().cwnd, 20U * kMss + 2 * 20U * kFull);
    wire.sent.clear();
}

TEST_F(LossPolicy, duplicates_without_end_open_the_window_by_no_more_than_the_flight) {
    settings.loss_policy = LFN_LOSS_NOISE;
    settings.slow_start_rate = 1;
    agree();
    pcb->cwnd = 20 * kMss;
    fly(20);
    names(0, 1);
    for (int i = 0; i < 1000; ++i) acks(0);
    EXPECT_LE(info().cwnd, 20U * kMss + 20U * kFull);
    wire.sent.clear();
}

TEST_F(LossPolicy, under_congestion_what_lies_behind_a_hole_does_not_open_the_window) {
    agree();
    pcb->cwnd = 20 * kMss;
    fly(20);
    names(0, 1);
    const std::uint32_t cwnd = info().cwnd;
    for (int i = 0; i < 18; ++i) acks(0);
    EXPECT_EQ(info().cwnd, cwnd);
    wire.sent.clear();
}

TEST_F(LossPolicy, timeout_under_congestion_halves_what_was_in_flight_and_starts_over) {
    agree();
    pcb->cwnd = 20 * kMss;
    fly(20);
    run_ms(1000);
    EXPECT_EQ(info().rtos, 1U);
    EXPECT_EQ(info().ssthresh, 10U * kMss);
    EXPECT_EQ(info().cwnd, kMss);
    run_ms(2000);
    EXPECT_EQ(info().rtos, 2U);
    EXPECT_EQ(info().ssthresh, 10U * kMss) << "RFC 5681 3.1: only the first timeout of a segment";
    wire.sent.clear();
}

TEST_F(LossPolicy, timeout_under_noise_starts_over_but_slow_start_goes_all_the_way) {
    settings.loss_policy = LFN_LOSS_NOISE;
    agree();
    pcb->cwnd = 20 * kMss;
    pcb->ssthresh = 4 * kMss;
    fly(20);
    run_ms(1000);
    EXPECT_EQ(info().cwnd, kMss);
    EXPECT_EQ(info().ssthresh, 20U * kMss);
    wire.sent.clear();
}

TEST_F(LossPolicy, naks_of_what_a_timeout_has_dealt_with_do_not_halve_again) {
    handshake_ms = 100;
    agree();
    pcb->cwnd = 20 * kMss;
    fly(20);
    run_ms(1000);
    ASSERT_EQ(info().rtos, 1U);
    acks(kFull);
    run_ms(200);
    names(kFull, 1);
    EXPECT_EQ(info().naks_honoured, 1U);
    EXPECT_EQ(info().ssthresh, 10U * kMss);
    wire.sent.clear();
}

}  // namespace
}  // namespace lfn::test
