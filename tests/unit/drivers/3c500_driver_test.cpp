// SPDX-License-Identifier: BSD-3-Clause
// The 3C500 driver over a card that goes wrong in each way that it can, one at a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "emulators/nic/3c500.hpp"
#include "ports/drivers/3c500.h"
#include "tests/datasheet/isa_io.hpp"
#include "tests/datasheet/scripted_ethernet.hpp"

namespace lfn::test {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::ElementsAreArray;

constexpr EthernetAddress own{0x02, 0x60, 0x8C, 0x12, 0x34, 0x56};
constexpr EthernetAddress other{0x02, 0x60, 0x8C, 0x65, 0x43, 0x21};

// A cable on which a carrier never goes away: what is to be sent waits for ever.
class JammedEthernet final : public EthernetWire {
public:
    explicit JammedEthernet(Loop&) {}
    void transmit(EthernetStation&, const EthernetFrame&) override { ++waiting; }
    void abort(EthernetStation&) override { --waiting; }
    int waiting = 0;
};

template <class Wire>
class DriverOn : public testing::Test {
protected:
    DriverOn() : wire(loop), card(loop, wire, {.prom_address = own}), bus(card, 0x300), io(bus.face()) {
        card.irq.connect(Callback::bind<&DriverOn::on_line>(*this));
        EXPECT_TRUE(lfn_3c500_init(&nic, &io, 0x300));
        loop.run_for(microseconds(10));
    }
    void on_line() {
        if (!card.irq.level()) return;
        if (interrupts_lost > 0) {
            --interrupts_lost;
        } else {
            lfn_3c500_interrupt(&nic);
        }
    }

    std::uint32_t now_ms() const {
        return start_ms + static_cast<std::uint32_t>(nanoseconds_of(loop.now()) / 1'000'000);
    }
    lfn_send_result send(const Bytes& frame) { return lfn_3c500_transmit(&nic, frame.data(), frame.size(), now_ms()); }
    Bytes poll(std::size_t room_octets = LFN_3C500_FRAME_MAX) {
        Bytes room(room_octets);
        room.resize(lfn_3c500_poll(&nic, now_ms(), room.data(), room.size()));
        return room;
    }
    /// As a host does: at every announcement.
    Bytes run(Duration duration) {
        Bytes received;
        const Time end = loop.now() + duration;
        while (loop.now() < end) {
            loop.run_for(microseconds(10));
            if (nic.announced) received = poll();
        }
        return received;
    }
    void pass(const Bytes& bytes, bool fcs_error = false, bool dribble = false) {
        card.frame_started();
        loop.run_for(ethernet::wire_time(bytes.size()));
        card.frame_ended({bytes, fcs_error, dribble});
    }
    /// The driver still receives and sends.
    void expect_alive(Wire& cable) {
        loop.run_for(microseconds(20));
        const Bytes frame = frame_to(own, 300, 9);
        pass(frame);
        EXPECT_EQ(poll(), frame);
        const std::size_t before = cable.frames.size();
        ASSERT_EQ(send(frame_to(other, 80)), LFN_SEND_STARTED);
        run(milliseconds(1));
        EXPECT_EQ(cable.frames.size(), before + 1);
        EXPECT_FALSE(lfn_3c500_sending(&nic));
    }

