// SPDX-License-Identifier: BSD-3-Clause
// RFC 1106 3: what options B and C do once they are agreed.
#include <algorithm>

#include "rfc1106_test.hpp"

namespace lfn::test {
namespace {

class BigWindow : public Rfc1106Test {
public:
    std::uint32_t unread = 0;

protected:
    // The oldest segment, which carries C with this window.
    Segment take_with_window(std::uint32_t window) {
        Segment segment = wire.take();
        EXPECT_EQ(window_of(segment), window) << segment;
        return segment;
    }
};

TEST_F(BigWindow, option_c_rides_in_every_segment_but_rst) {
    agree();
    write(100);
    take_with_window(kBig);  // data
    run_ms(1500);
    take_with_window(kBig);  // their retransmission
    acks(100);
    peer_sends_at(0, 10);
    peer.seq += 10;
    run_ms(TCP_TMR_INTERVAL);
    constexpr std::uint32_t kNow = kBig - 10;  // ten octets are no reason to move the edge
    take_with_window(kNow);                    // a delayed acknowledgement
    peer_window = 0;
    acks(100);
    write(100);
    run_ms(5000);
    EXPECT_EQ(take_with_window(kNow).payload.size(), 1U);  // the probe of a closed window
    wire.sent.clear();
    peer_window = kBig;
    acks(101);
    acks(200);
    wire.sent.clear();
    ip_set_option(pcb, SOF_KEEPALIVE);
    pcb->keep_idle = 2000;
    run_ms(4000);
    take_with_window(kNow);  // a keep-alive
    acks(200);
    wire.sent.clear();
    ASSERT_EQ(tcp_shutdown(pcb, 0, 1), ERR_OK);
    EXPECT_TRUE(take_with_window(kNow).has(flag::fin));
    tcp_abort(pcb);
    const Segment reset = wire.take();
    EXPECT_TRUE(reset.has(flag::rst));
    EXPECT_FALSE(window_of(reset)) << reset;
}

TEST_F(BigWindow, option_c_rides_in_the_acknowledgement_of_a_repeated_fin) {
    agree();
    ASSERT_EQ(tcp_close(pcb), ERR_OK);
    pcb = nullptr;
    wire.take();
    peer.ack = first_data + 1;
    says(flag::fin | flag::ack);
    take_with_window(kBig - 1);
    ASSERT_NE(tcp_tw_pcbs, nullptr);
    says(flag::fin | flag::ack);
    take_with_window(kBig - 1);
}

TEST_F(BigWindow, window_above_64k_is_announced_and_obeyed) {
    settings.send_buffer = 2 * kBig;
    agree();
    pcb->cwnd = LFN_WINDOW_MAX;
    for (std::uint32_t sent = 0; sent < kBig + 10 * kFull; sent += kFull) write(kFull);
    EXPECT_EQ(info().in_flight, kBig / kFull * kFull);
    for (const Segment& segment : take_all()) EXPECT_EQ(window_of(segment), kBig) << segment;
}

TEST_F(BigWindow, data_at_the_far_end_of_a_big_window_is_taken_and_beyond_it_is_not) {
    agree();
    peer_sends_at(kBig - 100, 100);
    std::vector<Named> hole;
    const std::uint32_t piece = 255U * kFull;
    for (std::uint32_t at = 0; at < kBig - 100; at += piece) {
        const std::uint32_t left = (kBig - 100 - at + kFull - 1) / kFull;
        hole.push_back({peer_first + at, static_cast<std::uint8_t>(std::min(left, 255U))});
    }
    EXPECT_EQ(naks_of(wire.take()), hole);
    peer_sends_at(kBig, 100);
    EXPECT_TRUE(naks_of(wire.take()).empty());
    for (std::uint32_t at = 0; at < kBig - 100;) {
        const std::uint32_t size = std::min<std::uint32_t>(kFull, kBig - 100 - at);
        peer_sends_at(at, size);
        at += size;
    }
    EXPECT_EQ(user.received, stream(0, kBig));
    wire.sent.clear();
}

TEST_F(BigWindow, window_shrinks_by_what_is_unread_and_its_lower_half_is_in_the_header) {
    agree();
    tcp_recv(pcb, [](void* self, tcp_pcb*, pbuf* p, err_t) {
        static_cast<BigWindow*>(self)->unread = p->tot_len;
        pbuf_free(p);
        return err_t{ERR_OK};
    });
    peer_sends_at(0, 500);
    run_ms(TCP_TMR_INTERVAL);
    EXPECT_EQ(unread, 500U);
    const Segment ack = take_with_window(kBig - 500);
    EXPECT_EQ(ack.window, (kBig - 500) & 0xffff);
    EXPECT_EQ(ack.option(kind::c), (Octets{0, kBig >> 16}));
}

TEST_F(BigWindow, first_acknowledgement_without_c_means_that_b_was_lost) {
    answer_syn(join({b_option(kBig), window_scale_option(3)}));
    peer.window = 1000;
    says(flag::ack);
    ASSERT_TRUE(user.connected);
    EXPECT_EQ(info().window_rule, LFN_WINDOW_RFC7323);
    EXPECT_EQ(info().snd_wnd, 8000U);
    write(100);
    const Segment segment = wire.take();
    EXPECT_FALSE(segment.option(kind::c)) << segment;
    EXPECT_EQ(segment.window, kBig >> lfn_window_scale_for(kBig));
}

TEST_F(BigWindow, first_acknowledgement_without_c_or_scale_leaves_16_bits) {
    answer_syn(b_option(kBig));
    peer.window = 1000;
    says(flag::ack | flag::psh, {}, stream(0, 10));
    ASSERT_TRUE(user.connected);
    EXPECT_EQ(user.received, stream(0, 10)) << "the data of that segment count";
    EXPECT_EQ(info().window_rule, LFN_WINDOW_16BIT);
    EXPECT_EQ(info().snd_wnd, 1000U);
    EXPECT_EQ(info().rcv_wnd, 65535U);
    EXPECT_FALSE(info().nak_agreed);
    run_ms(TCP_TMR_INTERVAL);
    const Segment ack = wire.take();
    EXPECT_FALSE(ack.option(kind::c)) << ack;
    EXPECT_EQ(ack.window, 65535U - 10) << "too little was read to move the edge";
}

TEST_F(BigWindow, first_acknowledgement_with_c_and_data_agrees) {
    answer_syn(b_option(kBig));
    peer_says_c = true;
    says(flag::ack | flag::psh, {}, stream(0, 10));
    EXPECT_EQ(info().window_rule, LFN_WINDOW_BC);
    EXPECT_EQ(info().snd_wnd, kBig);
    EXPECT_EQ(user.received, stream(0, 10));
    run_ms(TCP_TMR_INTERVAL);
    take_with_window(kBig - 10);
}

TEST_F(BigWindow, another_c_under_the_same_header_is_a_window_update_not_a_duplicate) {
    settings.dup_acks = LFN_DUP_ACKS_ON;
    agree();
    fly(4);
    for (int i = 0; i < 6; ++i) {
        peer_window += 0x10000;
        acks(0);
        EXPECT_EQ(info().snd_wnd, peer_window);
    }
    EXPECT_TRUE(wire.sent.empty());
    for (int i = 0; i < 3; ++i) acks(0);
    EXPECT_EQ(take_offsets(), std::vector<std::uint32_t>{0}) << "with the same C it is one";
}

TEST_F(BigWindow, segment_without_c_acknowledges_but_leaves_the_right_edge) {
    agree();
    fly(4);
    peer_says_c = false;
    peer.window = 0xffff;
    acks(kFull);
    EXPECT_EQ(info().in_flight, 3U * kFull);
    EXPECT_EQ(info().snd_wnd, kBig - kFull);
    peer.window = 0;
    acks(2 * kFull);
    EXPECT_EQ(info().in_flight, 2U * kFull);
    EXPECT_EQ(info().snd_wnd, kBig - 2 * kFull);
    acks(2 * kFull);
    EXPECT_EQ(info().snd_wnd, kBig - 2 * kFull) << "a repeated one changes nothing";
    peer_says_c = true;
    acks(2 * kFull);
    EXPECT_EQ(info().snd_wnd, kBig);
    wire.sent.clear();
}

TEST_F(BigWindow, a_window_of_2_to_the_30_is_said_and_understood) {
    settings.receive_window = LFN_WINDOW_MAX;
    peer_window = LFN_WINDOW_MAX;
    agree();
    EXPECT_EQ(info().snd_wnd, LFN_WINDOW_MAX);
    write(10);
    const Segment segment = take_with_window(LFN_WINDOW_MAX);
    EXPECT_EQ(segment.window, 0U);
    EXPECT_EQ(segment.option(kind::c), (Octets{0x40, 0}));
}

TEST_F(BigWindow, data_queued_before_the_answer_leaves_room_for_c) {
    send_connect();
    const Octets octets = stream(0, 3000);
    ASSERT_EQ(tcp_write(pcb, octets.data(), 3000, TCP_WRITE_FLAG_COPY), ERR_OK);
    peer_says_c = true;
    finish_connect(b_option(kBig));
    std::uint32_t next = 0;
    while (!wire.sent.empty()) {
        const Segment segment = take_with_window(kBig);
        EXPECT_LE(segment.payload.size() + segment.options.size(), kMss);
        EXPECT_EQ(segment.payload, stream(next, segment.payload.size()));
        next += static_cast<std::uint32_t>(segment.payload.size());
        acks(next);
    }
    EXPECT_EQ(next, 3000U);
}

TEST_F(BigWindow, data_queued_for_a_c_that_was_not_agreed_go_with_nops) {
    send_connect();
    const Octets octets = stream(0, 100);
    ASSERT_EQ(tcp_write(pcb, octets.data(), 100, TCP_WRITE_FLAG_COPY), ERR_OK);
    finish_connect({});
    const Segment segment = wire.take();
    EXPECT_EQ(segment.payload, octets);
    EXPECT_FALSE(segment.option(kind::c));
    EXPECT_EQ(Octets(segment.options.end() - 4, segment.options.end()), Octets(4, kind::nop)) << segment;
}

}  // namespace
}  // namespace lfn::test
