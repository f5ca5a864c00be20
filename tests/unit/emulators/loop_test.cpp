// SPDX-License-Identifier: BSD-3-Clause
#include "emulators/time/loop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <memory>
#include <set>
#include <vector>

#include "emulators/time/random.hpp"

namespace lfn {
namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;
using testing::ElementsAre;

Time at(std::int64_t ns) {
    return Time(nanoseconds(ns));
}

// A timer that writes its number into a log.
struct Entry {
    Entry(Loop& loop, std::vector<int>& log, int number)
        : timer(loop, Callback::bind<&Entry::run>(*this)), log_(log), number_(number) {}
    void run() { log_.push_back(number_); }
    Timer timer;
    std::vector<int>& log_;
    int number_;
};

class LoopTest : public testing::Test {
protected:
    Entry& entry(int number) { return entries_.emplace_back(loop_, log_, number); }

    Loop loop_;
    std::vector<int> log_;
    std::deque<Entry> entries_;
};

TEST_F(LoopTest, events_run_in_order_of_due_time) {
    entry(3).timer.schedule_at(at(30));
    entry(1).timer.schedule_at(at(10));
    entry(2).timer.schedule_at(at(20));
    EXPECT_EQ(loop_.run(), 3U);
    EXPECT_THAT(log_, ElementsAre(1, 2, 3));
    EXPECT_EQ(loop_.now(), at(30));
}

TEST_F(LoopTest, events_due_together_run_in_order_of_booking) {
    for (int number = 0; number < 100; ++number) entry(number).timer.schedule_at(at(7));
    loop_.run();
    std::vector<int> expected(100);
    for (int number = 0; number < 100; ++number) expected[static_cast<std::size_t>(number)] = number;
    EXPECT_EQ(log_, expected);
}

TEST_F(LoopTest, rescheduling_moves_the_event_and_books_it_anew) {
    Entry& first = entry(1);
    Entry& second = entry(2);
    first.timer.schedule_at(at(10));
    second.timer.schedule_at(at(10));
    first.timer.schedule_at(at(10));  // the same time, but now behind the second
    loop_.run();
    EXPECT_THAT(log_, ElementsAre(2, 1));
}

TEST_F(LoopTest, rescheduling_earlier_and_later_both_work) {
    Entry& first = entry(1);
    Entry& second = entry(2);
    Entry& third = entry(3);
    first.timer.schedule_at(at(10));
    second.timer.schedule_at(at(20));
    third.timer.schedule_at(at(30));
    first.timer.schedule_at(at(25));
    third.timer.schedule_at(at(5));
    EXPECT_EQ(loop_.run(), 3U);
    EXPECT_THAT(log_, ElementsAre(3, 2, 1));
}

TEST_F(LoopTest, a_cancelled_event_never_runs) {
    Entry& first = entry(1);
    Entry& second = entry(2);
    first.timer.schedule_at(at(10));
    second.timer.schedule_at(at(20));
    first.timer.cancel();
    first.timer.cancel();
    EXPECT_FALSE(first.timer.pending());
    EXPECT_EQ(loop_.pending_events(), 1U);
    loop_.run();
    EXPECT_THAT(log_, ElementsAre(2));
}

TEST_F(LoopTest, destroying_a_timer_cancels_it) {
    {
        Entry gone(loop_, log_, 1);
        gone.timer.schedule_at(at(10));
        EXPECT_FALSE(loop_.empty());
    }
    EXPECT_TRUE(loop_.empty());
    EXPECT_FALSE(loop_.run_one());
    EXPECT_TRUE(log_.empty());
}

TEST(Loop, may_die_before_its_timers) {
    auto loop = std::make_unique<Loop>();
    auto nothing = [] {};
    Timer timer(*loop, Callback::to(nothing));
    timer.schedule_at(at(10));
    loop.reset();
    EXPECT_FALSE(timer.pending());
}

TEST(Timer, may_reschedule_itself_in_its_callback) {
    Loop loop;
    std::vector<std::int64_t> times;
    Timer* self = nullptr;
    auto tick = [&] {
        EXPECT_FALSE(self->pending());
        times.push_back(nanoseconds_of(loop.now()));
        if (times.size() < 4) self->schedule_after(nanoseconds(5));
    };
    Timer timer(loop, Callback::to(tick));
    self = &timer;
    timer.schedule_at(at(1));
    loop.run();
    EXPECT_THAT(times, ElementsAre(1, 6, 11, 16));
}

TEST(Timer, may_be_destroyed_in_its_callback) {
    Loop loop;
    std::unique_ptr<Timer> timer;
    bool ran = false;
    auto destroy = [&] {
        timer.reset();
        ran = true;
    };
    timer = std::make_unique<Timer>(loop, Callback::to(destroy));
    timer->schedule_at(at(1));
    loop.run();
    EXPECT_TRUE(ran);
}

TEST(Timer, may_cancel_another_that_is_due_at_the_same_time) {
    Loop loop;
    std::vector<int> log;
    Entry victim(loop, log, 1);
    auto cancel = [&] { victim.timer.cancel(); };
    Timer killer(loop, Callback::to(cancel));
    killer.schedule_at(at(5));
    victim.timer.schedule_at(at(5));
    EXPECT_EQ(loop.run(), 1U);
    EXPECT_TRUE(log.empty());
}

TEST_F(LoopTest, an_event_booked_for_the_past_runs_now_behind_those_already_due) {
    loop_.run_until(at(100));
    Entry& first = entry(1);
    Entry& second = entry(2);
    first.timer.schedule_at(at(100));
    second.timer.schedule_at(at(50));
    EXPECT_EQ(second.timer.due(), at(100));
    loop_.run();
    EXPECT_THAT(log_, ElementsAre(1, 2));
    EXPECT_EQ(loop_.now(), at(100));
}

TEST_F(LoopTest, run_until_includes_its_limit_and_moves_the_clock_there) {
    entry(1).timer.schedule_at(at(10));
    entry(2).timer.schedule_at(at(11));
    EXPECT_EQ(loop_.run_until(at(10)), 1U);
    EXPECT_THAT(log_, ElementsAre(1));
    EXPECT_EQ(loop_.next_due(), at(11));
    EXPECT_EQ(loop_.run_until(at(50)), 1U);
    EXPECT_EQ(loop_.now(), at(50));
    EXPECT_EQ(loop_.next_due(), std::nullopt);
}

TEST_F(LoopTest, stop_ends_the_run_after_the_event_and_the_next_run_goes_on) {
    auto stop = [this] { loop_.stop(); };
    Timer stopper(loop_, Callback::to(stop));
    stopper.schedule_at(at(10));
    entry(1).timer.schedule_at(at(10));
    EXPECT_EQ(loop_.run_until(at(99)), 1U);
    EXPECT_EQ(loop_.now(), at(10));
    EXPECT_TRUE(log_.empty());
    EXPECT_EQ(loop_.run(), 1U);
    EXPECT_THAT(log_, ElementsAre(1));
}

TEST(Timer, a_delay_of_forever_does_not_overflow) {
    Loop loop;
    loop.run_until(at(1000));
    auto nothing = [] {};
    Timer timer(loop, Callback::to(nothing));
    timer.schedule_after(Duration::max());
    EXPECT_EQ(timer.due(), Time::max());
}

// Against a model: std::set in the documented order, with thousands of random bookings, moves and cancellations.
TEST(Loop, agrees_with_an_ordered_set_under_random_operations) {
    struct Booked {
        std::int64_t due;
        std::uint64_t booking;
        std::size_t timer;
        auto operator<=>(const Booked&) const = default;
    };
    constexpr std::size_t timer_count = 200;
    Loop loop;
    Random random(1, "loop-model");
    std::vector<int> log;
    std::deque<Entry> timers;
    for (std::size_t index = 0; index < timer_count; ++index) timers.emplace_back(loop, log, static_cast<int>(index));
    std::set<Booked> model;
    std::uint64_t booking = 0;
    const auto forget = [&](std::size_t timer) {
        std::erase_if(model, [timer](const Booked& booked) { return booked.timer == timer; });
    };
    for (int step = 0; step < 20000; ++step) {
        const auto timer = static_cast<std::size_t>(random.below(timer_count));
        const std::uint64_t action = random.below(10);
        if (action < 6) {
            const std::int64_t due = nanoseconds_of(loop.now()) + static_cast<std::int64_t>(random.below(50));
            forget(timer);
            model.insert({due, booking++, timer});
            timers[timer].timer.schedule_at(at(due));
        } else if (action < 8) {
            forget(timer);
            timers[timer].timer.cancel();
        } else if (!model.empty()) {
            const Booked next = *model.begin();
            model.erase(model.begin());
            ASSERT_TRUE(loop.run_one());
            ASSERT_EQ(log.back(), static_cast<int>(next.timer)) << "step " << step;
            ASSERT_EQ(nanoseconds_of(loop.now()), next.due);
        }
        ASSERT_EQ(loop.pending_events(), model.size());
    }
}

// The face that a loop over real time has to show: the clock comes from outside and may fall short of the target.
class SteppedLoop : public Loop {
public:
    std::vector<Time> targets;

protected:
    Time advance(Time target) override {
        targets.push_back(target);
        return std::min(target, now() + nanoseconds(4));
    }
};

TEST(Loop, a_derived_clock_that_falls_short_of_the_due_time_holds_the_event_back) {
    SteppedLoop loop;
    std::vector<int> log;
    Entry event(loop, log, 1);
    event.timer.schedule_at(at(10));
    EXPECT_FALSE(loop.run_one());
    EXPECT_EQ(loop.now(), at(4));
    EXPECT_EQ(loop.run_until(at(13)), 1U);
    EXPECT_EQ(loop.now(), at(13));
    EXPECT_THAT(loop.targets, ElementsAre(at(10), at(10), at(10), at(13)));
}

}  // namespace
}  // namespace lfn
