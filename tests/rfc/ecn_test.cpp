// SPDX-License-Identifier: BSD-3-Clause
// RFC 3168 6.1.2 to 6.1.6: what may be marked, how marks are told, and what they do to the window.
#include "ecn_test.hpp"

namespace lfn::test {
namespace {

class Ecn : public EcnTest {
protected:
    // Segments in flight, and a window that holds just them.
    void fill(std::uint32_t segments) {
        pcb->cwnd = segments * kMss;
        fly(segments);
    }
};

TEST_F(Ecn, only_data_that_goes_out_first_is_marked_as_ecn_capable) {
    agree_on_ecn();
    pcb->cwnd = 8 * kMss;
    for (int i = 0; i < 4; ++i) write(kFull);
    for (const Segment& data : take_all()) EXPECT_EQ(codepoint(data), LFN_ECN_ECT0) << data;
    names(kFull, 2);
    const std::vector<Segment> resent = take_all();
    ASSERT_EQ(resent.size(), 2U);
    for (const Segment& data : resent) EXPECT_EQ(codepoint(data), LFN_ECN_NOT_ECT) << "named: " << data;
    run_ms(1500);
    for (const Segment& data : take_all()) EXPECT_EQ(codepoint(data), LFN_ECN_NOT_ECT) << "timeout: " << data;
}

TEST_F(Ecn, acknowledgements_and_fin_are_not_capable) {
    agree_on_ecn();
    const std::vector<Segment> acknowledgements = peer_sends_data(LFN_ECN_ECT0);
    ASSERT_FALSE(acknowledgements.empty());
    for (const Segment& ack : acknowledgements) EXPECT_EQ(codepoint(ack), LFN_ECN_NOT_ECT) << ack;
    tcp_shutdown(pcb, 0, 1);
    const Segment fin = wire.take();
    ASSERT_TRUE(fin.has(flag::fin));
    EXPECT_EQ(codepoint(fin), LFN_ECN_NOT_ECT);
}

TEST_F(Ecn, probes_of_a_closed_window_are_not_capable) {
    agree_on_ecn();
    fly(1);
    peer_window = 0;
    acks(kFull);
    write(kFull);
    run_ms(10'000);
    const std::vector<Segment> probes = take_all();
    ASSERT_FALSE(probes.empty());
    for (const Segment& probe : probes) {
        EXPECT_EQ(probe.payload.size(), 1U);
        EXPECT_EQ(codepoint(probe), LFN_ECN_NOT_ECT) << probe;
    }
}

TEST_F(Ecn, probe_of_the_tail_is_not_capable) {
    settings.tail_probe = true;
    handshake_ms = 100;
    agree_on_ecn();
    fly(2);
    acks(kFull);
    wire.sent.clear();
    run_ms(700);
    ASSERT_EQ(info().probes, 1U);
    EXPECT_EQ(codepoint(wire.take()), LFN_ECN_NOT_ECT);
    wire.sent.clear();
}

TEST_F(Ecn, segment_that_a_busy_driver_refused_is_still_new) {
    agree_on_ecn();
    wire.busy = true;
    write(kFull);
    wire.busy = false;
    lfn_tcp_output_ready();
    EXPECT_EQ(codepoint(wire.take()), LFN_ECN_ECT0);
}

TEST_F(Ecn, rest_of_the_type_of_service_is_the_applications) {
    agree_on_ecn();
    pcb->tos = 0xb8;  // expedited forwarding
    write(kFull);
    EXPECT_EQ(wire.take().tos, 0xb8 | LFN_ECN_ECT0);
    acks(kFull);
    EXPECT_EQ(peer_sends_data(0).back().tos, 0xb8);
}

TEST_F(Ecn, mark_is_echoed_in_every_acknowledgement_until_cwr) {
    agree_on_ecn();
    EXPECT_FALSE(echoes(peer_sends_data(LFN_ECN_ECT0)));
    EXPECT_TRUE(echoes(peer_sends_data(LFN_ECN_CE)));
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(echoes(peer_sends_data(LFN_ECN_ECT0))) << i;
    write(kFull);
    EXPECT_TRUE(wire.take().has(flag::ece)) << "in data too";
    EXPECT_FALSE(echoes(peer_sends_data(LFN_ECN_ECT0, flag::cwr)));
    EXPECT_FALSE(echoes(peer_sends_data(LFN_ECN_ECT0)));
    EXPECT_EQ(info().ecn_marks, 1U);
}

TEST_F(Ecn, mark_on_the_cwr_itself_is_echoed_too) {
    agree_on_ecn();
    EXPECT_TRUE(echoes(peer_sends_data(LFN_ECN_CE)));
    EXPECT_TRUE(echoes(peer_sends_data(LFN_ECN_CE, flag::cwr)));
    EXPECT_FALSE(echoes(peer_sends_data(LFN_ECN_ECT0, flag::cwr)));
}

TEST_F(Ecn, marks_on_what_is_no_data_or_no_new_data_are_not_echoed) {
    agree_on_ecn();
    Segment ack = peer.segment(flag::ack, c_of(peer_window));
    ack.tos = LFN_ECN_CE;
    wire.inject(ack);
    EXPECT_FALSE(echoes(peer_sends_data(LFN_ECN_ECT0)));
    Segment old = peer.segment(flag::ack | flag::psh, c_of(peer_window), stream(0, 100));
    old.seq -= 100;
    old.tos = LFN_ECN_CE;
    wire.inject(old);
    EXPECT_FALSE(echoes(take_all()));
    EXPECT_EQ(info().ecn_marks, 0U);
}

TEST_F(Ecn, mark_on_data_behind_a_hole_is_echoed) {
    agree_on_ecn();
    Segment data = peer.segment(flag::ack | flag::psh, c_of(peer_window), stream(100, 100));
    data.seq += 100;
    data.tos = LFN_ECN_CE;
    wire.inject(data);
    EXPECT_TRUE(echoes(take_all()));
}

TEST_F(Ecn, echo_halves_the_window_once_in_a_round_trip) {
    agree_on_ecn();
    fill(20);
    tells_of_marks(kFull);
    EXPECT_EQ(info().cwnd, 19U * kFull / 2);
    EXPECT_EQ(info().ssthresh, 19U * kFull / 2);
    for (std::uint32_t i = 2; i <= 20; ++i) tells_of_marks(i * kFull);
    EXPECT_EQ(info().ecn_reductions, 1U) << "up to what was in flight when the window came down, and with it";
    EXPECT_EQ(info().ecn_echoes, 20U);
    EXPECT_EQ(info().cwnd, 19U * kFull / 2) << "and such acknowledgements open it by nothing";
    fly(8);
    tells_of_marks(21 * kFull);
    EXPECT_EQ(info().ecn_reductions, 2U) << "the next round trip";
    EXPECT_EQ(info().window_reductions, 2U);
    wire.sent.clear();
}

TEST_F(Ecn, reduction_is_told_by_cwr_on_the_next_new_segment_alone) {
    agree_on_ecn();
    fill(4);
    tells_of_marks(4 * kFull);
    ASSERT_EQ(info().ecn_reductions, 1U);
    write(kFull);
    write(kFull);
    EXPECT_TRUE(wire.take().has(flag::cwr));
    EXPECT_FALSE(wire.take().has(flag::cwr));
}

TEST_F(Ecn, cwr_is_not_on_what_goes_out_again) {
    agree_on_ecn();
    fill(8);
    peer.ack = first_data + kFull;
    says(flag::ack | flag::ece, a_option(first_data + 2 * kFull, 1));
    ASSERT_EQ(info().window_reductions, 1U);
    const Segment resent = wire.take();
    ASSERT_EQ(offset(resent), 2U * kFull);
    EXPECT_FALSE(resent.has(flag::cwr));
    acks(8 * kFull);
    write(kFull);
    const Segment fresh = wire.take();
    EXPECT_TRUE(fresh.has(flag::cwr));
    run_ms(3000);
    EXPECT_FALSE(wire.take().has(flag::cwr)) << "the same segment, after a timeout";
    wire.sent.clear();
}

TEST_F(Ecn, cwr_survives_a_busy_driver) {
    agree_on_ecn();
    fill(4);
    tells_of_marks(4 * kFull);
    wire.busy = true;
    write(kFull);
    wire.busy = false;
    lfn_tcp_output_ready();
    EXPECT_TRUE(wire.take().has(flag::cwr));
}

TEST_F(Ecn, losses_and_timeouts_are_told_by_cwr_too) {
    agree_on_ecn();
    fill(8);
    names(kFull, 1);
    ASSERT_EQ(info().window_reductions, 1U);
    acks(8 * kFull);
    wire.sent.clear();
    write(kFull);
    EXPECT_TRUE(wire.take().has(flag::cwr));
    run_ms(3000);
    ASSERT_GT(info().rtos, 0U);
    wire.sent.clear();
    acks(9 * kFull);
    write(kFull);
    EXPECT_TRUE(wire.take().has(flag::cwr));
}

TEST_F(Ecn, mark_and_loss_of_one_round_trip_reduce_once) {
    agree_on_ecn();
    fill(20);
    names(2 * kFull, 1);
    const std::uint32_t cwnd = info().cwnd;
    tells_of_marks(2 * kFull);
    EXPECT_EQ(info().window_reductions, 1U);
    EXPECT_EQ(info().cwnd, cwnd);
    EXPECT_EQ(info().ecn_echoes, 1U);
    wire.sent.clear();
}

TEST_F(Ecn, duplicate_ack_retransmit_counts_as_the_round_trips_reduction) {
    settings.nak_mode = LFN_NAK_OFF;
    agree_on_ecn();
    fill(8);
    for (int i = 0; i < 3; ++i) acks(0);
    ASSERT_TRUE((pcb->flags & TF_INFR) != 0);
    tells_of_marks(0);
    EXPECT_EQ(info().ecn_reductions, 0U);
    acks(8 * kFull);
    wire.sent.clear();
    write(kFull);
    EXPECT_TRUE(wire.take().has(flag::cwr));
}

TEST_F(Ecn, noise_keeps_the_window_for_losses_but_not_for_marks) {
    settings.loss_policy = LFN_LOSS_NOISE;
    agree_on_ecn();
    fill(20);
    names(2 * kFull, 1);
    EXPECT_EQ(info().cwnd, 20U * kMss);
    tells_of_marks(0);
    EXPECT_EQ(info().cwnd, 10U * kFull);
    EXPECT_EQ(info().ecn_reductions, 1U);
    wire.sent.clear();
}

TEST_F(Ecn, echo_of_a_peer_that_did_not_agree_does_nothing) {
    syn_with(0);
    handshake_ends();
    fill(20);
    tells_of_marks(0);
    EXPECT_EQ(info().cwnd, 20U * kMss);
    EXPECT_EQ(info().ecn_echoes, 0U);
}

TEST_F(Ecn, old_acknowledgement_with_ece_does_nothing) {
    agree_on_ecn();
    fill(20);
    acks(10 * kFull);
    const std::uint32_t cwnd = info().cwnd;
    tells_of_marks(5 * kFull);
    EXPECT_EQ(info().cwnd, cwnd);
    EXPECT_EQ(info().ecn_echoes, 0U);
}

}  // namespace
}  // namespace lfn::test
