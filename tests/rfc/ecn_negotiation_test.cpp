// SPDX-License-Identifier: BSD-3-Clause
// RFC 3168 6.1.1: who asks, who agrees, and what is left when something is lost on the way.
#include "ecn_test.hpp"

namespace lfn::test {
namespace {

class EcnNegotiation : public EcnTest {
protected:
    // Whether new data may be marked.
    bool marks() {
        wire.sent.clear();
        write(10);
        const Segment data = wire.take();
        EXPECT_EQ(may_be_marked(data), info().ecn_agreed) << data;
        return may_be_marked(data);
    }
    bool echoes_marks() { return echoes(peer_sends_data(LFN_ECN_CE)); }
};

TEST_F(EcnNegotiation, syn_asks_with_ece_and_cwr_and_is_not_capable_itself) {
    const Segment syn = ask();
    EXPECT_EQ(syn.flags, flag::syn | both);
    EXPECT_EQ(codepoint(syn), LFN_ECN_NOT_ECT);
}

TEST_F(EcnNegotiation, syn_asks_for_nothing_where_it_is_off) {
    settings.ecn = false;
    EXPECT_EQ(ask().flags, flag::syn);
    answer_with(flag::ece);
    EXPECT_FALSE(marks());
    EXPECT_FALSE(echoes_marks());
}

TEST_F(EcnNegotiation, syn_ack_with_ece_alone_agrees) {
    ask();
    answer_with(flag::ece);
    EXPECT_TRUE(marks());
    EXPECT_TRUE(echoes_marks());
}

TEST_F(EcnNegotiation, syn_ack_without_ece_does_not) {
    for (const std::uint8_t flags : {std::uint8_t{0}, flag::cwr}) {
        SCOPED_TRACE(+flags);
        peer = Peer{};
        peer.timestamps = kTimestamps;
        peer_says_c = false;
        ask();
        answer_with(flags);
        EXPECT_FALSE(marks());
        EXPECT_FALSE(echoes_marks());
        tcp_abort(pcb);
        wire.sent.clear();
    }
}

TEST_F(EcnNegotiation, syn_ack_that_returns_the_reserved_bits_does_not_agree) {
    ask();
    answer_with(both);
    EXPECT_FALSE(marks());
    EXPECT_FALSE(echoes_marks());
}

TEST_F(EcnNegotiation, repeated_syn_asks_for_nothing) {
    ask();
    run_ms(1000);
    EXPECT_EQ(wire.take().flags, flag::syn);
}

TEST_F(EcnNegotiation, who_asked_and_then_did_not_marks_nothing_but_echoes) {
    ask();
    run_ms(1000);
    wire.sent.clear();
    answer_with(flag::ece);
    EXPECT_FALSE(marks()) << "the peer may have gone by the second SYN";
    EXPECT_TRUE(echoes_marks()) << "or by the first";
}

TEST_F(EcnNegotiation, syn_that_a_busy_driver_refused_still_asks) {
    wire.busy = true;
    const ip_addr_t remote{lwip_htonl(kPeerAddress)};
    pcb = tcp_new();
    ASSERT_EQ(lfn_tcp_set(pcb, &settings), ERR_OK);
    ASSERT_EQ(tcp_connect(pcb, &remote, peer.port, nullptr), ERR_OK);
    wire.busy = false;
    lfn_tcp_output_ready();
    EXPECT_EQ(wire.take().flags, flag::syn | both);
}

TEST_F(EcnNegotiation, syn_ack_agrees_with_ece_alone_and_is_not_capable_itself) {
    const Segment syn_ack = syn_with(both);
    EXPECT_EQ(syn_ack.flags, flag::syn | flag::ack | flag::ece);
    EXPECT_EQ(codepoint(syn_ack), LFN_ECN_NOT_ECT);
    handshake_ends();
    EXPECT_TRUE(marks());
    EXPECT_TRUE(echoes_marks());
}

TEST_F(EcnNegotiation, syn_ack_agrees_to_nothing_that_the_listener_has_off) {
    settings.ecn = false;
    EXPECT_EQ(syn_with(both).flags, flag::syn | flag::ack);
    handshake_ends();
    EXPECT_FALSE(marks());
    EXPECT_FALSE(echoes_marks());
}

TEST_F(EcnNegotiation, syn_ack_agrees_to_nothing_that_the_syn_did_not_ask) {
    for (const std::uint8_t flags : {std::uint8_t{0}, flag::ece, flag::cwr}) {
        SCOPED_TRACE(+flags);
        peer = Peer{};
        peer.timestamps = kTimestamps;
        peer_says_c = false;
        EXPECT_EQ(syn_with(flags).flags, flag::syn | flag::ack);
        handshake_ends();
        EXPECT_FALSE(marks());
        EXPECT_FALSE(echoes_marks());
        tcp_abort(pcb);
        tcp_close(listener);
        wire.sent.clear();
        user = {};
    }
    listener = nullptr;
}

TEST_F(EcnNegotiation, repeated_syn_that_does_not_ask_takes_it_back) {
    syn_with(both);
    peer.seq = peer.iss;
    wire.inject(peer.segment(flag::syn, join({common_syn(), b_option(kBig)})));
    ++peer.seq;
    EXPECT_EQ(wire.take().flags, flag::syn | flag::ack);
    handshake_ends();
    EXPECT_FALSE(marks());
    EXPECT_FALSE(echoes_marks());
}

TEST_F(EcnNegotiation, repeated_syn_ack_agrees_once_more_and_then_goes_plain) {
    syn_with(both);
    run_ms(1000);
    EXPECT_EQ(wire.take().flags, flag::syn | flag::ack | flag::ece);
    run_ms(2000);
    EXPECT_EQ(wire.take().flags, flag::syn | flag::ack);
    handshake_ends();
    EXPECT_FALSE(marks());
    EXPECT_TRUE(echoes_marks()) << "the peer may have heard the first";
}

TEST_F(EcnNegotiation, syn_ack_for_another_syn_counts_for_nothing) {
    ask();
    peer.ack += 7;
    wire.inject(peer.segment(flag::syn | flag::ack, common_syn()));
    peer.ack -= 7;
    wire.sent.clear();
    answer_with(flag::ece);
    EXPECT_FALSE(marks()) << "lwIP has repeated its SYN for it";
    EXPECT_TRUE(echoes_marks());
}

}  // namespace
}  // namespace lfn::test
