// SPDX-License-Identifier: BSD-3-Clause
// The Ethernet segment: carrier, gap, collisions; and two 3C500s on one.
#include "emulators/link/ethernet_segment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "emulators/nic/3c500.hpp"
#include "tests/datasheet/scripted_ethernet.hpp"

namespace lfn::test {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

/// Remembers what it is told, and when.
class Listener final : public EthernetStation {
public:
    Listener(Loop& loop, EthernetSegment& segment) : loop_(loop), segment_(segment) { segment.attach(*this); }
    void frame_started() override { started.push_back(loop_.now()); }
    void frame_ended(const EthernetFrame& frame) override {
        ended.push_back(loop_.now());
        frames.emplace_back(frame.bytes.begin(), frame.bytes.end());
        errors.push_back(frame.fcs_error);
    }
    void transmission_ended(EthernetOutcome outcome) override {
        outcomes += outcome == EthernetOutcome::sent ? 's' : 'c';
        finished.push_back(loop_.now());
    }
    void send(std::size_t size) { segment_.transmit(*this, {.bytes = Bytes(size, 0x11)}); }

    std::vector<Time> started, ended, finished;
    std::vector<Bytes> frames;
    std::vector<bool> errors;
    std::string outcomes;

private:
    Loop& loop_;
    EthernetSegment& segment_;
};

class Segment : public testing::Test {
protected:
    ~Segment() override {
        const EthernetSegment::Counters& counters = segment.counters();
        EXPECT_EQ(counters.started, counters.carried + counters.collided + counters.aborted);
    }
    static Time at(std::int64_t ns) { return Time(nanoseconds(ns)); }

