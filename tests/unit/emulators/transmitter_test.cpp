// SPDX-License-Identifier: BSD-3-Clause
#include "emulators/link/transmitter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "link_fixture.hpp"

namespace lfn {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;
using test::GreedySource;
using test::RecordingSink;
using testing::ElementsAre;

class CountingSink final : public FrameSink {
public:
    explicit CountingSink(Loop& loop) : loop_(loop) {}
    void accept(FramePtr) override {
        ++frames;
        last = loop_.now();
    }
    std::uint64_t frames = 0;
    Time last{};

private:
    Loop& loop_;
};

class TransmitterTest : public testing::Test {
protected:
    FramePtr frame(std::size_t size) { return pool_.make(size); }
    bool offer(Transmitter& transmitter, std::size_t size) {
        FramePtr offered = frame(size);
        const bool taken = transmitter.offer(offered);
        EXPECT_EQ(taken, offered == nullptr);
        return taken;
    }

    Loop loop_;
    FramePool pool_{2048};
    RecordingSink sink_{loop_};
};

TEST_F(TransmitterTest, a_frame_leaves_with_its_last_bit) {
    Transmitter transmitter(loop_, {.rate_bps = 8'000'000});  // an octet a microsecond
    transmitter.connect(sink_);
    ASSERT_TRUE(offer(transmitter, 1000));
    loop_.run();
    ASSERT_EQ(sink_.arrivals.size(), 1U);
    EXPECT_EQ(sink_.arrivals[0].time, Time(microseconds(1000)));
}

constexpr std::array<RateSchedule::Step, 2> two_rates = {{{microseconds(0), 8'000'000}, {microseconds(2500), 800'000}}};

TEST_F(TransmitterTest, a_frame_leaves_at_the_rate_that_holds_when_it_begins) {
    Transmitter transmitter(loop_, {.rates = {microseconds(20'000), two_rates}, .queue_frames = 8});
    transmitter.connect(sink_);
    for (int sent = 0; sent < 6; ++sent) ASSERT_TRUE(offer(transmitter, 1000));
    loop_.run();
    std::vector<Time> times;
    for (const auto& arrival : sink_.arrivals) times.push_back(arrival.time);
    EXPECT_THAT(times, ElementsAre(Time(microseconds(1000)), Time(microseconds(2000)), Time(microseconds(3000)),
                                   Time(microseconds(13'000)), Time(microseconds(23'000)), Time(microseconds(33'000))));
}

TEST(Schedule, has_the_mean_of_its_steps) {
    EXPECT_DOUBLE_EQ((RateSchedule{microseconds(10'000), two_rates}.mean()), 0.25 * 8e6 + 0.75 * 8e5);
}

TEST_F(TransmitterTest, line_overhead_takes_time_but_is_not_counted) {
    Transmitter transmitter(loop_, {.rate_bps = 8'000'000, .overhead_octets = 38});
    transmitter.connect(sink_);
    ASSERT_TRUE(offer(transmitter, 1000));
    loop_.run();
    EXPECT_EQ(sink_.arrivals[0].time, Time(microseconds(1038)));
    EXPECT_EQ(transmitter.counters().out.octets, 1000U);
}

TEST_F(TransmitterTest, a_million_frames_at_t1_rate_do_not_drift) {
    constexpr std::uint64_t count = 1'000'000;
    CountingSink sink(loop_);
    Transmitter transmitter(loop_, {.rate_bps = 1'544'000});
    transmitter.connect(sink);
    GreedySource source(pool_, transmitter, count, 1500);
    source.fill();
    loop_.run();
    EXPECT_EQ(sink.frames, count);
    // 12e9 bits at 1.544 Mb/s, rounded down once instead of a million times (0.52 of a nanosecond each).
    EXPECT_EQ(nanoseconds_of(sink.last), 12'000'000'000'000'000 / 1'544);
}

TEST_F(TransmitterTest, a_full_queue_refuses_and_leaves_the_frame_with_its_owner) {
    Transmitter transmitter(loop_, {.rate_bps = 1'544'000, .queue_frames = 3});
    transmitter.connect(sink_);
    for (int sent = 0; sent < 3; ++sent) EXPECT_TRUE(offer(transmitter, 100));
    EXPECT_FALSE(offer(transmitter, 100));
    EXPECT_EQ(transmitter.counters().refused.frames, 1U);
    EXPECT_EQ(transmitter.counters().queued.frames, 3U);
    EXPECT_TRUE(transmitter.counters().balanced());
    EXPECT_EQ(transmitter.counters().dropped().frames, 0U);
}

TEST_F(TransmitterTest, a_full_queue_in_octets_refuses_but_an_empty_one_takes_any_frame) {
    Transmitter transmitter(loop_, {.rate_bps = 1'544'000, .queue_frames = 0, .queue_octets = 1000});
    transmitter.connect(sink_);
    EXPECT_TRUE(offer(transmitter, 1500));
    EXPECT_FALSE(offer(transmitter, 1));
    loop_.run();
    EXPECT_TRUE(offer(transmitter, 600));
    EXPECT_TRUE(offer(transmitter, 400));
    EXPECT_FALSE(offer(transmitter, 1));
    loop_.run();
}

TEST_F(TransmitterTest, drain_is_called_once_after_refusals_and_only_then) {
    Transmitter transmitter(loop_, {.rate_bps = 8'000'000, .queue_frames = 1});
    transmitter.connect(sink_);
    std::vector<std::int64_t> drains;
    auto drained = [&] {
        drains.push_back(nanoseconds_of(loop_.now()));
        EXPECT_TRUE(transmitter.has_room(1500));
    };
    transmitter.on_drain(Callback::to(drained));
    EXPECT_TRUE(offer(transmitter, 1000));
    EXPECT_FALSE(offer(transmitter, 1000));
    EXPECT_FALSE(offer(transmitter, 1000));
    loop_.run();
    EXPECT_TRUE(offer(transmitter, 1000));
    loop_.run();
    EXPECT_THAT(drains, ElementsAre(1'000'000));
}

TEST_F(TransmitterTest, accept_drops_what_finds_no_room) {
    Transmitter transmitter(loop_, {.rate_bps = 1'544'000, .queue_frames = 2});
    transmitter.connect(sink_);
    for (int sent = 0; sent < 5; ++sent) transmitter.accept(frame(100));
    loop_.run();
    EXPECT_THAT(sink_.serials(), ElementsAre(0, 1));
    EXPECT_EQ(transmitter.counters().dropped(DropCause::queue_full), (FrameCount{3, 300}));
    EXPECT_TRUE(transmitter.counters().balanced());
}

// An IPv4 packet whose sender can take a mark, or cannot.
FramePtr packet(FramePool& pool, bool capable) {
    FramePtr made = pool.make(100);
    std::ranges::fill(made->octets(), std::uint8_t{0});
    made->data()[0] = 0x45;
    made->data()[1] = capable ? 2 : 0;
    return made;
}

TEST_F(TransmitterTest, a_router_marks_more_and_more_of_what_finds_a_queue_so_long_on) {
    Transmitter transmitter(loop_, {.rate_bps = 1'544'000, .queue_frames = 100, .mark_frames = 10});
    transmitter.connect(sink_);
    const auto marked_of_ten = [&] {
        const std::uint64_t before = transmitter.counters().marked.frames;
        for (int i = 0; i < 10; ++i) transmitter.accept(packet(pool_, true));
        return transmitter.counters().marked.frames - before;
    };
    EXPECT_EQ(marked_of_ten(), 0U) << "as long as fewer than ten are held";
    EXPECT_EQ(marked_of_ten(), 5U) << "a tenth, two tenths, ...";
    EXPECT_EQ(marked_of_ten(), 10U) << "all from twice as many on";
    loop_.run();
    EXPECT_EQ(sink_.arrivals.size(), 30U);
    EXPECT_TRUE(transmitter.counters().balanced());
}

TEST_F(TransmitterTest, a_router_drops_what_it_would_mark_and_cannot) {
    Transmitter transmitter(loop_, {.rate_bps = 1'544'000, .queue_frames = 4, .mark_frames = 1});
    transmitter.connect(sink_);
    for (const bool capable : {false, false, true, true, true, true}) transmitter.accept(packet(pool_, capable));
    EXPECT_EQ(transmitter.counters().dropped(DropCause::aqm), (FrameCount{1, 100})) << "the second";
    EXPECT_EQ(transmitter.counters().marked, (FrameCount{3, 300}));
    EXPECT_EQ(transmitter.counters().dropped(DropCause::queue_full), (FrameCount{1, 100}));
    loop_.run();
    EXPECT_THAT(sink_.serials(), ElementsAre(0, 2, 3, 4));
    EXPECT_TRUE(transmitter.counters().balanced());
}

TEST_F(TransmitterTest, an_interface_marks_what_it_can_and_drops_nothing) {
    Transmitter transmitter(loop_, {.rate_bps = 1'544'000, .queue_frames = 3, .mark_frames = 1});
    transmitter.connect(sink_);
    for (const bool capable : {true, false, true, true}) {
        FramePtr offered = packet(pool_, capable);
        transmitter.offer(offered);
    }
    EXPECT_EQ(transmitter.counters().marked, (FrameCount{1, 100}));
    EXPECT_EQ(transmitter.counters().refused, (FrameCount{1, 100}));
    EXPECT_EQ(transmitter.counters().dropped(), FrameCount{});
    loop_.run();
    EXPECT_THAT(sink_.serials(), ElementsAre(0, 1, 2));
}

TEST_F(TransmitterTest, an_unlimited_line_passes_at_once_and_never_refuses) {
    Transmitter transmitter(loop_, {.rate_bps = 0, .queue_frames = 1});
    transmitter.connect(sink_);
    for (int sent = 0; sent < 10; ++sent) EXPECT_TRUE(offer(transmitter, 100));
    EXPECT_EQ(sink_.received.frames, 10U);
    EXPECT_TRUE(loop_.empty());
}

TEST_F(TransmitterTest, frames_under_way_at_the_end_go_back_to_the_pool) {
    {
        Transmitter transmitter(loop_, {.rate_bps = 1});
        transmitter.connect(sink_);
        EXPECT_TRUE(offer(transmitter, 100));
        EXPECT_TRUE(offer(transmitter, 100));
        EXPECT_EQ(pool_.live(), 2U);
    }
    EXPECT_EQ(pool_.live(), 0U);
    EXPECT_TRUE(loop_.empty());
}

TEST(FramePool, recycles_its_buffers_and_numbers_its_frames) {
    FramePool pool(100);
    std::uint64_t serial = 0;
    for (int round = 0; round < 1000; ++round) {
        const FramePtr first = pool.make(100);
        const FramePtr second = pool.make(1);
        EXPECT_EQ(first->serial, serial++);
        EXPECT_EQ(second->serial, serial++);
        EXPECT_NE(first->data(), second->data());
    }
    EXPECT_EQ(pool.live(), 0U);
    EXPECT_EQ(pool.allocated(), 32U);
}

#if defined(__SANITIZE_ADDRESS__)
TEST(FramePoolDeathTest, a_recycled_frame_may_not_be_touched) {
    FramePool pool(100);
    FramePtr frame = pool.make(100);
    volatile std::uint8_t* octets = frame->data();
    octets[99] = 1;
    frame.reset();
    EXPECT_DEATH(octets[0] = 1, "use-after-poison");
}
#endif

TEST(FramePool, a_clone_has_the_same_octets_and_number_but_its_own_buffer) {
    FramePool pool(100);
    const std::vector<std::uint8_t> octets = {1, 2, 3};
    const FramePtr original = pool.make(octets);
    const FramePtr copy = FramePool::clone(*original);
    EXPECT_EQ(copy->serial, original->serial);
    EXPECT_NE(copy->data(), original->data());
    EXPECT_THAT(copy->octets(), testing::ElementsAreArray(octets));
    EXPECT_EQ(pool.make(1)->serial, original->serial + 1);
}

}  // namespace
}  // namespace lfn
