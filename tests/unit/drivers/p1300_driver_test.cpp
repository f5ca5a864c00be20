// SPDX-License-Identifier: BSD-3-Clause
// The P1300 driver over a card and a ring that go wrong in each way that they can, one at a time.
#include <algorithm>
#include <functional>
#include <utility>

#include "ports/drivers/p1300.h"
#include "tests/datasheet/p1300_fixture.hpp"

namespace lfn::test {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

class DriverP1300 : public CardP1300 {
protected:
    DriverP1300() {
        card.irq.connect(Callback::bind<&DriverP1300::on_line>(*this));
        EXPECT_TRUE(init());
    }
    // While init polls, the two bytes need time to go round.
    bool init() {
        lfn_io slow = io;
        slow.context = this;
        slow.in8 = [](void* self, std::uint32_t port) {
            auto& test = *static_cast<DriverP1300*>(self);
            test.loop.run_for(microseconds(1));
            return lfn_io_in8(&test.io, port);
        };
        slow.out8 = [](void* self, std::uint32_t port, std::uint8_t value) {
            lfn_io_out8(&static_cast<DriverP1300*>(self)->io, port, value);
        };
        slow.in16 = [](void* self, std::uint32_t port) {
            return lfn_io_in16(&static_cast<DriverP1300*>(self)->io, port);
        };
        slow.out16 = [](void* self, std::uint32_t port, std::uint16_t value) {
            lfn_io_out16(&static_cast<DriverP1300*>(self)->io, port, value);
        };
        const bool found = lfn_p1300_init(&nic, &slow, 0x300);
        nic.io = &io;
        return found;
    }
    void on_line() {
        if (!card.irq.level()) return;
        if (interrupts_lost > 0) {
            --interrupts_lost;
        } else {
            lfn_p1300_interrupt(&nic);
        }
    }

    std::uint32_t now_ms() const {
        return 0xFFFFFF00 + static_cast<std::uint32_t>(nanoseconds_of(loop.now()) / 1'000'000);
    }
    lfn_send_result send(const Bytes& bytes) {
        return lfn_p1300_transmit(&nic, bytes.data(), 2, bytes.data() + 2, bytes.size() - 2, now_ms());
    }
    Bytes poll() {
        Bytes room(LFN_P1300_MESSAGE_MAX);
        room.resize(lfn_p1300_poll(&nic, now_ms(), room.data(), room.size()));
        return room;
    }
    void run(Duration duration) {
        const Time end = loop.now() + duration;
        while (loop.now() < end) {
            loop.run_for(microseconds(50));
            if (nic.announced) poll();
        }
    }
    void expect_alive() {
        const Bytes incoming = message(own_node, 300);
        EXPECT_TRUE(pass(incoming));
        EXPECT_EQ(poll(), incoming);
        ring.result = {};
        const std::size_t before = ring.messages.size();
        ASSERT_EQ(send(message(other_node, 100)), LFN_SEND_STARTED);
        run(milliseconds(1));
        EXPECT_EQ(ring.messages.size(), before + 1);
        EXPECT_FALSE(lfn_p1300_sending(&nic));
    }

