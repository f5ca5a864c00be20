// SPDX-License-Identifier: BSD-3-Clause
// Retransmission timeouts, fast retransmits, and what a busy driver does to them.
#include <gtest/gtest.h>
#include <lwip/priv/tcp_priv.h>

#include "stack_test.hpp"

namespace lfn::test {
namespace {

constexpr std::uint16_t kMss = 536;

class Retransmission : public StackTest {
protected:
    // This many full segments are in flight, and none of them is on record any more.
    void fly(std::uint32_t segments) {
        accept(mss_option(kMss));
        pcb->cwnd = segments * kMss;
        for (std::uint32_t i = 0; i < segments; ++i) write(kMss);
        ASSERT_EQ(wire.sent.size(), segments);
        wire.sent.clear();
    }

    // 100 octets, and three full segments behind them, are in flight; the 100 wait for a busy driver again.
    void wait_with_a_short_retransmission() {
        accept(mss_option(kMss));
        write(100);
        for (int i = 0; i < 3; ++i) write(kMss);
        wire.sent.clear();
        wire.busy = true;
        duplicate_acks(3);
        ASSERT_EQ(wire.refused, 1U);
    }

    void duplicate_acks(int count) {
        for (int i = 0; i < count; ++i) peer_acks(0);
    }

    // Acknowledges what the stack sends, in order, until it has been quiet for this long; checks every octet.
    std::uint32_t receive_all(std::uint32_t quiet_ms) {
        std::uint32_t next = 0;
        for (std::uint32_t quiet = 0; quiet < quiet_ms; quiet += 100) {
            while (!wire.sent.empty()) {
                const Segment segment = wire.take();
                if (segment.payload.empty() && !segment.has(flag::fin)) continue;
                EXPECT_EQ(segment.payload, stream(offset(segment), segment.payload.size())) << segment;
                if (segment.has(flag::fin)) fin_at = offset(segment) + segment.payload.size();
                if (offset(segment) == next) next += static_cast<std::uint32_t>(segment.payload.size());
                peer_acks(next);
                quiet = 0;
            }
            run_ms(100);
        }
        return next;
    }

    std::size_t fin_at = 0;  // where the stack's FIN was seen in the stream
};

TEST_F(Retransmission, data_resumes_after_a_busy_driver_outlasts_the_timeout) {
    fly(8);
    wire.busy = true;
    duplicate_acks(4);
    EXPECT_GT(wire.refused, 0U);
    run_ms(3500);
    wire.busy = false;
    run_ms(7000);
    ASSERT_FALSE(wire.sent.empty());
    EXPECT_EQ(offset(wire.sent.front().segment), 0U) << "the lowest octet goes first";
    EXPECT_EQ(receive_all(30'000), 8U * kMss);
}

TEST_F(Retransmission, data_written_while_a_retransmission_waits_goes_behind_what_is_in_flight) {
    wait_with_a_short_retransmission();
    write(200);
    wire.busy = false;
    EXPECT_EQ(receive_all(30'000), 100U + 3U * kMss + 200U);
}

TEST_F(Retransmission, fin_sent_while_a_retransmission_waits_goes_behind_what_is_in_flight) {
    wait_with_a_short_retransmission();
    ASSERT_EQ(tcp_shutdown(pcb, 0, 1), ERR_OK);
    wire.busy = false;
    EXPECT_EQ(receive_all(30'000), 100U + 3U * kMss);
    EXPECT_EQ(fin_at, 100U + 3U * kMss);
}

TEST_F(Retransmission, fast_retransmit_does_not_lengthen_the_back_off) {
    fly(4);
    duplicate_acks(4);
    run_ms(60'000);
    std::vector<std::uint32_t> at;
    for (const auto& sent : wire.sent) at.push_back(sent.at_ms);
    ASSERT_GE(at.size(), 4U);  // the fast retransmit and three timeouts
    const std::uint32_t first = at[1] - at[0];
    EXPECT_NEAR(at[2] - at[1], 2 * first, 1000);
    EXPECT_NEAR(at[3] - at[2], 4 * first, 2000);
}

TEST_F(Retransmission, twelve_duplicate_syns_do_not_abort_the_handshake) {
    listen();
    send_syn();
    Peer again = peer;
    again.seq = peer.iss;
    for (int i = 0; i < TCP_MAXRTX; ++i) {
        wire.inject(again.segment(flag::syn));
        EXPECT_EQ(wire.take().flags, flag::syn | flag::ack);
    }
    run_ms(1000);
    wire.inject(peer.segment(flag::ack));
    EXPECT_TRUE(user.connected);
}

TEST_F(Retransmission, twelve_retransmissions_on_request_do_not_abort_the_connection) {
    fly(4);
    for (int i = 0; i < TCP_MAXRTX; ++i) {
        ASSERT_EQ(tcp_rexmit(pcb), ERR_OK);
        tcp_output(pcb);
        EXPECT_EQ(offset(wire.take()), 0U);
    }
    run_ms(1000);
    EXPECT_EQ(user.error, ERR_OK);
}

TEST_F(Retransmission, handshake_without_an_answer_still_ends) {
    listen();
    send_syn();
    run_ms(600'000);
    EXPECT_EQ(tcp_active_pcbs, nullptr);
    wire.sent.clear();
}

TEST_F(Retransmission, acknowledged_by_a_closed_window_after_a_timeout_leaves_no_probe) {
    fly(2);
    peer_acks(kMss, std::uint16_t{0});
    run_ms(5000);  // the timeout queues the second segment again, and the window holds it back
    peer_acks(2 * kMss);
    ASSERT_EQ(pcb->persist_backoff, 0U);
    wire.sent.clear();
    run_ms(60000);
    EXPECT_TRUE(wire.sent.empty());
}

TEST_F(Retransmission, fin_stays_with_the_last_octet_of_a_segment_that_is_split) {
    accept(mss_option(kMss));
    write(1);
    wire.sent.clear();
    peer_acks(1, 4);
    write(10);
    EXPECT_TRUE(wire.sent.empty()) << "it is more than the window";
    ASSERT_EQ(tcp_shutdown(pcb, 0, 1), ERR_OK);
    run_ms(10'000);
    const Segment first = wire.take();
    EXPECT_EQ(first.payload, stream(1, 4));
    EXPECT_FALSE(first.has(flag::fin));
    wire.sent.clear();
    peer_acks(5, 100);
    const Segment last = wire.take();
    EXPECT_EQ(last.payload, stream(5, 6));
    EXPECT_TRUE(last.has(flag::fin));
    wire.sent.clear();
}

TEST_F(Retransmission, zero_window_probe_carries_the_next_byte_behind_the_options) {
    wire.added_options = {253, 4, 0x11, 0x06};
    peer.window = 0;
    connect();
    write(100);
    EXPECT_TRUE(wire.sent.empty());
    run_ms(5000);
    const Segment probe = wire.take();
    EXPECT_EQ(probe.options, wire.added_options);
    EXPECT_EQ(probe.payload, stream(0, 1)) << probe;
    wire.sent.clear();
    peer_acks(1, std::uint16_t{0xffff});
    run_ms(20'000);
    const Segment rest = wire.take();
    EXPECT_EQ(rest.payload.back(), stream(99, 1).front());
}

}  // namespace
}  // namespace lfn::test
