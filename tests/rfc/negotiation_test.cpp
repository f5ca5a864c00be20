// SPDX-License-Identifier: BSD-3-Clause
// How the two ends agree: B beside window scale in both SYNs, and what is left when one is missing.
#include <algorithm>

#include "rfc1106_test.hpp"

namespace lfn::test {
namespace {

constexpr std::uint8_t kShift = 7;

class Negotiation : public Rfc1106Test {
protected:
    // The connection's next data segment announces this window under the rule RFC 7323, with our shift, without C.
    void expect_scaled_window() {
        EXPECT_EQ(info().window_rule, LFN_WINDOW_RFC7323);
        EXPECT_EQ(info().rcv_wnd, kBig);
        EXPECT_EQ(next_segment().window, kBig >> lfn_window_scale_for(kBig));
        peer.window = 1000;
        acks(written);
        EXPECT_EQ(info().snd_wnd, 1000U << kShift);
    }

    void expect_16_bit_window() {
        EXPECT_EQ(info().window_rule, LFN_WINDOW_16BIT);
        EXPECT_EQ(info().rcv_wnd, 65535U);
        EXPECT_EQ(next_segment().window, 65535U);
        peer.window = 1000;
        acks(written);
        EXPECT_EQ(info().snd_wnd, 1000U);
    }

    void expect_b_and_c(std::uint32_t snd_wnd) {
        EXPECT_EQ(info().window_rule, LFN_WINDOW_BC);
        EXPECT_EQ(info().snd_wnd, snd_wnd);
        EXPECT_EQ(info().rcv_wnd, kBig);
        wire.sent.clear();
        write(10);
        EXPECT_EQ(window_of(wire.take()), kBig);
    }

