// SPDX-License-Identifier: BSD-3-Clause
// What keeps a big window safe: RFC 5961's checks, the clamp of RFC 1110's objection, PAWS.
#include "lfn/guard.h"
#include "rfc1106_test.hpp"

namespace lfn::test {
namespace {

class Guard : public Rfc1106Test {
protected:
    void says_at(std::uint32_t seq, std::uint8_t flags, const Octets& payload = {}) {
        const std::uint32_t before = peer.seq;
        peer.seq = seq;
        says(flags, {}, payload);
        peer.seq = before;
    }
    // What was said is not believed, and an acknowledgement of what holds says so.
    void expect_challenge() {
        ASSERT_EQ(wire.sent.size(), 1U);
        const Segment answer = wire.take();
        EXPECT_EQ(answer.flags, flag::ack);
        EXPECT_EQ(answer.seq, pcb->snd_nxt);
        EXPECT_EQ(answer.ack, pcb->rcv_nxt);
    }
};

TEST_F(Guard, a_blind_reset_inside_the_window_is_challenged_and_one_at_its_edge_is_believed) {
    agree();
    says_at(peer.seq + 1, flag::rst);
    expect_challenge();
    says_at(peer.seq + kBig - 1, flag::rst);
    expect_challenge();
    says_at(peer.seq + kBig, flag::rst);
    EXPECT_TRUE(wire.sent.empty()) << "outside";
    says_at(peer.seq - 1, flag::rst);
    EXPECT_TRUE(wire.sent.empty()) << "outside";
    EXPECT_EQ(info().forged, 4U);
    says_at(peer.seq, flag::rst);
    EXPECT_EQ(pcb, nullptr);
    EXPECT_EQ(user.error, ERR_RST);
}

TEST_F(Guard, a_syn_on_a_connection_is_challenged_wherever_it_is) {
    agree();
    for (const std::uint32_t seq : {peer.seq, peer.seq + 1, peer.seq - 1, peer.seq + 0x40000000}) {
        says_at(seq, flag::syn);
        expect_challenge();
    }
    EXPECT_EQ(info().forged, 4U);
    ASSERT_NE(pcb, nullptr);
}

TEST_F(Guard, data_whose_acknowledgement_is_out_of_place_are_not_taken) {
    agree();
    fly(4);
    const Octets payload = stream(0, 100);
    peer.ack = first_data - kBig - 1;
    says(flag::ack, {}, payload);
    expect_challenge();
    peer.ack = first_data + 4 * kFull + 1;
    says(flag::ack, {}, payload);
    expect_challenge();
    EXPECT_TRUE(user.received.empty());
    EXPECT_EQ(info().in_flight, 4U * kFull);
    peer.ack = first_data - kBig;
    says(flag::ack, {}, payload);
    EXPECT_EQ(user.received, payload) << "as old as an acknowledgement can be";
    wire.sent.clear();
}

TEST_F(Guard, challenges_are_ten_in_five_seconds) {
    agree();
    for (int i = 0; i < 100; ++i) says_at(peer.seq, flag::syn);
    EXPECT_EQ(wire.sent.size(), std::size_t{LFN_CHALLENGES});
    wire.sent.clear();
    EXPECT_EQ(info().forged, 100U);
    EXPECT_EQ(info().challenges_sent, unsigned{LFN_CHALLENGES});
    run_ms(LFN_CHALLENGES_MS);
    says_at(peer.seq, flag::syn);
    expect_challenge();
}

TEST_F(Guard, a_flood_of_challenges_does_not_hold_up_data) {
    agree();
    for (int i = 0; i < 100; ++i) says_at(peer.seq, flag::syn);
    wire.sent.clear();
    peer_sends(stream(0, 100));
    EXPECT_EQ(user.received, stream(0, 100));
    wire.sent.clear();
}

class Clamp : public Rfc1106Test {
protected:
    Clamp() {
        settings.isolated = false;
        settings.timestamps = false;
        settings.receive_window = settings.send_buffer = kWanted;
        peer_window = kWanted;
        handshake_ms = 100;
    }
    static constexpr std::uint32_t kWanted = 8'000'000;
    static constexpr std::uint32_t kHeld = 1'789'569;  // 2^31 x 0.1 / 120
};

#if !LWIP_TCP_TIMESTAMPS
TEST_F(Clamp, a_window_that_could_bring_a_number_round_in_a_lifetime_is_held_both_ways) {
    agree();
    EXPECT_EQ(info().rcv_wnd, kHeld);
    EXPECT_EQ(info().snd_wnd, kHeld);
}
#endif

TEST_F(Clamp, an_isolated_path_needs_no_clamp) {
    settings.isolated = true;
    agree();
    EXPECT_EQ(info().rcv_wnd, kWanted);
    EXPECT_EQ(info().snd_wnd, kWanted);
}

#if LWIP_TCP_TIMESTAMPS
TEST_F(Clamp, timestamps_need_no_clamp) {
    agree();
    ASSERT_TRUE(info().timestamps_agreed);
    EXPECT_EQ(info().rcv_wnd, kWanted);
    EXPECT_EQ(info().snd_wnd, kWanted);
}
#endif

#if !LWIP_TCP_TIMESTAMPS
TEST_F(Clamp, a_shorter_round_trip_brings_it_down_for_what_is_sent) {
    agree();
    for (const std::uint32_t flown : {1U, 2U}) {
        fly(1);
        run_ms(50);
        acks(flown * kFull);
    }
    EXPECT_EQ(info().rtt_floor_ms, 50U);
    EXPECT_EQ(info().snd_wnd, lfn_guard_window(50));
}
#endif

#if LWIP_TCP_TIMESTAMPS
class Timestamps : public Rfc1106Test {
protected:
    void SetUp() override {
        peer.timestamps = false;
        agree_stamped(1000);
    }
    void agree_stamped(std::uint32_t value) {
        answer_syn(b_option(peer_window));
        run_ms(handshake_ms);
        peer_says_c = true;
        says(flag::ack, timestamps_option(value, 0));
        ASSERT_TRUE(user.connected);
    }
    void peer_sends_stamped(std::uint32_t offset, std::size_t size, std::uint32_t value) {
        peer.seq = peer_first + offset;
        says(flag::ack, timestamps_option(value, 0), stream(offset, size));
    }
};

TEST_F(Timestamps, a_copy_from_an_earlier_lap_is_dropped_and_acknowledged) {
    peer_sends_stamped(0, 100, 2000);
    wire.sent.clear();
    const std::size_t before = user.received.size();
    peer_sends_stamped(100, 100, 1999);
    EXPECT_EQ(user.received.size(), before);
    EXPECT_EQ(info().paws_refused, 1U);
    ASSERT_EQ(wire.sent.size(), 1U);
    EXPECT_EQ(wire.take().ack, peer_first + 100);
    peer_sends_stamped(100, 100, 2000);
    EXPECT_EQ(user.received, stream(0, 200)) << "the same clock tick is young enough";
    wire.sent.clear();
}

TEST_F(Timestamps, a_segment_without_one_is_dropped_in_silence) {
    peer_sends_stamped(0, 100, 2000);
    wire.sent.clear();
    says(flag::ack, {}, stream(100, 100));
    EXPECT_EQ(user.received.size(), 100U);
    EXPECT_TRUE(wire.sent.empty());
}

TEST_F(Timestamps, a_reset_needs_none) {
    says(flag::rst);
    EXPECT_EQ(pcb, nullptr);
}

TEST_F(Timestamps, what_comes_out_of_order_does_not_set_the_newest) {
    peer_sends_stamped(100, 100, 5000);
    peer_sends_stamped(0, 100, 2000);
    EXPECT_EQ(user.received, stream(0, 200)) << "RFC 7323 4.3: the hole's filler is older than what is behind it";
    wire.sent.clear();
}

TEST_F(Timestamps, an_echo_is_a_round_trip_of_a_retransmission_too) {
    fly(1);
    run_ms(info().rto_ms);
    ASSERT_EQ(info().rtos, 1U);
    const auto sent = wire.take().option(kind::timestamps);
    wire.sent.clear();
    ASSERT_TRUE(sent);
    const std::uint32_t echo =
        static_cast<std::uint32_t>((*sent)[0]) << 24 | (*sent)[1] << 16 | (*sent)[2] << 8 | (*sent)[3];
    run_ms(300);
    peer.ack = first_data + kFull;
    says(flag::ack, timestamps_option(3000, echo));
    EXPECT_EQ(info().srtt_ms, 300U / 8 + 0U) << "smoothed into the handshake's zero";
}
#endif

class TimestampOffer : public Rfc1106Test {};

TEST_F(TimestampOffer, is_in_the_syn_where_the_build_or_the_connection_wants_it) {
    const Segment syn = send_connect();
    EXPECT_EQ(syn.option(kind::timestamps).has_value(), kTimestamps);
    wire.sent.clear();
}

// RFC 1110: after 2^32 octets, four windows of 2^30, a sequence number comes round. A copy of the peer's first segment
// was held up in the network for just so long, and arrives before the segment that has its number now.
class Lap : public Rfc1106Test {
protected:
    static constexpr std::uint32_t kFirst = 100;   // octets of the segment that was held up
    static constexpr std::uint32_t kBefore = 500;  // octets to come in front of its place in the next lap