    Loop loop;
    EthernetSegment segment{loop, {}};
    Listener a{loop, segment}, b{loop, segment}, c{loop, segment};
};

TEST_F(Segment, frame_is_heard_by_all_but_its_sender_and_takes_its_time) {
    a.send(60);
    loop.run();
    EXPECT_EQ(a.outcomes, "s");
    EXPECT_TRUE(a.frames.empty());
    ASSERT_EQ(b.frames.size(), 1u);
    EXPECT_EQ(b.frames[0], Bytes(60, 0x11));
    EXPECT_EQ(b.ended[0], at(57'600));
    EXPECT_EQ(c.frames.size(), 1u);
}

TEST_F(Segment, station_that_hears_the_carrier_defers_and_starts_after_the_gap) {
    a.send(60);
    loop.run_for(nanoseconds(2'500));
    b.send(60);
    loop.run();
    EXPECT_EQ(a.outcomes + b.outcomes, "ss");
    EXPECT_EQ(c.started[1], at(57'600 + 9'600));
}

TEST_F(Segment, station_that_starts_within_the_propagation_time_collides) {
    a.send(60);
    loop.run_for(nanoseconds(2'499));
    b.send(60);
    loop.run();
    EXPECT_EQ(a.outcomes, "c");
    EXPECT_EQ(b.outcomes, "c");
    EXPECT_EQ(a.finished[0], at(2'499 + 2'500 + 3'200));
    ASSERT_EQ(c.frames.size(), 1u);
    EXPECT_LT(c.frames[0].size(), 60u);
    EXPECT_TRUE(c.errors[0]);
    EXPECT_TRUE(b.frames.empty());
    EXPECT_EQ(segment.counters().collisions, 1u);
}

TEST_F(Segment, two_that_deferred_collide) {
    a.send(1000);
    loop.run_for(microseconds(100));
    b.send(60);
    c.send(60);
    loop.run();
    EXPECT_EQ(b.outcomes + c.outcomes, "cc");
    EXPECT_EQ(a.outcomes, "s");
}

TEST_F(Segment, station_cut_off_in_mid_frame_leaves_a_fragment) {
    a.send(1000);
    loop.run_for(nanoseconds(6'400 + 100 * 800));
    segment.abort(a);
    ASSERT_EQ(b.frames.size(), 1u);
    EXPECT_EQ(b.frames[0].size(), 100u);
    EXPECT_TRUE(b.errors[0]);
    loop.run();
    EXPECT_EQ(a.outcomes, "");
}

TEST_F(Segment, aborted_while_it_waits_leaves_nothing) {
    a.send(1000);
    loop.run_for(microseconds(100));
    b.send(60);
    segment.abort(b);
    loop.run();
    EXPECT_EQ(segment.counters().started, 1u);
}

TEST_F(Segment, noise_damages_frames_for_everybody) {
    EthernetSegment noisy(loop, {.frame_error_rate = 0.5, .seed = 7});
    Listener d(loop, noisy), e(loop, noisy), f(loop, noisy);
    for (int i = 0; i < 100; ++i) {
        d.send(60);
        loop.run();
    }
    const auto bad = static_cast<std::uint64_t>(std::count(e.errors.begin(), e.errors.end(), true));
    EXPECT_EQ(bad, noisy.counters().damaged);
    EXPECT_GT(bad, 20u);
    EXPECT_LT(bad, 80u);
    EXPECT_EQ(e.errors, f.errors);
}

/// Two hosts that restart after collisions, as their drivers would.
class TwoCards : public testing::Test {
protected:
    struct Host {
        Host(Loop& loop, EthernetSegment& segment, std::uint8_t number)
            : address{0x02, 0x60, 0x8C, 0, 0, number}, card(loop, segment, config(number)) {
            segment.attach(card);
            for (unsigned i = 0; i < 6; ++i) card.out8(i, address[i]);
            card.out8(0x6, 0xAD);
            card.out8(0x7, 0x0F);
            card.out8(0xA, 0);
            card.out8(0xE, 0x48);
            card.irq.connect(Callback::bind<&Host::on_interrupt>(*this));
        }
        static Nic3c500::Config config(std::uint64_t seed) { return {.seed = seed}; }
        void load(const Bytes& frame) {
            card.out8(0xE, 0x40);
            set_gp(frame.size());
            for (const std::uint8_t byte : frame) card.out8(0xF, byte);
            size = frame.size();
            start();
        }
        void start() {
            card.out8(0xE, 0x40);
            set_gp(size);
            card.out8(0xA, 0);
            card.out8(0xE, 0x44);
        }
        void set_gp(std::size_t bytes) {
            card.out8(0x8, static_cast<std::uint8_t>((2048 - bytes) & 0xFF));
            card.out8(0x9, static_cast<std::uint8_t>((2048 - bytes) >> 8));
        }
        void on_interrupt() {
            if (!card.irq.level()) return;
            const unsigned transmitted = card.in8(0x7);
            collided = collided || (transmitted & 0x02) != 0;
            if ((transmitted & 0x02) != 0) start();
            if ((card.in8(0x6) & 0x80) == 0) ++received;
        }
        EthernetAddress address;
        Nic3c500 card;
        std::size_t size = 0;
        bool collided = false;
        int received = 0;
    };

    Loop loop;
    EthernetSegment segment{loop, {}};
    Host left{loop, segment, 1}, right{loop, segment, 2};
};

TEST_F(TwoCards, frame_goes_from_one_buffer_to_the_other) {
    loop.run_for(microseconds(10));
    const Bytes frame = frame_to(right.address, 1514);
    left.load(frame);
    loop.run();
    EXPECT_EQ(right.received, 1);
    EXPECT_TRUE(std::equal(frame.begin(), frame.end(), right.card.state().buffer.begin()));
}

TEST_F(TwoCards, collision_is_resolved_by_restarts_and_back_off) {
    loop.run_for(microseconds(10));
    left.load(frame_to({0, 0, 0, 0, 0, 9}, 100));
    right.load(frame_to({0, 0, 0, 0, 0, 9}, 100));
    loop.run();
    EXPECT_TRUE(left.collided);
    EXPECT_TRUE(right.collided);
    EXPECT_EQ(left.card.counters().sent, 1u);
    EXPECT_EQ(right.card.counters().sent, 1u);
    EXPECT_EQ(segment.counters().carried, 2u);
}

TEST_F(TwoCards, host_that_loads_its_buffer_does_not_hear_the_other) {
    loop.run_for(microseconds(10));
    right.card.out8(0xE, 0x40);
    left.load(frame_to(right.address, 100));
    loop.run();
    EXPECT_EQ(right.received, 0);
    EXPECT_EQ(right.card.counters().lost_to(DeafCause::host_owns_buffer), 1u);
    EXPECT_EQ(left.card.state().transmit_status.raw(), 0x08);  // and nobody tells the sender
}

}  // namespace
}  // namespace lfn::test
