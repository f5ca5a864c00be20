// SPDX-License-Identifier: BSD-3-Clause
// P1300: loopback, and the discovery of the station's own address by it.
#include "tests/datasheet/p1300_fixture.hpp"

namespace lfn::test {
namespace {

using std::chrono::nanoseconds;

class CardP1300Loopback : public CardP1300 {
protected:
    /// PC/IP's sequence up to the originate.
    void begin_discovery(std::uint8_t icsr = 0x03) {
        out(ICSR, 0x20);
        out(OCSR, 0x20);
        input_count(0);
        out(ICSR, icsr);
        output_count_minus(2);
        out(OBUF, 0xFF);
        output_count_minus(2);
        out(OCSR, 0x11);
    }
};

TEST_F(CardP1300Loopback, address_is_discovered_by_a_two_byte_broadcast_to_oneself) {
    begin_discovery();
    EXPECT_EQ(in(ICSR)&0x01, 0x01);
    loop.run();
    EXPECT_EQ(in(ICSR)&0x01, 0x00);
    EXPECT_EQ(input_count(), 2u);
    EXPECT_EQ(read_input(2), (Bytes{0xFF, own_node}));
    EXPECT_EQ(in(OCSR)&0x0F, 0x00);
}

TEST_F(CardP1300Loopback, takes_the_message_s_time) {
    begin_discovery();
    loop.run_for(nanoseconds(3'699));  // 2 x 8 + 21 bits, less 1 ns
    EXPECT_EQ(in(ICSR)&0x01, 0x01);
    EXPECT_EQ(in(OCSR)&0x01, 0x01);
    loop.run_for(nanoseconds(1));
    EXPECT_EQ(in(ICSR)&0x01, 0x00);
    EXPECT_EQ(in(OCSR)&0x01, 0x00);
}

TEST_F(CardP1300Loopback, nothing_reaches_the_ring) {
    begin_discovery();
    loop.run();
    EXPECT_TRUE(ring.messages.empty());
    EXPECT_FALSE(ring.relay_closed);
}

TEST_F(CardP1300Loopback, needs_no_token) {
    ring.ok = false;
    begin_discovery();
    loop.run();
    EXPECT_EQ(in(OCSR)&0x0F, 0x00);
}

TEST_F(CardP1300Loopback, hears_nothing_of_the_ring) {
    begin_discovery();
    EXPECT_FALSE(pass(message(own_node, 100)));
    EXPECT_FALSE(pass(message(0xFF, 100)));
    EXPECT_EQ(input_count(), 2u);
}

TEST_F(CardP1300Loopback, analog_loopback_does_the_same) {
    begin_discovery(0x05);
    loop.run();
    EXPECT_EQ(read_input(2), (Bytes{0xFF, own_node}));
    EXPECT_TRUE(ring.messages.empty());
}

TEST_F(CardP1300Loopback, unarmed_receiver_refuses_its_own_message) {
    begin_discovery(0x02);
    loop.run();
    EXPECT_EQ(in(OCSR)&0x0F, 0x02);
    EXPECT_EQ(input_count(), 0u);
}

TEST_F(CardP1300Loopback, message_for_somebody_else_is_refused) {
    out(ICSR, 0x03);
    load(message(other_node, 20));
    out(OCSR, 0x11);
    loop.run();
    EXPECT_EQ(in(OCSR)&0x0F, 0x02);
    EXPECT_EQ(in(ICSR)&0x01, 0x01);
}

TEST_F(CardP1300Loopback, joining_the_ring_in_mid_message_spoils_it) {
    begin_discovery();
    out(ICSR, 0x47);
    loop.run();
    EXPECT_EQ(in(OCSR)&0x0F, 0x04);
    EXPECT_EQ(in(ICSR)&0x01, 0x01);
    EXPECT_EQ(card.counters().refused_for(RefusalCause::disarmed), 1u);
}

TEST_F(CardP1300Loopback, discovery_then_enable_leaves_a_working_station) {
    begin_discovery();
    loop.run();
    enable();
    EXPECT_FALSE(card.irq.level());
    EXPECT_TRUE(ring.relay_closed);
    EXPECT_TRUE(pass(message(own_node, 300)));
    EXPECT_TRUE(card.irq.level());
}

}  // namespace
}  // namespace lfn::test