    lfn_p1300 nic;
    int interrupts_lost = 0;
};

TEST_F(DriverP1300, learns_its_address_without_a_word_on_the_ring) {
    EXPECT_EQ(nic.station, own_node);
    EXPECT_TRUE(ring.messages.empty());
    EXPECT_TRUE(ring.relay_closed);
}

TEST_F(DriverP1300, refuses_a_bus_without_a_card) {
    lfn_p1300 absent;
    EXPECT_FALSE(lfn_p1300_init(&absent, &io, 0x280));
}

TEST_F(DriverP1300, sends_a_message_under_its_own_address_and_pads_it_to_even) {
    ASSERT_EQ(send(message(other_node, 101)), LFN_SEND_STARTED);
    run(milliseconds(1));
    Bytes expected = message(other_node, 101, own_node);
    expected.push_back(0);
    EXPECT_EQ(ring.messages, std::vector<Bytes>{expected});
    EXPECT_EQ(nic.counters.sent, 1U);
}

TEST_F(DriverP1300, is_busy_until_the_message_is_back) {
    ASSERT_EQ(send(message(other_node, 1000)), LFN_SEND_STARTED);
    EXPECT_EQ(send(message(other_node, 1000)), LFN_SEND_BUSY);
    run(milliseconds(1));
    EXPECT_EQ(send(message(other_node, 1000)), LFN_SEND_STARTED);
    run(milliseconds(1));
}

TEST_F(DriverP1300, refuses_what_is_longer_than_a_message) {
    EXPECT_EQ(send(Bytes(2047)), LFN_SEND_UNSENDABLE);
    EXPECT_EQ(send(message(other_node, 2046)), LFN_SEND_STARTED);
    run(milliseconds(2));
    EXPECT_EQ(ring.messages.back().size(), 2046U);
}

TEST_F(DriverP1300, receives_while_its_own_message_waits_for_the_token) {
    ring.token_wait = milliseconds(5);
    ASSERT_EQ(send(message(other_node, 1000)), LFN_SEND_STARTED);
    const Bytes incoming = message(own_node, 2046);
    EXPECT_TRUE(pass(incoming));
    EXPECT_EQ(poll(), incoming);
    run(milliseconds(10));
    EXPECT_EQ(nic.counters.sent, 1U);
    EXPECT_EQ(ring.messages.size(), 1U);
}

TEST_F(DriverP1300, a_refused_message_is_sent_again_from_the_cards_buffer) {
    ring.result = {.refused = true};
    ASSERT_EQ(send(message(other_node, 1000)), LFN_SEND_STARTED);
    loop.run_for(milliseconds(1));
    poll();
    EXPECT_EQ(nic.counters.refusals, 1U);
    ring.result = {};
    run(milliseconds(2));
    EXPECT_EQ(nic.counters.sent, 1U);
    EXPECT_EQ(ring.messages, std::vector<Bytes>(2, message(other_node, 1000, own_node)));
    expect_alive();
}

TEST_F(DriverP1300, a_message_that_is_refused_for_ever_is_given_up) {
    ring.result = {.refused = true};
    ASSERT_EQ(send(message(other_node, 1000)), LFN_SEND_STARTED);
    run(milliseconds(LFN_P1300_REFUSAL_LIMIT_MS + 5));
    EXPECT_FALSE(lfn_p1300_sending(&nic));
    EXPECT_EQ(nic.counters.abandoned, 1U);
    EXPECT_GT(nic.counters.refusals, 100U);
    expect_alive();
}

TEST_F(DriverP1300, receives_between_refusals) {
    ring.result = {.refused = true};
    ASSERT_EQ(send(message(other_node, 1000)), LFN_SEND_STARTED);
    run(milliseconds(5));
    const Bytes incoming = message(own_node, 500);
    EXPECT_TRUE(pass(incoming));
    EXPECT_EQ(poll(), incoming);
    EXPECT_TRUE(lfn_p1300_sending(&nic));
    ring.result = {};
    run(milliseconds(2));
    EXPECT_EQ(nic.counters.sent, 1U);
}

TEST_F(DriverP1300, a_lost_receive_interrupt_is_found_by_the_clocks_poll) {
    interrupts_lost = 1;
    const Bytes incoming = message(own_node, 200);
    EXPECT_TRUE(pass(incoming));
    EXPECT_FALSE(nic.announced);
    EXPECT_EQ(poll(), incoming);
    EXPECT_EQ(nic.counters.unannounced, 1U);
    expect_alive();
}

TEST_F(DriverP1300, a_lost_transmit_interrupt_is_found_by_the_clocks_poll) {
    interrupts_lost = 1;
    ASSERT_EQ(send(message(other_node, 200)), LFN_SEND_STARTED);
    run(milliseconds(55));
    EXPECT_TRUE(lfn_p1300_sending(&nic));
    poll();
    EXPECT_EQ(nic.counters.sent, 1U);
    EXPECT_EQ(nic.counters.unannounced, 1U);
    expect_alive();
}

TEST_F(DriverP1300, a_missing_token_is_made_anew) {
    ring.ok = false;
    ASSERT_EQ(send(message(other_node, 200)), LFN_SEND_STARTED);
    run(milliseconds(1));
    EXPECT_TRUE(ring.ok);
    EXPECT_EQ(nic.counters.sent, 1U);
    EXPECT_EQ(nic.counters.token_timeouts, 0U);
}

TEST_F(DriverP1300, a_token_that_does_not_come_is_waited_for_three_times) {
    ring.ok = false;
    ring.creates_token = false;
    ASSERT_EQ(send(message(other_node, 200)), LFN_SEND_STARTED);
    run(milliseconds(2 * 400 + 10));
    EXPECT_EQ(nic.counters.token_timeouts, 2U);
    EXPECT_TRUE(lfn_p1300_sending(&nic));
    run(milliseconds(400));
    EXPECT_EQ(nic.counters.token_failures, 1U);
    EXPECT_FALSE(lfn_p1300_sending(&nic));
    ring.ok = true;
    expect_alive();
}

TEST_F(DriverP1300, a_token_that_comes_back_takes_the_message_along) {
    ring.ok = false;
    ring.creates_token = false;
    ASSERT_EQ(send(message(other_node, 200)), LFN_SEND_STARTED);
    run(milliseconds(300));
    ring.creates_token = true;
    run(milliseconds(200));
    EXPECT_EQ(nic.counters.token_timeouts, 1U);
    EXPECT_EQ(nic.counters.sent, 1U);
    EXPECT_EQ(ring.messages, std::vector<Bytes>{message(other_node, 200, own_node)});
}

TEST_F(DriverP1300, a_stuck_transmitter_is_reset_by_the_watchdog) {
    ring.token_wait = std::chrono::hours(1);  // seized by nobody, and the card's own time-out fails too
    NicP1300::Config config = default_config();
    config.output_timeout = std::chrono::hours(2);
    NicP1300 deaf(loop, ring, config);
    IsaIo deaf_bus(deaf, 0x300);
    io = deaf_bus.face();
    ASSERT_TRUE(init());
    ASSERT_EQ(send(message(other_node, 200)), LFN_SEND_STARTED);
    run(milliseconds(LFN_P1300_WATCHDOG_MS - 10));
    poll();
    EXPECT_TRUE(lfn_p1300_sending(&nic));
    run(milliseconds(20));
    poll();
    EXPECT_FALSE(lfn_p1300_sending(&nic));
    EXPECT_EQ(nic.counters.watchdog_resets, 1U);
    ring.token_wait = microseconds(5);
    ASSERT_EQ(send(message(other_node, 100)), LFN_SEND_STARTED);
    loop.run_for(milliseconds(1));
    poll();
    EXPECT_EQ(nic.counters.sent, 1U);
}

// An lfn_io that lets something happen just before the next read of one port.
struct Meanwhile {
    Meanwhile(lfn_io& over, std::uint32_t at, std::function<void()> what)
        : under(over), port(at), happening(std::move(what)) {
        over.context = this;
        over.in8 = [](void* self, std::uint32_t address) {
            auto& meanwhile = *static_cast<Meanwhile*>(self);
            if (address == meanwhile.port && meanwhile.happening) std::exchange(meanwhile.happening, nullptr)();
            return lfn_io_in8(&meanwhile.under, address);
        };
        over.out8 = [](void* self, std::uint32_t address, std::uint8_t value) {
            lfn_io_out8(&static_cast<Meanwhile*>(self)->under, address, value);
        };
        over.in16 = [](void* self, std::uint32_t address) {
            return lfn_io_in16(&static_cast<Meanwhile*>(self)->under, address);
        };
        over.out16 = [](void* self, std::uint32_t address, std::uint16_t value) {
            lfn_io_out16(&static_cast<Meanwhile*>(self)->under, address, value);
        };
    }
    lfn_io under;
    std::uint32_t port;
    std::function<void()> happening;
};

// Both directions share one line: while the message that is back holds it up, one that comes makes no edge.
TEST_F(DriverP1300, a_message_that_comes_while_the_line_is_up_is_not_left_in_the_card) {
    ASSERT_EQ(send(message(other_node, 200)), LFN_SEND_STARTED);
    loop.run_for(milliseconds(1));
    ASSERT_TRUE(nic.announced);
    const Bytes incoming = message(own_node, 300);
    const Meanwhile arrival(io, 0x300 + OCSR, [&] { pass(incoming); });
    EXPECT_EQ(poll(), incoming);
    EXPECT_TRUE(nic.announced) << "there may be more";
    EXPECT_EQ(poll(), Bytes());
    EXPECT_FALSE(nic.announced);
    EXPECT_FALSE(card.irq.level());
    EXPECT_EQ(nic.counters.sent, 1U);
    EXPECT_EQ(nic.counters.unannounced, 0U);
}

TEST_F(DriverP1300, a_message_that_is_back_while_a_damaged_one_holds_the_line_up_is_not_left_in_the_card) {
    ring.token_wait = milliseconds(5);
    ASSERT_EQ(send(message(other_node, 200)), LFN_SEND_STARTED);
    pass(message(own_node, 200), true);
    ASSERT_TRUE(nic.announced);
    const Meanwhile back(io, 0x300 + OCSR, [&] { loop.run_for(milliseconds(6)); });
    EXPECT_EQ(poll(), Bytes());
    EXPECT_EQ(nic.counters.parity_errors, 1U);
    run(microseconds(50));
    EXPECT_EQ(nic.counters.sent, 1U);
    EXPECT_FALSE(card.irq.level());
}

TEST_F(DriverP1300, what_is_announced_while_poll_looks_is_not_taken_for_a_lost_interrupt) {
    const Bytes incoming = message(own_node, 300);
    const Meanwhile arrival(io, 0x300 + ICSR, [&] { pass(incoming); });
    EXPECT_EQ(poll(), incoming);
    EXPECT_EQ(nic.counters.unannounced, 0U);
}

TEST_F(DriverP1300, a_bus_that_reads_as_zeros_does_not_hold_poll_for_ever) {
    io.in8 = [](void*, std::uint32_t) { return std::uint8_t{0}; };
    io.in16 = [](void*, std::uint32_t) { return std::uint16_t{0}; };
    EXPECT_EQ(poll(), Bytes());
    EXPECT_GT(nic.counters.oversized, 0U);
    EXPECT_TRUE(nic.announced) << "poll left something";
}

TEST_F(DriverP1300, damaged_messages_are_counted_by_kind) {
    pass(message(own_node, 200), true);
    EXPECT_EQ(poll(), Bytes());
    pass(message(own_node, 200), false, true);
    EXPECT_EQ(poll(), Bytes());
    EXPECT_EQ(nic.counters.parity_errors, 1U);
    EXPECT_EQ(nic.counters.bad_formats, 1U);
    expect_alive();
}

TEST_F(DriverP1300, an_overrun_is_counted_and_the_receiver_goes_on) {
    pass(message(own_node, 2048));
    EXPECT_EQ(poll(), Bytes());
    EXPECT_EQ(nic.counters.overruns, 1U);
    expect_alive();
}

TEST_F(DriverP1300, an_own_message_that_comes_back_malformed_is_not_repeated) {
    ring.result = {.bad_format = true};
    ASSERT_EQ(send(message(other_node, 200)), LFN_SEND_STARTED);
    run(milliseconds(2));
    EXPECT_EQ(nic.counters.malformed, 1U);
    EXPECT_EQ(ring.messages.size(), 1U);
    expect_alive();
}

TEST_F(DriverP1300, interrupt_handler_touches_no_port) {
    const NicP1300::State before = card.state();
    lfn_p1300_interrupt(&nic);
    EXPECT_EQ(card.state(), before);
}

}  // namespace
}  // namespace lfn::test
