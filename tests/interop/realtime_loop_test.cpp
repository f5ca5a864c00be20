// SPDX-License-Identifier: BSD-3-Clause
// The loop of real time: order and readiness, never how long anything took.
#include "ports/realtime/realtime_loop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

#include "ports/realtime/stop_on_signals.hpp"

namespace lfn {

namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;

struct Pipe {
    Pipe() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0); }
    ~Pipe() {
        close(ends[0]);
        close(ends[1]);
    }
    void put(int end = 1) { EXPECT_EQ(write(ends[end], "x", 1), 1); }
    void take(int end = 0) {
        char octet = 0;
        EXPECT_EQ(read(ends[end], &octet, 1), 1);
    }
    int ends[2];
};

TEST(RealtimeLoop, timers_run_in_order_and_find_the_clock_at_their_due_time) {
    RealtimeLoop loop;
    std::vector<int> ran;
    bool exact = true;
    auto early = [&] { ran.push_back(1); };
    auto late = [&] { ran.push_back(2); };
    Timer second(loop, Callback::to(late)), first(loop, Callback::to(early));
    const Time due = loop.now() + milliseconds(3);
    auto last = [&] {
        ran.push_back(3);
        exact = loop.now() == due && loop.real_now() >= due;
    };
    Timer third(loop, Callback::to(last));
    third.schedule_at(due);
    second.schedule_at(due - milliseconds(1));
    first.schedule_at(due - milliseconds(2));
    EXPECT_EQ(loop.run(), 3U);
    EXPECT_THAT(ran, ElementsAre(1, 2, 3));
    EXPECT_TRUE(exact);
}

// A chain of timers does not drift: each finds the time at which it was due, although all are late.
TEST(RealtimeLoop, late_timers_keep_their_distance) {
    RealtimeLoop loop;
    std::vector<Time> times;
    Timer* chain = nullptr;
    auto step = [&] {
        times.push_back(loop.now());
        const Time end = loop.real_now() + milliseconds(2);
        while (loop.real_now() < end) continue;
        if (times.size() < 4) chain->schedule_after(milliseconds(1));
    };
    Timer timer(loop, Callback::to(step));
    chain = &timer;
    timer.schedule_after(milliseconds(1));
    loop.run();
    ASSERT_EQ(times.size(), 4U);
    for (std::size_t i = 1; i < times.size(); ++i) EXPECT_EQ(times[i] - times[i - 1], milliseconds(1));
}

TEST(RealtimeLoop, a_descriptor_that_becomes_ready_runs_before_a_later_timer) {
    RealtimeLoop loop;
    Pipe pipe;
    std::vector<std::string> ran;
    auto readable = [&] {
        ran.push_back("descriptor");
        pipe.take();
    };
    FdWatch watch(loop, Callback::to(readable));
    watch.set(pipe.ends[0], POLLIN);
    auto timed = [&] { ran.push_back("timer"); };
    Timer timer(loop, Callback::to(timed));
    timer.schedule_after(milliseconds(20));
    pipe.put();
    loop.run();
    EXPECT_THAT(ran, ElementsAre("descriptor", "timer"));
}

TEST(RealtimeLoop, descriptors_are_served_although_timers_never_rest) {
    RealtimeLoop loop;
    Pipe pipe;
    pipe.put();
    auto readable = [&] {
        pipe.take();
        loop.stop();
    };
    FdWatch watch(loop, Callback::to(readable));
    watch.set(pipe.ends[0], POLLIN);
    Timer* again = nullptr;
    auto restless = [&] { again->schedule_after(Duration(1)); };
    Timer timer(loop, Callback::to(restless));
    again = &timer;
    timer.schedule_after(Duration(1));
    loop.run();  // ends, because the descriptor had its turn
    EXPECT_TRUE(timer.pending());
}

TEST(RealtimeLoop, a_watch_may_destroy_another_that_is_ready_as_well) {
    RealtimeLoop loop;
    Pipe one, two;
    int calls = 0;
    std::unique_ptr<FdWatch> first, second;
    auto kill_second = [&] {
        ++calls;
        second.reset();
        loop.stop();
    };
    auto kill_first = [&] {
        ++calls;
        first.reset();
        loop.stop();
    };
    first = std::make_unique<FdWatch>(loop, Callback::to(kill_second));
    second = std::make_unique<FdWatch>(loop, Callback::to(kill_first));
    first->set(one.ends[0], POLLIN);
    second->set(two.ends[0], POLLIN);
    one.put();
    two.put();
    loop.run_until(Time::max());
    EXPECT_EQ(calls, 1);
}

TEST(RealtimeLoop, writability_is_told_only_when_it_is_asked_for) {
    RealtimeLoop loop;
    Pipe pipe;
    int calls = 0;
    auto ready = [&] { ++calls; };
    FdWatch watch(loop, Callback::to(ready));
    watch.set(pipe.ends[0], POLLIN);
    loop.run_for(milliseconds(2));
    EXPECT_EQ(calls, 0);
    watch.set(pipe.ends[0], POLLOUT);
    loop.run_for(milliseconds(2));
    EXPECT_GT(calls, 0);
}

TEST(RealtimeLoop, sigterm_ends_the_run_in_good_order) {
    RealtimeLoop loop;
    StopOnSignals signals(loop);
    auto strike = [] { std::raise(SIGTERM); };
    Timer timer(loop, Callback::to(strike));
    timer.schedule_after(milliseconds(1));
    loop.run_until(Time::max());
    EXPECT_EQ(signals.signal(), SIGTERM);
}

}  // namespace

}  // namespace lfn