    static constexpr std::uint32_t start_ms = 0xFFFFFFF0;  // the clock wraps early on
    Loop loop;
    Wire wire;
    Nic3c500 card;
    IsaIo bus;
    lfn_io io;
    lfn_3c500 nic;
    int interrupts_lost = 0;
};

using Driver3c500 = DriverOn<ScriptedEthernet>;
using Driver3c500OnAJammedCable = DriverOn<JammedEthernet>;

TEST_F(Driver3c500, takes_its_address_from_the_prom) {
    EXPECT_THAT(nic.address, ElementsAreArray(own));
    EXPECT_EQ(card.state().station_address, own);
}

TEST_F(Driver3c500, refuses_a_bus_without_a_card) {
    lfn_3c500 absent;
    EXPECT_FALSE(lfn_3c500_init(&absent, &io, 0x280));
}

TEST_F(Driver3c500, sends_a_frame_and_pads_a_short_one) {
    const Bytes frame = frame_to(other, 700);
    ASSERT_EQ(send(frame), LFN_SEND_STARTED);
    run(milliseconds(2));
    const Bytes small = frame_to(other, 42);
    ASSERT_EQ(send(small), LFN_SEND_STARTED);
    run(milliseconds(1));
    Bytes padded = small;
    padded.resize(60, 0);
    EXPECT_THAT(wire.frames, ElementsAre(frame, padded));
    EXPECT_EQ(nic.counters.sent, 2U);
}

TEST_F(Driver3c500, is_busy_until_the_frame_has_left) {
    const Bytes frame = frame_to(other, 700);
    ASSERT_EQ(send(frame), LFN_SEND_STARTED);
    EXPECT_EQ(send(frame), LFN_SEND_BUSY);
    EXPECT_TRUE(lfn_3c500_sending(&nic));
    run(milliseconds(1));
    EXPECT_FALSE(lfn_3c500_sending(&nic));
    EXPECT_EQ(send(frame), LFN_SEND_STARTED);
    run(milliseconds(1));
}

TEST_F(Driver3c500, refuses_what_is_longer_than_an_ethernet_frame) {
    EXPECT_EQ(send(Bytes(1515)), LFN_SEND_UNSENDABLE);
    EXPECT_EQ(send(frame_to(other, 1514)), LFN_SEND_STARTED);
    run(milliseconds(2));
}

TEST_F(Driver3c500, receives_one_frame_after_another) {
    for (std::uint8_t i = 0; i < 3; ++i) {
        const Bytes frame = frame_to(own, 1514, i);
        pass(frame);
        EXPECT_TRUE(nic.announced);
        EXPECT_EQ(poll(), frame);
        loop.run_for(microseconds(10));
    }
    EXPECT_EQ(nic.counters.received, 3U);
    EXPECT_EQ(poll(), Bytes());
}

TEST_F(Driver3c500, interrupt_handler_touches_no_port) {
    const Nic3c500::State before = card.state();
    lfn_3c500_interrupt(&nic);
    EXPECT_EQ(card.state(), before);
    EXPECT_TRUE(nic.announced);
}

TEST_F(Driver3c500, a_frame_that_came_just_before_sending_is_taken_first) {
    const Bytes frame = frame_to(own, 200);
    pass(frame);
    EXPECT_EQ(send(frame_to(other, 100)), LFN_SEND_BUSY);
    EXPECT_EQ(poll(), frame);
    EXPECT_EQ(send(frame_to(other, 100)), LFN_SEND_STARTED);
    run(milliseconds(1));
}

TEST_F(Driver3c500, a_reply_right_after_sending_is_received) {
    ASSERT_EQ(send(frame_to(other, 100)), LFN_SEND_STARTED);
    loop.run_for(ethernet::wire_time(100));
    const Bytes reply = frame_to(own, 120);
    pass(reply);
    EXPECT_EQ(poll(), reply);
    EXPECT_EQ(nic.counters.sent, 1U);
    expect_alive(wire);
}

TEST_F(Driver3c500, a_lost_receive_interrupt_is_found_by_the_clocks_poll) {
    interrupts_lost = 1;
    const Bytes frame = frame_to(own, 200);
    pass(frame);
    EXPECT_FALSE(nic.announced);
    loop.run_for(milliseconds(55));
    EXPECT_EQ(poll(), frame);
    EXPECT_EQ(nic.counters.unannounced, 1U);
    expect_alive(wire);
}

TEST_F(Driver3c500, a_lost_transmit_interrupt_is_found_by_the_clocks_poll) {
    interrupts_lost = 1;
    ASSERT_EQ(send(frame_to(other, 200)), LFN_SEND_STARTED);
    run(milliseconds(55));
    EXPECT_TRUE(lfn_3c500_sending(&nic));
    poll();
    EXPECT_FALSE(lfn_3c500_sending(&nic));
    EXPECT_EQ(nic.counters.sent, 1U);
    EXPECT_EQ(nic.counters.unannounced, 1U);
    expect_alive(wire);
}

TEST_F(Driver3c500OnAJammedCable, a_stuck_transmitter_is_reset_by_the_watchdog) {
    ASSERT_EQ(send(frame_to(other, 200)), LFN_SEND_STARTED);
    loop.run_for(milliseconds(LFN_3C500_WATCHDOG_MS - 1));
    poll();
    EXPECT_TRUE(lfn_3c500_sending(&nic));
    EXPECT_EQ(wire.waiting, 1);
    loop.run_for(milliseconds(1));
    poll();
    EXPECT_FALSE(lfn_3c500_sending(&nic));
    EXPECT_EQ(wire.waiting, 0);
    EXPECT_EQ(nic.counters.watchdog_resets, 1U);
    loop.run_for(microseconds(10));
    const Bytes frame = frame_to(own, 64);
    pass(frame);
    EXPECT_EQ(poll(), frame);
    EXPECT_EQ(send(frame_to(other, 200)), LFN_SEND_STARTED);
}

TEST_F(Driver3c500, a_runt_is_counted_and_the_receiver_goes_on) {
    pass(frame_to(own, 40));
    EXPECT_EQ(poll(), Bytes());
    EXPECT_EQ(nic.counters.short_frames, 1U);
    EXPECT_EQ(nic.counters.received, 0U);
    expect_alive(wire);
}

TEST_F(Driver3c500, an_overflow_is_counted_and_the_receiver_goes_on) {
    pass(frame_to(own, 2100));
    EXPECT_EQ(poll(), Bytes());
    EXPECT_EQ(nic.counters.overflows, 1U);
    expect_alive(wire);
}

TEST_F(Driver3c500, a_wrong_fcs_is_counted_and_leaves_no_bytes_behind) {
    pass(frame_to(own, 500), true);
    EXPECT_EQ(poll(), Bytes());
    EXPECT_EQ(nic.counters.fcs_errors, 1U);
    EXPECT_EQ(card.state().receive_pointer, 0U);
    expect_alive(wire);
}

TEST_F(Driver3c500, a_dribble_is_counted) {
    pass(frame_to(own, 500), false, true);
    EXPECT_EQ(poll(), Bytes());
    EXPECT_EQ(nic.counters.dribbles, 1U);
    expect_alive(wire);
}

TEST_F(Driver3c500, a_frame_too_long_for_the_room_is_counted_and_dropped) {
    pass(frame_to(own, 1514));
    EXPECT_EQ(poll(600), Bytes());
    EXPECT_EQ(nic.counters.oversized, 1U);
    expect_alive(wire);
}

TEST_F(Driver3c500, a_frame_leaves_whole_after_collisions) {
    wire.collide(5);
    const Bytes frame = frame_to(other, 900);
    ASSERT_EQ(send(frame), LFN_SEND_STARTED);
    run(milliseconds(20));
    EXPECT_EQ(nic.counters.collisions, 5U);
    EXPECT_EQ(nic.counters.sent, 1U);
    EXPECT_EQ(wire.frames, std::vector<Bytes>(6, frame));
    expect_alive(wire);
}

TEST_F(Driver3c500, a_collision_storm_costs_one_frame) {
    wire.collide(16);
    ASSERT_EQ(send(frame_to(other, 64)), LFN_SEND_STARTED);
    run(milliseconds(400));
    EXPECT_EQ(nic.counters.collisions, 15U);
    EXPECT_EQ(nic.counters.abandoned, 1U);
    EXPECT_EQ(nic.counters.sent, 0U);
    expect_alive(wire);
}

// What comes after a collision lands where the frame still waits.
TEST_F(Driver3c500, a_frame_that_comes_between_collision_and_restart_damages_nothing) {
    wire.collide(1);
    const Bytes ours = frame_to(other, 1400);
    ASSERT_EQ(send(ours), LFN_SEND_STARTED);
    loop.run_for(ethernet::wire_time(1400));
    const Bytes theirs = frame_to(own, 1200, 77);
    pass(theirs);
    EXPECT_EQ(poll(), theirs);
    run(milliseconds(3));
    EXPECT_EQ(wire.frames, std::vector<Bytes>(2, ours));
    EXPECT_EQ(nic.counters.reloaded, 1U);
    EXPECT_EQ(nic.counters.sent, 1U);
    expect_alive(wire);
}

TEST_F(Driver3c500, a_receiver_that_neither_waits_nor_has_anything_is_started_again) {
    lfn_io_out8(&io, 0x30E, 0x40);  // somebody took the buffer
    poll();
    EXPECT_EQ(nic.counters.restarts, 1U);
    expect_alive(wire);
}

}  // namespace
}  // namespace lfn::test
