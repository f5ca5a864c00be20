// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <ostream>
#include <string>

#include "emulators/link/delay.hpp"
#include "emulators/link/loss.hpp"
#include "link_fixture.hpp"

namespace lfn {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using test::RecordingSink;
using test::Source;
using testing::ElementsAre;

class StagesTest : public testing::Test {
protected:
    void send(Stage& stage, std::uint64_t count, Duration interval = microseconds(10)) {
        stage.connect(sink_);
        Source source(loop_, pool_, stage, count, interval);
        loop_.run();
        EXPECT_TRUE(stage.counters().balanced());
        EXPECT_EQ(stage.counters().out, sink_.received);
    }
    std::uint64_t lost_of(Stage& stage, std::uint64_t count, std::size_t size) {
        stage.connect(sink_);
        for (std::uint64_t sent = 0; sent < count; ++sent) stage.accept(pool_.make(size));
        EXPECT_TRUE(stage.counters().balanced());
        return stage.counters().dropped().frames;
    }

    Loop loop_;
    FramePool pool_{2048};
    RecordingSink sink_{loop_};
};

TEST_F(StagesTest, delay_is_exact_and_keeps_the_order) {
    Delay delay(loop_, milliseconds(290));
    send(delay, 1000, nanoseconds(777));
    ASSERT_EQ(sink_.arrivals.size(), 1000U);
    for (std::size_t index = 0; index < 1000; ++index) {
        ASSERT_EQ(sink_.arrivals[index].serial, index);
        ASSERT_EQ(sink_.arrivals[index].time, Time(milliseconds(290)) + index * nanoseconds(777));
    }
}

TEST_F(StagesTest, delay_of_zero_still_goes_through_the_loop) {
    Delay delay(loop_, Duration::zero());
    delay.connect(sink_);
    delay.accept(pool_.make(1));
    EXPECT_TRUE(sink_.arrivals.empty());
    EXPECT_EQ(loop_.pending_events(), 1U);
    loop_.run();
    EXPECT_EQ(sink_.arrivals.size(), 1U);
}

TEST_F(StagesTest, delay_books_one_event_however_many_frames_it_holds) {
    Delay delay(loop_, milliseconds(1));
    delay.connect(sink_);
    for (int sent = 0; sent < 100; ++sent) delay.accept(pool_.make(1));
    EXPECT_EQ(loop_.pending_events(), 1U);
    EXPECT_EQ(delay.counters().queued.frames, 100U);
    loop_.run();
}

TEST_F(StagesTest, jitter_stays_in_its_bounds_and_mixes_the_order_if_told_to) {
    Jitter jitter(loop_, milliseconds(10), milliseconds(2), Jitter::Order::mixed, Random(1, "jitter"));
    send(jitter, 5000);
    Duration least = Duration::max();
    Duration most = Duration::zero();
    for (const auto& arrival : sink_.arrivals) {
        const Duration delay = arrival.time - Time(arrival.serial * microseconds(10));
        least = std::min(least, delay);
        most = std::max(most, delay);
    }
    EXPECT_GE(least, milliseconds(8));
    EXPECT_LE(most, milliseconds(12));
    EXPECT_LT(least, microseconds(8050)) << "the whole range is used";
    EXPECT_GT(most, microseconds(11950)) << "the whole range is used";
    const auto serials = sink_.serials();
    EXPECT_FALSE(std::is_sorted(serials.begin(), serials.end()));
}

TEST_F(StagesTest, jitter_that_keeps_the_order_keeps_it) {
    Jitter jitter(loop_, milliseconds(10), milliseconds(10), Jitter::Order::kept, Random(1, "jitter"));
    send(jitter, 5000);
    const auto serials = sink_.serials();
    EXPECT_EQ(serials.size(), 5000U);
    EXPECT_TRUE(std::is_sorted(serials.begin(), serials.end()));
}

constexpr std::array<DelaySchedule::Step, 2> two_delays = {
    {{microseconds(0), microseconds(500)}, {microseconds(300), microseconds(100)}}};

TEST_F(StagesTest, a_stepped_delay_follows_its_schedule_and_a_step_down_overtakes) {
    SteppedDelay delay(loop_, {microseconds(1000), two_delays});
    send(delay, 200);
    for (const auto& arrival : sink_.arrivals) {
        const Duration sent = arrival.serial * microseconds(10);
        const Duration expected = sent % microseconds(1000) < microseconds(300) ? microseconds(500) : microseconds(100);
        ASSERT_EQ(arrival.time, Time(sent + expected)) << arrival.serial;
    }
    const auto serials = sink_.serials();
    EXPECT_EQ(serials.size(), 200U);
    EXPECT_FALSE(std::is_sorted(serials.begin(), serials.end()));
}

TEST_F(StagesTest, a_recurring_outage_comes_again_for_ever) {
    RecurringOutage outage(loop_,
                           {.first = microseconds(200), .every = microseconds(1000), .length = microseconds(50)});
    send(outage, 1000);
    EXPECT_EQ(outage.counters().dropped(DropCause::outage).frames, 10U * 5);
    for (const auto& arrival : sink_.arrivals) {
        const Duration phase = arrival.time.time_since_epoch() % microseconds(1000);
        ASSERT_TRUE(phase < microseconds(200) || phase >= microseconds(250)) << phase.count();
    }
}

TEST_F(StagesTest, reorder_holds_back_the_chosen_and_passes_the_others_at_once) {
    Reorder reorder(loop_, 0.1, microseconds(35), Random(1, "reorder"));
    send(reorder, 10000);
    std::uint64_t held = 0;
    for (const auto& arrival : sink_.arrivals) {
        const Duration delay = arrival.time - Time(arrival.serial * microseconds(10));
        ASSERT_TRUE(delay == Duration::zero() || delay == microseconds(35));
        held += delay != Duration::zero();
    }
    EXPECT_EQ(sink_.arrivals.size(), 10000U);
    EXPECT_NEAR(static_cast<double>(held), 1000, 4 * 30);
}

TEST_F(StagesTest, duplicate_sends_the_copy_right_behind_its_original) {
    Duplicate duplicate(0.25, Random(1, "duplicate"));
    send(duplicate, 4000);
    const auto serials = sink_.serials();
    EXPECT_TRUE(std::is_sorted(serials.begin(), serials.end()));
    EXPECT_EQ(serials.size(), 4000 + duplicate.counters().duplicated.frames);
    EXPECT_NEAR(static_cast<double>(duplicate.counters().duplicated.frames), 1000, 4 * 27.4);
}

TEST_F(StagesTest, drop_list_drops_the_frames_with_those_numbers) {
    DropList drops({5, 2});
    send(drops, 6);
    EXPECT_THAT(sink_.serials(), ElementsAre(0, 2, 3, 5));
    EXPECT_EQ(drops.counters().dropped(DropCause::chosen).frames, 2U);
}

TEST_F(StagesTest, drop_list_asks_its_predicate_about_each_frame) {
    DropList drops([](std::uint64_t number, const Frame& frame) { return number > 1 && frame.size() % 2 == 0; });
    send(drops, 4);  // sizes 43, 42, 41, 40
    EXPECT_THAT(sink_.serials(), ElementsAre(0, 2));
}

TEST_F(StagesTest, outage_loses_what_arrives_in_its_half_open_intervals) {
    const auto us = [](int time) { return Time(microseconds(time)); };
    Outage outage(loop_, {{us(60), us(70)}, {us(20), us(50)}, {us(30), us(40)}});
    send(outage, 10);  // at 0, 10, ... 90
    EXPECT_THAT(sink_.serials(), ElementsAre(0, 1, 5, 7, 8, 9));
    EXPECT_EQ(outage.counters().dropped(DropCause::outage).frames, 4U);
}

TEST(SurvivalProbability, matches_the_closed_form_and_is_pinned_to_the_bit) {
    EXPECT_EQ(survival_probability(1e-7, 12000), 0x1.ff62ced442379p-1);
    EXPECT_EQ(survival_probability(1e-6, 12000), 0x1.f9e488e6c2f2fp-1);
    EXPECT_EQ(survival_probability(1e-5, 4096), 0x1.eb73baf67ed94p-1);
    EXPECT_NEAR(survival_probability(1e-6, 12000), std::exp(12000 * std::log1p(-1e-6)), 1e-11);
    EXPECT_EQ(survival_probability(0, 12000), 1);
    EXPECT_EQ(survival_probability(1, 12000), 0);
    EXPECT_EQ(survival_probability(1, 0), 1);
}

struct BitErrorCase {
    double bit_error_rate;
    std::size_t size;
    std::uint64_t seed;
    friend void PrintTo(const BitErrorCase& instance, std::ostream* out) {
        *out << instance.bit_error_rate << " size " << instance.size << " seed " << instance.seed;
    }
};

class BitErrorsTest : public StagesTest, public testing::WithParamInterface<BitErrorCase> {};

TEST_P(BitErrorsTest, losses_follow_the_binomial_distribution) {
    const auto [bit_error_rate, size, seed] = GetParam();
    constexpr std::uint64_t count = 200'000;
    BitErrors errors(bit_error_rate, 0, Random(seed, "bit-errors"));
    const double loss = -std::expm1(static_cast<double>(8 * size) * std::log1p(-bit_error_rate));
    const double deviation = std::sqrt(count * loss * (1 - loss));
    EXPECT_NEAR(static_cast<double>(lost_of(errors, count, size)), count * loss, 3.3 * deviation);
}

INSTANTIATE_TEST_SUITE_P(Rates, BitErrorsTest,
                         testing::Values(BitErrorCase{1e-7, 1500, 1}, BitErrorCase{1e-6, 1500, 1},
                                         BitErrorCase{1e-6, 1500, 2}, BitErrorCase{1e-6, 40, 3},
                                         BitErrorCase{1e-5, 552, 4}, BitErrorCase{1e-4, 1500, 5}));

TEST_F(StagesTest, bit_errors_hit_the_line_overhead_as_well) {
    BitErrors bare(1e-5, 0, Random(1, "bit-errors"));
    BitErrors framed(1e-5, 1000, Random(1, "bit-errors"));
    EXPECT_GT(lost_of(framed, 20000, 100), 5 * lost_of(bare, 20000, 100));
}

TEST_F(StagesTest, one_seed_gives_the_same_losses_and_another_gives_others) {
    const auto survivors = [this](std::uint64_t seed) {
        RecordingSink sink(loop_);
        FramePool pool(1500);
        BitErrors errors(1e-5, 0, Random(seed, "bit-errors"));
        errors.connect(sink);
        for (int sent = 0; sent < 5000; ++sent) errors.accept(pool.make(1500));
        return sink.serials();
    };
    EXPECT_EQ(survivors(1), survivors(1));
    EXPECT_NE(survivors(1), survivors(2));
}

TEST_F(StagesTest, a_longer_frame_changes_no_other_frames_fate) {
    // One draw a frame: the same frames see the same luck whatever the sizes before them.
    const auto losses = [this](std::size_t first_size) {
        RecordingSink sink(loop_);
        FramePool pool(1500);
        BitErrors errors(1e-4, 0, Random(7, "bit-errors"));
        errors.connect(sink);
        errors.accept(pool.make(first_size));
        for (int sent = 0; sent < 500; ++sent) errors.accept(pool.make(500));
        auto serials = sink.serials();
        std::erase(serials, 0U);
        return serials;
    };
    EXPECT_EQ(losses(1), losses(1500));
}

TEST_F(StagesTest, gilbert_elliott_loses_its_long_run_share_in_bursts) {
    const GilbertElliottOptions options{.good_to_bad = 0.01, .bad_to_good = 0.2};
    EXPECT_NEAR(GilbertElliott::expected_loss(options), 1.0 / 21, 1e-12);
    GilbertElliott bursts(options, Random(1, "bursts"));
    constexpr std::uint64_t count = 200'000;
    const auto lost = static_cast<double>(lost_of(bursts, count, 100));
    EXPECT_NEAR(lost / count, 1.0 / 21, 0.005);
    std::uint64_t runs = 0;
    const auto serials = sink_.serials();
    for (std::size_t index = 1; index < serials.size(); ++index) runs += serials[index] != serials[index - 1] + 1;
    EXPECT_NEAR(lost / static_cast<double>(runs), 1 / 0.2, 0.5) << "mean burst length is 1 / r";
}

TEST_F(StagesTest, tap_sees_every_frame_with_its_time) {
    struct Observer final : FrameObserver {
        void observe(Time time, const Frame& frame) override { seen.push_back({time, frame.serial, frame.size()}); }
        std::vector<test::Arrival> seen;
    } observer;
    Tap tap(loop_, observer);
    send(tap, 100);
    EXPECT_EQ(observer.seen, sink_.arrivals);
}

using MakeStage = std::function<std::unique_ptr<Stage>(Loop&)>;

struct StageCase {
    std::string name;
    MakeStage make;
    friend void PrintTo(const StageCase& instance, std::ostream* out) { *out << instance.name; }
};

class ConservationTest : public testing::TestWithParam<StageCase> {};

TEST_P(ConservationTest, every_frame_is_accounted_for_at_every_moment) {
    Loop loop;
    FramePool pool(2048);
    RecordingSink sink(loop);
    const std::unique_ptr<Stage> stage = GetParam().make(loop);
    stage->connect(sink);
    Source source(loop, pool, *stage, 3000, microseconds(20));
    while (loop.run_one()) {
        ASSERT_TRUE(stage->counters().balanced());
        ASSERT_EQ(stage->counters().out, sink.received);
        ASSERT_EQ(pool.live(), stage->counters().queued.frames);
    }
    EXPECT_EQ(stage->counters().in.frames, 3000U);
    EXPECT_EQ(stage->counters().queued, FrameCount{});
}

template <class StageType, class... Arguments>
MakeStage on_loop(Arguments... arguments) {
    return [=](Loop& loop) { return std::make_unique<StageType>(loop, arguments...); };
}
template <class StageType, class... Arguments>
MakeStage plain(Arguments... arguments) {
    return [=](Loop&) { return std::make_unique<StageType>(arguments...); };
}

INSTANTIATE_TEST_SUITE_P(
    Stages, ConservationTest,
    testing::Values(
        StageCase{"Transmitter", on_loop<Transmitter>(TransmitterOptions{.rate_bps = 100'000'000, .queue_frames = 4})},
        StageCase{"Delay", on_loop<Delay>(milliseconds(1))},
        StageCase{"SteppedDelay", on_loop<SteppedDelay>(DelaySchedule{microseconds(1000), two_delays})},
        StageCase{"RecurringOutage",
                  on_loop<RecurringOutage>(OutagePlan{milliseconds(1), milliseconds(5), milliseconds(2)})},
        StageCase{"Jitter", on_loop<Jitter>(milliseconds(1), milliseconds(1), Jitter::Order::mixed, Random(1, "j"))},
        StageCase{"Reorder", on_loop<Reorder>(0.2, microseconds(90), Random(1, "r"))},
        StageCase{"Outage", on_loop<Outage>(std::vector<Outage::Interval>{{Time{}, Time(milliseconds(3))}})},
        StageCase{"Duplicate", plain<Duplicate>(0.2, Random(1, "d"))},
        StageCase{"BitErrors", plain<BitErrors>(1e-5, std::size_t{0}, Random(1, "b"))},
        StageCase{"DropList", plain<DropList>(std::vector<std::uint64_t>{1, 3, 3000})},
        StageCase{"GilbertElliott", plain<GilbertElliott>(GilbertElliottOptions{.good_to_bad = 0.1, .bad_to_good = 0.5},
                                                          Random(1, "g"))}),
    [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace lfn