    static Octets scale() { return window_scale_option(kShift); }

private:
    Segment next_segment() {
        wire.sent.clear();
        write(10);
        Segment segment = wire.take();
        EXPECT_FALSE(segment.option(kind::c)) << segment;
        EXPECT_FALSE(segment.option(kind::a)) << segment;
        return segment;
    }
};

Octets number(std::uint32_t value) {
    Octets octets;
    for (int shift = 24; shift >= 0; shift -= 8) octets.push_back(static_cast<std::uint8_t>(value >> shift));
    return octets;
}

TEST_F(Negotiation, syn_carries_b_beside_the_scale_and_a_16_bit_window) {
    const Segment syn = send_connect();
    EXPECT_EQ(syn.window, 65535U);
    EXPECT_EQ(syn.option(kind::b), number(kBig));
    EXPECT_EQ(syn.option(kind::window_scale), Octets{lfn_window_scale_for(kBig)});
    EXPECT_FALSE(syn.option(kind::c));
}

TEST_F(Negotiation, syn_ack_answers_b_and_scale_and_has_a_16_bit_window) {
    const Segment syn_ack = answer_syn(join({b_option(kBig), scale()}));
    EXPECT_EQ(syn_ack.window, 65535U);
    EXPECT_EQ(syn_ack.option(kind::b), number(kBig));
    EXPECT_EQ(syn_ack.option(kind::window_scale), Octets{lfn_window_scale_for(kBig)});
    EXPECT_FALSE(syn_ack.option(kind::c));
}

TEST_F(Negotiation, active_with_b_from_both_takes_b_as_the_window_and_ignores_the_scale) {
    peer.window = 0x1234;
    connect_with(join({b_option(500'000), scale()}));
    EXPECT_EQ(window_of(wire.take()), kBig) << "the handshake's third segment has C already";
    expect_b_and_c(500'000);
}

TEST_F(Negotiation, passive_with_b_from_both_takes_c_as_the_window_and_ignores_the_scale) {
    answer_syn(join({b_option(500'000), scale()}));
    peer_says_c = true;
    peer_window = 400'000;
    says(flag::ack);
    expect_b_and_c(400'000);
}

TEST_F(Negotiation, window_of_a_syn_is_not_scaled_and_not_joined) {
    peer.window = 1000;
    answer_syn(join({b_option(kBig), scale()}));
    ASSERT_NE(tcp_active_pcbs, nullptr);
    EXPECT_EQ(tcp_active_pcbs->snd_wnd, 1000U);
}

TEST_F(Negotiation, active_with_b_from_us_alone_falls_back_to_the_scale) {
    connect_with(scale());
    expect_scaled_window();
}

TEST_F(Negotiation, passive_that_hears_the_scale_alone_answers_the_scale_alone) {
    EXPECT_FALSE(answer_syn(scale()).option(kind::b));
    says(flag::ack);
    expect_scaled_window();
}

TEST_F(Negotiation, active_with_b_from_them_alone_uses_the_scale) {
    settings.big_window = false;
    EXPECT_FALSE(send_connect().option(kind::b));
    finish_connect(join({b_option(kBig), scale()}));
    expect_scaled_window();
}

TEST_F(Negotiation, b_in_a_syn_ack_that_nobody_asked_for_is_ignored) {
    settings.big_window = false;
    connect_with(b_option(kBig));
    expect_16_bit_window();
}

TEST_F(Negotiation, passive_without_big_window_does_not_answer_b) {
    settings.big_window = false;
    EXPECT_FALSE(answer_syn(join({b_option(kBig), scale()})).option(kind::b));
    says(flag::ack);
    expect_scaled_window();
}

TEST_F(Negotiation, active_with_neither_has_16_bits) {
    connect_with({});
    expect_16_bit_window();
}

TEST_F(Negotiation, passive_with_neither_has_16_bits) {
    const Segment syn_ack = answer_syn({});
    EXPECT_FALSE(syn_ack.option(kind::b));
    EXPECT_FALSE(syn_ack.option(kind::window_scale));
    says(flag::ack);
    expect_16_bit_window();
}

TEST_F(Negotiation, b_without_the_scale_is_enough) {
    connect_with(b_option(500'000));
    expect_b_and_c(500'000);
}

TEST_F(Negotiation, third_syn_goes_without_our_options) {
    const Segment first = send_connect();
    run_ms(1000);
    const Segment second = wire.take();
    EXPECT_EQ(second.option(kind::b), number(kBig));
    run_ms(2000);
    const Segment third = wire.take();
    EXPECT_EQ(third.flags, flag::syn);
    EXPECT_FALSE(third.option(kind::b));
    EXPECT_EQ(third.option(kind::mss), first.option(kind::mss));
    EXPECT_EQ(third.option(kind::window_scale), first.option(kind::window_scale));
    ASSERT_EQ(third.options.size(), first.options.size());
    EXPECT_EQ(Octets(first.options.end() - 8, first.options.end()), b_option(kBig));
    EXPECT_EQ(Octets(third.options.end() - 8, third.options.end()), Octets(8, kind::nop)) << third;
    finish_connect({});
    expect_16_bit_window();
}

TEST_F(Negotiation, late_answer_to_the_first_syn_still_agrees) {
    send_connect();
    run_ms(3000);
    wire.sent.clear();
    finish_connect(b_option(500'000));
    expect_b_and_c(500'000);
}

TEST_F(Negotiation, third_syn_ack_goes_without_our_options) {
    answer_syn(b_option(kBig));
    run_ms(1000);
    EXPECT_TRUE(wire.take().option(kind::b));
    run_ms(2000);
    EXPECT_FALSE(wire.take().option(kind::b));
    says(flag::ack);  // from a peer that has seen no B
    expect_16_bit_window();
}

TEST_F(Negotiation, repeated_syn_that_now_has_a_scale_does_no_harm) {
    answer_syn(b_option(kBig));
    peer.seq = peer.iss;
    wire.inject(peer.segment(flag::syn, join({common_syn(), b_option(kBig), scale()})));
    ++peer.seq;
    EXPECT_EQ(wire.take().flags, flag::syn | flag::ack);
    peer_says_c = true;
    says(flag::ack);
    expect_b_and_c(kBig);
}

TEST_F(Negotiation, exid_form_offers_b_and_a_permitted_with_the_exid) {
    settings.wire = LFN_WIRE_EXID;
    const Segment syn = send_connect();
    const Octets b = join({{kind::exid, 8, 0x11, 0x06}, number(kBig)});
    const Octets permitted{kind::exid, 4, 0x11, 0x06};
    const Octets ours = join({b, permitted});
    EXPECT_NE(std::search(syn.options.begin(), syn.options.end(), ours.begin(), ours.end()), syn.options.end()) << syn;
    finish_connect(ours);
    const Segment ack = wire.take();
    EXPECT_EQ(Octets(ack.options.end() - 8, ack.options.end()),
              (Octets{kind::nop, kind::nop, kind::exid, 6, 0x11, 0x06, 0, kBig >> 16}));
    EXPECT_TRUE(info().nak_agreed);
    EXPECT_EQ(info().window_rule, LFN_WINDOW_BC);
}

TEST_F(Negotiation, exid_form_reads_c_of_the_peer) {
    settings.wire = LFN_WIRE_EXID;
    answer_syn(join({{kind::exid, 8, 0x11, 0x06}, number(kBig)}));
    peer.window = 0x5678;
    says(flag::ack, {kind::exid, 6, 0x11, 0x06, 0x01, 0x02});
    EXPECT_EQ(info().snd_wnd, 0x01025678U);
}

TEST_F(Negotiation, exid_form_without_a_permitted_has_big_window_but_no_nak) {
    settings.wire = LFN_WIRE_EXID;
    const Segment syn_ack = answer_syn(join({{kind::exid, 8, 0x11, 0x06}, number(kBig)}));
    const Octets permitted{kind::exid, 4, 0x11, 0x06};
    EXPECT_EQ(std::search(syn_ack.options.begin(), syn_ack.options.end(), permitted.begin(), permitted.end()),
              syn_ack.options.end())
        << "a SYN-ACK permits only what was offered";
    says(flag::ack, {kind::exid, 6, 0x11, 0x06, 0, 1});
    EXPECT_EQ(info().window_rule, LFN_WINDOW_BC);
    EXPECT_FALSE(info().nak_agreed);
}

TEST_F(Negotiation, exid_form_agrees_on_nak_without_big_window) {
    settings.wire = LFN_WIRE_EXID;
    settings.big_window = false;
    const Octets permitted{kind::exid, 4, 0x11, 0x06};
    const Segment syn_ack = answer_syn(permitted);
    EXPECT_NE(std::search(syn_ack.options.begin(), syn_ack.options.end(), permitted.begin(), permitted.end()),
              syn_ack.options.end());
    says(flag::ack);
    EXPECT_TRUE(info().nak_agreed);
    peer_sends_at(100, 100);
    const Octets named = join({{kind::exid, 9, 0x11, 0x06}, number(peer_first), {1}});
    const Segment ack = wire.take();
    EXPECT_EQ(Octets(ack.options.end() - 9, ack.options.end()), named) << ack;
}

TEST_F(Negotiation, other_kinds_and_another_exid_are_honoured) {
    settings.kind_a = 100;
    settings.kind_b = 101;
    settings.kind_c = 102;
    const Segment syn = send_connect();
    EXPECT_EQ(syn.option(101), number(kBig));
    EXPECT_FALSE(syn.option(kind::b));
    Octets b = b_option(500'000);
    b[2] = 101;
    finish_connect(b);
    EXPECT_EQ(info().snd_wnd, 500'000U);
    EXPECT_TRUE(wire.take().option(102));
    peer_sends_at(100, 100);
    EXPECT_TRUE(wire.take().option(100));
}

TEST_F(Negotiation, an_alien_exid_or_kind_is_no_b) {
    settings.wire = LFN_WIRE_EXID;
    settings.exid = 0x2222;
    const Segment syn_ack = answer_syn(join({{kind::exid, 8, 0x11, 0x06}, number(kBig), b_option(kBig)}));
    EXPECT_FALSE(syn_ack.option(kind::exid)) << syn_ack;
    says(flag::ack);
    expect_16_bit_window();
}

TEST_F(Negotiation, kinds_differ_and_b_is_not_recognised) {
    settings.kind_b = 101;
    EXPECT_FALSE(answer_syn(b_option(kBig)).option(101));
}

TEST_F(Negotiation, nak_comes_with_b_in_the_rfc1106_form_and_not_without) {
    connect_with({});
    EXPECT_FALSE(info().nak_agreed);
    wire.sent.clear();
    peer_sends_at(100, 100);
    EXPECT_TRUE(naks_of(wire.take()).empty());
}

TEST_F(Negotiation, nak_assumed_needs_no_sign_of_the_peer) {
    settings.nak_assumed = true;
    connect_with({});
    EXPECT_TRUE(info().nak_agreed);
    wire.sent.clear();
    peer_sends_at(100, 100);
    EXPECT_EQ(naks_of(wire.take()), (std::vector<Named>{{peer_first, 1}}));
}

TEST_F(Negotiation, lost_syn_leaves_ssthresh_alone) {
    send_connect();
    const std::uint32_t before = pcb->ssthresh;
    run_ms(1000);
    finish_connect(b_option(kBig));
    EXPECT_EQ(info().ssthresh, before) << "RFC 5681 3.1: only the initial window shrinks";
    EXPECT_EQ(before, kBig);
    wire.sent.clear();
}

class Budget : public Rfc1106Test {
protected:
    // The window that B offers to a SYN from this port.
    std::uint32_t offered_to(std::uint16_t port) {
        peer.port = port;
        peer.seq = peer.iss;
        const Segment syn_ack = send_syn(join({common_syn(), b_option(kBig), window_scale_option(0)}));
        const auto b = syn_ack.option(kind::b);
        if (!b) return 0;
        return static_cast<std::uint32_t>((*b)[0] << 24 | (*b)[1] << 16 | (*b)[2] << 8 | (*b)[3]);
    }

    void listen_with_budget(std::uint64_t octets) {
        lfn_tcp_set_budget(octets);
        listen();
        ASSERT_EQ(lfn_tcp_set(reinterpret_cast<tcp_pcb*>(listener), &settings), ERR_OK);
    }

    void close_from_here() {
        ASSERT_EQ(tcp_close(pcb), ERR_OK);
        pcb = nullptr;
        ++peer.ack;
        says(flag::fin | flag::ack);
        ASSERT_NE(tcp_tw_pcbs, nullptr);
        wire.sent.clear();
    }
};

TEST_F(Budget, window_over_it_is_offered_smaller_never_refused) {
    listen_with_budget(100'000);
    EXPECT_EQ(offered_to(2000), 165'535U);
    EXPECT_EQ(offered_to(2001), 65'535U);
    EXPECT_EQ(offered_to(2002), 65'535U);
}

TEST_F(Budget, the_smaller_window_is_what_holds) {
    listen_with_budget(100'000);
    offered_to(2000);
    peer_says_c = true;
    says(flag::ack);
    EXPECT_EQ(info().rcv_wnd, 165'535U);
    write(10);
    EXPECT_EQ(window_of(wire.take()), 165'535U);
}

TEST_F(Budget, a_smaller_window_gets_a_fitting_scale) {
    listen_with_budget(100'000);
    peer.seq = peer.iss;
    EXPECT_EQ(send_syn(join({common_syn(), window_scale_option(0)})).option(kind::window_scale),
              Octets{lfn_window_scale_for(165'535)});
    says(flag::ack);
    EXPECT_EQ(info().rcv_wnd, 165'535U);
}

TEST_F(Budget, reset_gives_it_back) {
    listen_with_budget(100'000);
    offered_to(2000);
    wire.inject(peer.segment(flag::rst));
    EXPECT_EQ(tcp_active_pcbs, nullptr);
    EXPECT_EQ(offered_to(2001), 165'535U);
}

TEST_F(Budget, a_connection_in_time_wait_gives_it_back_when_it_is_needed) {
    listen_with_budget(100'000);
    offered_to(2000);
    peer_says_c = true;
    says(flag::ack);
    close_from_here();
    EXPECT_EQ(offered_to(2001), 165'535U);
    EXPECT_EQ(offered_to(2002), 65'535U);
}

TEST_F(Budget, a_connection_that_ends_up_with_16_bits_gives_it_back) {
    listen_with_budget(100'000);
    peer.seq = peer.iss;
    send_syn(common_syn());
    says(flag::ack);
    EXPECT_EQ(info().window_rule, LFN_WINDOW_16BIT);
    EXPECT_EQ(info().rcv_wnd, 65'535U);
    EXPECT_EQ(offered_to(2001), 165'535U);
}

TEST_F(Budget, an_active_open_takes_its_share_too) {
    lfn_tcp_set_budget(100'000);
    const Segment syn = send_connect();
    EXPECT_EQ(syn.option(kind::b), number(165'535));
    finish_connect(b_option(kBig));
    EXPECT_EQ(info().rcv_wnd, 165'535U);
    EXPECT_EQ(window_of(wire.take()), 165'535U);
}

}  // namespace
}  // namespace lfn::test
