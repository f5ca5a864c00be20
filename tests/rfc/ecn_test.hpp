// SPDX-License-Identifier: BSD-3-Clause
// Fixture: connections that ask for ECN, or agree to it (RFC 3168).
#pragma once

#include "lfn/ecn.h"
#include "rfc1106_test.hpp"

namespace lfn::test {

class EcnTest : public Rfc1106Test {
protected:
    static constexpr std::uint8_t both = flag::ece | flag::cwr;

    EcnTest() { settings.ecn = true; }

    static std::uint8_t codepoint(const Segment& segment) { return segment.tos & LFN_ECN_MASK; }
    static bool may_be_marked(const Segment& segment) { return codepoint(segment) == LFN_ECN_ECT0; }

    // The peer's SYN with these flags beside SYN. Returns the SYN-ACK.
    Segment syn_with(std::uint8_t flags) {
        listen();
        EXPECT_EQ(lfn_tcp_set(reinterpret_cast<tcp_pcb*>(listener), &settings), ERR_OK);
        wire.inject(peer.segment(static_cast<std::uint8_t>(flag::syn | flags), join({common_syn(), b_option(kBig)})));
        ++peer.seq;
        Segment syn_ack = wire.take();
        first_data = peer.ack = syn_ack.seq + 1;
        return syn_ack;
    }
    void handshake_ends() {
        peer_says_c = true;
        says(flag::ack);
        ASSERT_TRUE(user.connected);
    }
    // Passive open with ECN agreed. `wire.sent` is empty afterwards.
    void agree_on_ecn() {
        syn_with(both);
        handshake_ends();
        ASSERT_TRUE(info().ecn_agreed);
    }

    // Active open: returns the first SYN.
    Segment ask() {
        const ip_addr_t remote{lwip_htonl(kPeerAddress)};
        pcb = tcp_new();
        EXPECT_EQ(lfn_tcp_set(pcb, &settings), ERR_OK);
        tcp_arg(pcb, this);
        tcp_err(pcb, [](void* self, err_t) { static_cast<EcnTest*>(self)->pcb = nullptr; });
        tcp_recv(pcb, nullptr);
        tcp_nagle_disable(pcb);
        EXPECT_EQ(tcp_bind(pcb, IP_ADDR_ANY, peer.stack_port), ERR_OK);
        EXPECT_EQ(tcp_connect(pcb, &remote, peer.port, [](void*, tcp_pcb*, err_t) -> err_t { return ERR_OK; }), ERR_OK);
        Segment syn = wire.take();
        first_data = peer.ack = syn.seq + 1;
        return syn;
    }
    // The peer's SYN-ACK with these flags beside SYN and ACK.
    void answer_with(std::uint8_t flags) {
        wire.inject(peer.segment(static_cast<std::uint8_t>(flag::syn | flag::ack | flags),
                                 join({common_syn(), b_option(kBig)})));
        ++peer.seq;
        peer_says_c = true;
        ASSERT_EQ(pcb->state, ESTABLISHED);
        wire.sent.clear();
    }

    // In-sequence data of the peer: marked if `mark`, with CWR if `cwr`. Returns what the stack answers within the time
    // that it may put an acknowledgement off.
    std::vector<Segment> peer_sends_data(std::uint8_t mark, std::uint8_t cwr = 0) {
        Segment data = peer.segment(static_cast<std::uint8_t>(flag::ack | flag::psh | cwr),
                                    peer_says_c ? c_of(peer_window) : Octets{}, stream(0, 100));
        data.tos = mark;
        wire.inject(data);
        peer.seq += 100;
        run_ms(2 * TCP_TMR_INTERVAL);
        return take_all();
    }
    bool echoes(const std::vector<Segment>& answer) {
        EXPECT_FALSE(answer.empty());
        return !answer.empty() && answer.back().has(flag::ece);
    }
    // An acknowledgement with ECE.
    void tells_of_marks(std::uint32_t offset) {
        peer.ack = first_data + offset;
        says(flag::ack | flag::ece);
    }
};

}  // namespace lfn::test