    void SetUp() override {
        settings.nak_mode = LFN_NAK_OFF;
        peer.timestamps = false;
        answer_syn(b_option(peer_window));
        peer_says_c = true;
        says(flag::ack, stamp(1));
        sends(0, kFirst, 0, 10);
        // The lap: the connection carries 2^32 - kFirst - kBefore octets, and is as it was but for where it stands.
        pcb->rcv_nxt = peer_first - kBefore;
        pcb->rcv_ann_right_edge = pcb->rcv_nxt + pcb->rcv_wnd;
#if LWIP_TCP_TIMESTAMPS
        pcb->ts_lastacksent = pcb->rcv_nxt;
#endif
        user.received.clear();
    }
    // `size` octets at this offset from where the connection began; content from `content` on.
    void sends(std::uint32_t offset, std::uint32_t size, std::uint32_t content, std::uint32_t time) {
        peer.seq = peer_first + offset;
        says(flag::ack, stamp(time), stream(content, size));
    }
    static Octets stamp(std::uint32_t time) {
        return kTimestamps ? timestamps_option(time, 0) : Octets{};
    }
    void copy_arrives_and_the_stream_goes_on() {
        sends(0 - kBefore, 100, 5000, 100'000);
        sends(0, kFirst, 0, 10);
        sends(100 - kBefore, kBefore - 100, 5100, 100'000);
        sends(0, kFirst, 5000 + kBefore, 100'000);
        wire.sent.clear();
    }
};

#if !LWIP_TCP_TIMESTAMPS
TEST_F(Lap, without_guards_a_copy_from_the_lap_before_takes_the_place_of_new_data) {
    copy_arrives_and_the_stream_goes_on();
    EXPECT_EQ(user.received, join({stream(5000, kBefore), stream(0, kFirst)})) << "silently wrong";
}
#endif

#if LWIP_TCP_TIMESTAMPS
TEST_F(Lap, with_timestamps_it_is_refused) {
    copy_arrives_and_the_stream_goes_on();
    EXPECT_EQ(user.received, stream(5000, kBefore + kFirst));
    EXPECT_EQ(info().paws_refused, 1U);
}
#endif

}  // namespace
}  // namespace lfn::test
