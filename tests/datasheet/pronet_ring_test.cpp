// SPDX-License-Identifier: BSD-3-Clause
// The ProNET ring: token, order, refusal, recovery; and P1300s on one.
#include "emulators/link/pronet_ring.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "emulators/nic/p1300.hpp"

namespace lfn::test {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

struct Node {
    Node(Loop& loop, PronetRing& ring, std::uint8_t number) : card(loop, ring, {.address = number}) {
        ring.attach(card);
    }
    void enable() {
        card.out8(0, 0x26);
        card.out8(4, 0x20);
        arm();
    }
    void arm() {
        card.out8(2, 0);
        card.out8(3, 0);
        card.out8(0, 0x47);
    }
    void load(std::uint8_t to, unsigned size) {
        count(size);
        card.out8(5, to);
        for (unsigned i = 1; i < size; ++i) card.out8(5, static_cast<std::uint8_t>(i));
    }
    void originate(unsigned size, std::uint8_t ocsr = 0x11) {
        count(size);
        card.out8(4, ocsr);
    }
    void send(std::uint8_t to, unsigned size) {
        load(to, size);
        originate(size);
    }
    void count(unsigned size) {
        card.out8(6, static_cast<std::uint8_t>((2048 - size) & 0xFF));
        card.out8(7, static_cast<std::uint8_t>((2048 - size) >> 8 & 7));
    }
    unsigned status() { return card.in8(4) & 0x0Fu; }
    NicP1300 card;
};

class Ring : public testing::Test {
protected:
    Ring() {
        for (Node* node : {&a, &b, &c}) node->enable();
    }
    ~Ring() override {
        const PronetRing::Counters& counters = ring.counters();
        EXPECT_EQ(counters.seized, counters.returned + counters.cut);
    }
    /// Makes the first token.
    void start() {
        a.send(200, 2);
        loop.run();
    }

    Loop loop;
    PronetRing ring{loop, {}};
    Node a{loop, ring, 1}, b{loop, ring, 2}, c{loop, ring, 3};
};

TEST_F(Ring, has_no_token_until_somebody_may_create_one) {
    EXPECT_FALSE(ring.ring_ok());
    a.load(2, 20);
    a.originate(20, 0x01);
    loop.run();
    EXPECT_EQ(a.status(), 0x08u);
    EXPECT_FALSE(ring.ring_ok());
    a.originate(20, 0x11);
    loop.run();
    EXPECT_EQ(a.status(), 0x00u);
    EXPECT_TRUE(ring.ring_ok());
}

TEST_F(Ring, token_is_made_after_the_flag_timer) {
    a.send(2, 20);
    loop.run_for(milliseconds(3) - nanoseconds(1));
    EXPECT_EQ(ring.counters().seized, 0u);
    loop.run_for(nanoseconds(1));
    EXPECT_EQ(ring.counters().seized, 1u);
    loop.run();
}

TEST_F(Ring, message_is_copied_by_its_destination_and_is_back_after_its_time_and_a_round) {
    start();
    const Time token = loop.now();
    a.send(2, 2046);
    loop.run();
    // a full round until the token is here again, then 2046 x 8 + 21 bits, then a round
    EXPECT_EQ(loop.now() - token, 2 * nanoseconds(3 * 250) + nanoseconds(1'638'900));
    EXPECT_EQ(a.status(), 0x00u);
    EXPECT_EQ(b.card.state().input_count, 2046u);
    EXPECT_EQ(b.card.state().input_buffer[1], 1);
    EXPECT_EQ(c.card.counters().offered, 0u);
}

TEST_F(Ring, nobody_there_is_refused) {
    start();
    a.send(99, 20);
    loop.run();
    EXPECT_EQ(a.status(), 0x02u);
}

TEST_F(Ring, unread_buffer_pushes_back_and_a_repetition_gets_through) {
    start();
    a.send(2, 20);
    loop.run();
    a.send(2, 30);
    loop.run();
    EXPECT_EQ(a.status(), 0x02u);
    b.arm();
    a.originate(30);
    loop.run();
    EXPECT_EQ(a.status(), 0x00u);
    EXPECT_EQ(b.card.state().input_count, 30u);
}

TEST_F(Ring, broadcast_reaches_all_that_are_armed_and_the_sender_too) {
    start();
    c.card.out8(0, 0x46);
    a.send(0xFF, 20);
    loop.run();
    EXPECT_EQ(a.status(), 0x00u);
    EXPECT_EQ(a.card.state().input_count, 20u);
    EXPECT_EQ(b.card.state().input_count, 20u);
    EXPECT_EQ(c.card.state().input_count, 0u);
}

TEST_F(Ring, token_serves_the_waiting_in_ring_order) {
    start();
    a.send(99, 1000);
    loop.run_for(microseconds(10));  // a's message is on the ring now
    c.send(1, 20);
    b.send(1, 40);
    loop.run();
    // b is nearer behind a, though it asked later; c finds a's buffer taken
    EXPECT_EQ(a.card.state().input_count, 40u);
    EXPECT_EQ(b.status(), 0x00u);
    EXPECT_EQ(c.status(), 0x02u);
}

TEST_F(Ring, every_station_sends_and_receives_at_the_same_time) {
    start();
    for (int i = 0; i < 10; ++i) {
        for (Node* node : {&a, &b, &c}) node->arm();
        a.send(2, 2000);
        b.send(3, 2000);
        c.send(1, 2000);
        loop.run();
        for (Node* node : {&a, &b, &c}) EXPECT_EQ(node->status(), 0x00u);
    }
    for (Node* node : {&a, &b, &c}) EXPECT_EQ(node->card.counters().copied, 10u);
}

TEST_F(Ring, lost_token_times_out_or_is_made_anew) {
    start();
    ring.lose_token();
    EXPECT_EQ(a.card.in8(4) & 0x20, 0x20);
    a.load(2, 20);
    a.originate(20, 0x01);
    loop.run();
    EXPECT_EQ(a.status(), 0x08u);
    a.originate(20, 0x11);
    loop.run();
    EXPECT_EQ(a.status(), 0x00u);
    EXPECT_EQ(ring.counters().tokens_made, 2u);
}

TEST_F(Ring, sender_that_is_reset_in_mid_message_takes_the_token_along) {
    start();
    a.send(2, 2000);
    loop.run_for(microseconds(100));
    a.card.out8(4, 0x20);
    EXPECT_EQ(ring.counters().cut, 1u);
    EXPECT_EQ(b.card.in8(0) & 0x88, 0x88);  // BADFMT, interrupt
    EXPECT_FALSE(ring.ring_ok());
    b.send(3, 20);
    loop.run();
    EXPECT_EQ(b.status(), 0x00u);
}

TEST_F(Ring, station_out_of_the_ring_costs_no_hop_and_hears_nothing) {
    EXPECT_EQ(ring.latency(), nanoseconds(750));
    b.card.out8(0, 0x00);
    EXPECT_EQ(ring.latency(), nanoseconds(500));
    start();
    a.send(2, 20);
    loop.run();
    EXPECT_EQ(a.status(), 0x02u);
}

TEST_F(Ring, parity_errors_reach_the_destination) {
    PronetRing noisy(loop, {.message_error_rate = 1.0});
    Node d(loop, noisy, 1), e(loop, noisy, 2);
    d.enable();
    e.enable();
    d.send(2, 20);
    loop.run();
    EXPECT_EQ(e.card.in8(0) & 0x90, 0x90);
    EXPECT_EQ(noisy.counters().damaged, 1u);
}

}  // namespace
}  // namespace lfn::test
