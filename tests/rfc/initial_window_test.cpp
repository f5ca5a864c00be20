// SPDX-License-Identifier: BSD-3-Clause
// RFC 6928: how much a connection may send before the first acknowledgement.
#include "rfc1106_test.hpp"

namespace lfn::test {
namespace {

class InitialWindow : public Rfc1106Test {
protected:
    std::size_t segments_at_once() {
        for (int i = 0; i < 30; ++i) write(kFull);
        return take_offsets().size();
    }
};

TEST_F(InitialWindow, is_that_of_rfc_3390_by_default) {
    agree();
    EXPECT_EQ(pcb->cwnd, 4U * kMss);
    EXPECT_EQ(segments_at_once(), 4U);
}

TEST_F(InitialWindow, as_many_segments_as_asked_for_go_out_at_once) {
    settings.initial_window = 10;
    agree();
    EXPECT_EQ(pcb->cwnd, 10U * kMss);
    EXPECT_EQ(segments_at_once(), 10U);
}

TEST_F(InitialWindow, holds_for_the_side_that_opens_too) {
    settings.initial_window = 7;
    connect_with(b_option(kBig));
    EXPECT_EQ(pcb->cwnd, 7U * kMss);
    wire.sent.clear();
}

TEST_F(InitialWindow, is_one_segment_once_a_syn_was_lost) {
    settings.initial_window = 10;
    send_connect();
    run_ms(3000);
    ASSERT_FALSE(wire.sent.empty()) << "the SYN again";
    wire.sent.clear();
    finish_connect(b_option(kBig));
    EXPECT_EQ(pcb->cwnd, kMss);
    wire.sent.clear();
}

TEST_F(InitialWindow, is_ten_segments_at_most) {
    tcp_pcb* fresh = tcp_new();
    EXPECT_EQ(lfn_tcp_setopt(fresh, LFN_TCP_INITIAL_WINDOW, 10), ERR_OK);
    EXPECT_EQ(lfn_tcp_setopt(fresh, LFN_TCP_INITIAL_WINDOW, 11), ERR_VAL);
    tcp_abort(fresh);
}

}  // namespace
}  // namespace lfn::test
