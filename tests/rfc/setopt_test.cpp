// SPDX-License-Identifier: BSD-3-Clause
// lfn_tcp_setopt and its kin: ranges, defaults, times, and what the snapshot says.
#include <tuple>

#include "rfc1106_test.hpp"

namespace lfn::test {
namespace {

class SetOpt : public Rfc1106Test {
protected:
    SetOpt() { pcb = tcp_new(); }

    err_t set(int option, int value) { return lfn_tcp_setopt(pcb, option, value); }
    int get(int option) const {
        int value = -1;
        EXPECT_EQ(lfn_tcp_getopt(pcb, option, &value), ERR_OK);
        return value;
    }
    // The fixture's own pcb is not wanted.
    void drop() {
        tcp_abort(pcb);
        pcb = nullptr;
    }
};

using Row = std::tuple<int, int, int, int>;  // option, least, most, default

constexpr Row kRows[] = {
    {LFN_TCP_BIG_WINDOW, 0, 1, 0},
    {LFN_TCP_RECEIVE_WINDOW, 1, 1 << 30, 0},
    {LFN_TCP_SEND_BUFFER, 1, 1 << 30, 0},
    {LFN_TCP_NAK, LFN_NAK_OFF, LFN_NAK_EVERY_GAP, LFN_NAK_OFF},
    {LFN_TCP_RENAK, 0, 1, 0},
    {LFN_TCP_NAK_ASSUMED, 0, 1, 0},
    {LFN_TCP_DUP_ACKS, LFN_DUP_ACKS_AUTO, LFN_DUP_ACKS_OFF, LFN_DUP_ACKS_AUTO},
    {LFN_TCP_LOSS_POLICY, LFN_LOSS_CONGESTION, LFN_LOSS_AUTO, LFN_LOSS_CONGESTION},
    {LFN_TCP_SLOW_START_RATE, 1, 8, 1},
    {LFN_TCP_RTO_MARGIN, 0, 60'000, 0},
    {LFN_TCP_INITIAL_WINDOW, 0, 10, 0},
    {LFN_TCP_SACK, 0, 1, 0},
    {LFN_TCP_TIMESTAMPS, 0, 1, 0},
    {LFN_TCP_ISOLATED, 0, 1, 0},
    {LFN_TCP_TAIL_PROBE, 0, 1, 0},
    {LFN_TCP_ECN, 0, 1, 0},
    {LFN_TCP_KEEPALIVE, 0, 86'400, 0},
    {LFN_TCP_WIRE, LFN_WIRE_EXID, LFN_WIRE_RFC1106, LFN_WIRE_EXID},
    {LFN_TCP_KIND_A, 9, 252, 65},
    {LFN_TCP_KIND_B, 9, 252, 66},
    {LFN_TCP_KIND_C, 9, 252, 67},
    {LFN_TCP_EXID, 1, 0xffff, 0x1106},
};

TEST_F(SetOpt, defaults_are_everything_off) {
    for (const auto& [option, least, most, standard] : kRows) EXPECT_EQ(get(option), standard) << option;
    EXPECT_EQ(tcp_ext_arg_get(pcb, LFN_TCP_EXT_ARG), nullptr) << "asking makes no state";
}

TEST_F(SetOpt, ends_of_a_range_are_taken_and_read_back) {
    for (const auto& [option, least, most, standard] : kRows) {
        EXPECT_EQ(set(option, least), ERR_OK) << option;
        EXPECT_EQ(get(option), least) << option;
        EXPECT_EQ(set(option, most), ERR_OK) << option;
        EXPECT_EQ(get(option), most) << option;
        EXPECT_EQ(set(option, standard), ERR_OK) << option;
    }
}

TEST_F(SetOpt, beyond_the_ends_of_a_range_is_refused_and_changes_nothing) {
    for (const auto& [option, least, most, standard] : kRows) {
        EXPECT_EQ(set(option, most + 1), ERR_VAL) << option;
        EXPECT_EQ(set(option, -1), ERR_VAL) << option;
        if (least > 1) {
            EXPECT_EQ(set(option, least - 1), ERR_VAL) << option;
        }
        EXPECT_EQ(get(option), standard) << option;
    }
}

TEST_F(SetOpt, unknown_options_and_null_are_refused) {
    int value = 0;
    EXPECT_EQ(set(LFN_TCP_EXID + 1, 0), ERR_VAL);
    EXPECT_EQ(set(LFN_TCP_BIG_WINDOW - 1, 0), ERR_VAL);
    EXPECT_EQ(lfn_tcp_getopt(pcb, 0, &value), ERR_VAL);
    EXPECT_EQ(lfn_tcp_getopt(pcb, LFN_TCP_NAK, nullptr), ERR_VAL);
    EXPECT_EQ(lfn_tcp_setopt(nullptr, LFN_TCP_NAK, 0), ERR_VAL);
    EXPECT_EQ(lfn_tcp_set(pcb, nullptr), ERR_VAL);
    EXPECT_EQ(lfn_tcp_get_info(pcb, nullptr), ERR_ARG);
}

TEST_F(SetOpt, two_options_of_one_kind_are_refused) {
    EXPECT_EQ(set(LFN_TCP_KIND_A, 66), ERR_VAL);
    EXPECT_EQ(set(LFN_TCP_KIND_B, 100), ERR_OK);
    EXPECT_EQ(set(LFN_TCP_KIND_A, 66), ERR_OK);
    EXPECT_EQ(set(LFN_TCP_KIND_C, 100), ERR_VAL);
    settings = {};
    settings.kind_a = settings.kind_b = 80;
    EXPECT_EQ(lfn_tcp_set(pcb, &settings), ERR_VAL);
}

TEST_F(SetOpt, settings_out_of_range_are_refused_as_a_whole) {
    settings.slow_start_rate = 9;
    EXPECT_EQ(lfn_tcp_set(pcb, &settings), ERR_VAL);
    EXPECT_EQ(get(LFN_TCP_BIG_WINDOW), 0);
    settings.slow_start_rate = 8;
    settings.receive_window = LFN_WINDOW_MAX + 1;
    EXPECT_EQ(lfn_tcp_set(pcb, &settings), ERR_VAL);
    settings.receive_window = LFN_WINDOW_MAX;
    settings.rto_margin_ms = 0xffffffff;
    EXPECT_EQ(lfn_tcp_set(pcb, &settings), ERR_VAL);
}

TEST_F(SetOpt, settings_that_are_all_off_make_no_state) {
    settings = {};
    EXPECT_EQ(lfn_tcp_set(pcb, &settings), ERR_OK);
    EXPECT_EQ(tcp_ext_arg_get(pcb, LFN_TCP_EXT_ARG), nullptr);
}

TEST_F(SetOpt, zero_brings_the_default_back) {
    const std::uint32_t before = pcb->snd_buf;
    EXPECT_EQ(set(LFN_TCP_SEND_BUFFER, 1000), ERR_OK);
    EXPECT_EQ(pcb->snd_buf, 1000U);
    EXPECT_EQ(set(LFN_TCP_SEND_BUFFER, 0), ERR_OK);
    EXPECT_EQ(pcb->snd_buf, before);
    EXPECT_EQ(set(LFN_TCP_KIND_A, 80), ERR_OK);
    EXPECT_EQ(set(LFN_TCP_KIND_A, 0), ERR_OK);
    EXPECT_EQ(get(LFN_TCP_KIND_A), 65);
}

TEST_F(SetOpt, too_late_is_too_late) {
    drop();
    agree();
    for (const int option : {LFN_TCP_BIG_WINDOW, LFN_TCP_RECEIVE_WINDOW, LFN_TCP_SEND_BUFFER, LFN_TCP_NAK,
                             LFN_TCP_NAK_ASSUMED, LFN_TCP_ECN, LFN_TCP_WIRE}) {
        EXPECT_EQ(set(option, 1), ERR_ISCONN) << option;
    }
    for (const int option : {LFN_TCP_KIND_A, LFN_TCP_KIND_B, LFN_TCP_KIND_C, LFN_TCP_EXID}) {
        EXPECT_EQ(set(option, 99), ERR_ISCONN) << option;
    }
    EXPECT_EQ(lfn_tcp_set(pcb, &settings), ERR_ISCONN);
    EXPECT_EQ(get(LFN_TCP_RECEIVE_WINDOW), static_cast<int>(kBig));
    for (const int option :
         {LFN_TCP_RENAK, LFN_TCP_DUP_ACKS, LFN_TCP_LOSS_POLICY, LFN_TCP_SLOW_START_RATE, LFN_TCP_RTO_MARGIN}) {
        EXPECT_EQ(set(option, 1), ERR_OK) << option;
        EXPECT_EQ(get(option), 1) << option;
    }
}

TEST_F(SetOpt, too_late_for_a_syn_that_is_out) {
    drop();
    send_connect();
    EXPECT_EQ(set(LFN_TCP_BIG_WINDOW, 0), ERR_ISCONN);
    EXPECT_EQ(lfn_tcp_set(pcb, &settings), ERR_ISCONN);
}

TEST_F(SetOpt, a_plain_connection_stays_plain) {
    drop();
    accept();
    EXPECT_EQ(set(LFN_TCP_RTO_MARGIN, 10), ERR_ISCONN);
    EXPECT_EQ(set(LFN_TCP_RTO_MARGIN, 0), ERR_OK);
    EXPECT_EQ(lfn_tcp_set(pcb, &settings), ERR_ISCONN);
    EXPECT_EQ(tcp_ext_arg_get(pcb, LFN_TCP_EXT_ARG), nullptr);
    write(100);
    EXPECT_FALSE(wire.take().option(kind::c));
}

TEST_F(SetOpt, margin_counts_from_the_next_timer_on) {
    drop();
    agree();
    ASSERT_EQ(set(LFN_TCP_RTO_MARGIN, 500), ERR_OK);
    EXPECT_EQ(info().rto_ms, 1500U);
    fly(1);
    run_ms(1499);
    EXPECT_TRUE(wire.sent.empty());
    run_ms(1);
    EXPECT_EQ(take_offsets(), std::vector<std::uint32_t>{0});
}

TEST_F(SetOpt, renak_may_be_switched_on_while_a_hole_is_open) {
    drop();
    handshake_ms = 500;
    agree();
    peer_sends_at(kFull, kFull);
    wire.sent.clear();
    run_ms(2000);
    EXPECT_TRUE(wire.sent.empty());
    ASSERT_EQ(set(LFN_TCP_RENAK, 1), ERR_OK);
    run_ms(1);
    EXPECT_EQ(naks_of(wire.take()), (std::vector<Named>{{peer_first, 1}}));
}

TEST_F(SetOpt, keepalive_asks_a_silent_peer_and_gives_up_what_never_answers) {
    drop();
    settings.keepalive_s = 20;
    agree();
    run_ms(19'000);
    EXPECT_TRUE(wire.sent.empty());
    run_ms(2'000);
    const Segment question = wire.take();
    EXPECT_EQ(question.seq + 1, first_data) << "what the peer has acknowledged";
    acks(0);
    run_ms(19'000);
    EXPECT_TRUE(wire.sent.empty()) << "the peer is there";
    run_ms(2'000);
    EXPECT_EQ(take_all().size(), 1U);
    constexpr std::uint32_t apart = LWIP_TCP_KEEPALIVE ? 20'000 : 75'000;
    run_ms(9 * apart - 3'000);
    EXPECT_EQ(take_all().size(), 8U);
    EXPECT_EQ(user.error, ERR_OK);
    run_ms(3'000);
    EXPECT_EQ(user.error, ERR_ABRT);
    take_all();
}

TEST_F(SetOpt, keepalive_goes_off_as_it_went_on) {
    EXPECT_EQ(set(LFN_TCP_KEEPALIVE, 7), ERR_OK);
    EXPECT_TRUE(ip_get_option(pcb, SOF_KEEPALIVE));
    EXPECT_EQ(pcb->keep_idle, 7000U);
    EXPECT_EQ(set(LFN_TCP_KEEPALIVE, 0), ERR_OK);
    EXPECT_FALSE(ip_get_option(pcb, SOF_KEEPALIVE));
    ip_set_option(pcb, SOF_KEEPALIVE);
    EXPECT_EQ(set(LFN_TCP_RENAK, 1), ERR_OK);
    EXPECT_TRUE(ip_get_option(pcb, SOF_KEEPALIVE)) << "SO_KEEPALIVE is the application's own";
}

TEST_F(SetOpt, info_of_a_listener_is_refused) {
    drop();
    listen();
    lfn_tcp_info snapshot{};
    EXPECT_EQ(lfn_tcp_get_info(listener, &snapshot), ERR_ARG);
}

TEST_F(SetOpt, info_tells_what_the_connection_is_like) {
    drop();
    handshake_ms = 500;
    settings.loss_policy = LFN_LOSS_NOISE;
    agree();
    fly(4);
    pcb->cwnd = 7777;
    peer_sends_at(kFull, kFull);
    names(kFull, 1);
    names(0, 0);
    const lfn_tcp_info now = info();
    EXPECT_EQ(now.cwnd, 7777U);
    EXPECT_EQ(now.ssthresh, kBig);
    EXPECT_EQ(now.snd_wnd, kBig);
    EXPECT_EQ(now.rcv_wnd, kBig);
    EXPECT_EQ(now.in_flight, 4U * kFull);
    EXPECT_EQ(now.mss, kMss);
    EXPECT_EQ(now.srtt_ms, 500U);
    EXPECT_EQ(now.rto_ms, 500U + 750) << "500 ms again, by the NAK";
    EXPECT_EQ(now.rtt_floor_ms, 500U);
    EXPECT_EQ(now.window_rule, LFN_WINDOW_BC);
    EXPECT_TRUE(now.nak_agreed);
    EXPECT_EQ(now.naks_sent, 1U);
    EXPECT_EQ(now.naks_received, 2U);
    EXPECT_EQ(now.naks_honoured, 1U);
    EXPECT_EQ(now.naks_refused, 1U);
    EXPECT_EQ(now.retransmitted_segments, 1U);
    EXPECT_EQ(now.retransmitted_octets, kFull);
    EXPECT_EQ(now.rtos, 0U);
    wire.sent.clear();
}

TEST_F(SetOpt, info_of_a_plain_connection_is_lwips_own) {
    drop();
    accept(mss_option(kMss));
    const lfn_tcp_info now = info();
    EXPECT_EQ(now.mss, kMss);
    EXPECT_EQ(now.snd_wnd, 0xffffU);
    EXPECT_EQ(now.window_rule, LFN_WINDOW_16BIT);
    EXPECT_FALSE(now.nak_agreed);
    EXPECT_EQ(now.rto_ms, static_cast<std::uint32_t>(pcb->rto) * TCP_SLOW_INTERVAL);
}

}  // namespace
}  // namespace lfn::test
