// SPDX-License-Identifier: BSD-3-Clause
// Settings of a pcb outlive tcp_listen(), which makes another pcb of it, and reach the connections.
#include "rfc1106_test.hpp"

namespace lfn::test {
namespace {

class Listener : public Rfc1106Test {
protected:
    // A listener made of a pcb that has the settings already.
    void listen_with_settings() {
        tcp_pcb* closed = tcp_new();
        ASSERT_EQ(lfn_tcp_set(closed, &settings), ERR_OK);
        ASSERT_EQ(tcp_bind(closed, IP_ADDR_ANY, peer.stack_port), ERR_OK);
        before = tcp_ext_arg_get(closed, LFN_TCP_EXT_ARG);
        listener = tcp_listen(closed);
        ASSERT_NE(listener, nullptr);
    }

    int get(const tcp_pcb* of, int option) const {
        int value = -1;
        EXPECT_EQ(lfn_tcp_getopt(of, option, &value), ERR_OK);
        return value;
    }

    void* before = nullptr;
};

TEST_F(Listener, extension_arguments_move_to_the_listener) {
    listen_with_settings();
    EXPECT_NE(before, nullptr);
    EXPECT_EQ(tcp_ext_arg_get(listener, LFN_TCP_EXT_ARG), before);
    EXPECT_EQ(get(listener, LFN_TCP_RECEIVE_WINDOW), static_cast<int>(kBig));
    EXPECT_EQ(get(listener, LFN_TCP_NAK), LFN_NAK_EVERY_GAP);
}

TEST_F(Listener, connections_inherit_its_settings_as_they_are_when_the_syn_comes) {
    listen();
    ASSERT_EQ(lfn_tcp_set(listener, &settings), ERR_OK);
    ASSERT_EQ(lfn_tcp_setopt(listener, LFN_TCP_SEND_BUFFER, 123'456), ERR_OK);
    send_syn(join({common_syn(), b_option(kBig)}));
    ASSERT_EQ(lfn_tcp_setopt(listener, LFN_TCP_BIG_WINDOW, 0), ERR_OK);
    peer_says_c = true;
    says(flag::ack);
    EXPECT_EQ(get(pcb, LFN_TCP_BIG_WINDOW), 1);
    EXPECT_EQ(get(pcb, LFN_TCP_SEND_BUFFER), 123'456);
    EXPECT_EQ(pcb->snd_buf, 123'456U);
    EXPECT_EQ(info().window_rule, LFN_WINDOW_BC);
}

TEST_F(Listener, a_connection_outlives_it) {
    agree();
    tcp_close(listener);
    listener = nullptr;
    write(100);
    EXPECT_EQ(window_of(wire.take()), kBig);
    run_ms(1000);
    EXPECT_EQ(take_offsets(), std::vector<std::uint32_t>{0}) << "the timer goes on";
}

TEST_F(Listener, without_settings_makes_plain_connections) {
    listen();
    const Segment syn_ack = send_syn(join({common_syn(), b_option(kBig)}));
    EXPECT_FALSE(syn_ack.option(kind::b));
    says(flag::ack);
    EXPECT_EQ(tcp_ext_arg_get(pcb, LFN_TCP_EXT_ARG), nullptr);
}

}  // namespace
}  // namespace lfn::test
