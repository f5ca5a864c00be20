// SPDX-License-Identifier: BSD-3-Clause
#include "emulators/host/processor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "emulators/host/profile.hpp"

namespace lfn {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using testing::ElementsAre;

constexpr Time at(Duration since_start) {
    return Time{} + since_start;
}

// A program in so many words; what it is made of must outlive the processor.
struct Machine {
    template <class Program>
    Machine(Loop& loop, Program& program) : processor(loop, Callback::to(program)) {}
    ~Machine() { processor.finish(); }
    Processor processor;
};

TEST(Processor, work_takes_its_time) {
    Loop loop;
    Time done{};
    Processor* self = nullptr;
    auto program = [&] {
        self->spend(Work::copying, microseconds(300));
        self->spend(Work::protocol, microseconds(200));
        self->settle();
        done = loop.now();
    };
    Machine machine(loop, program);
    self = &machine.processor;
    machine.processor.start();
    loop.run();
    EXPECT_EQ(done, at(microseconds(500)));
    EXPECT_EQ(machine.processor.spent(Work::copying), microseconds(300));
    EXPECT_EQ(machine.processor.busy(), microseconds(500));
}

TEST(Processor, sees_what_happens_while_it_works_after_its_time) {
    Loop loop;
    bool rung = false;
    auto ring = [&] { rung = true; };
    Timer bell(loop, Callback::to(ring));
    bell.schedule_after(microseconds(100));
    std::vector<bool> seen;
    Processor* self = nullptr;
    auto program = [&] {
        self->spend(Work::protocol, microseconds(99));
        self->settle();
        seen.push_back(rung);
        self->spend(Work::protocol, microseconds(2));
        seen.push_back(rung);
    };
    Machine machine(loop, program);
    self = &machine.processor;
    machine.processor.start();
    loop.run();
    EXPECT_THAT(seen, ElementsAre(false, true));
}

TEST(Processor, two_work_at_the_same_time_and_their_steps_are_in_order) {
    Loop loop;
    std::vector<std::string> steps;
    Processor* selves[2] = {};
    const auto step = [&](int who, Duration duration) {
        selves[who]->spend(Work::protocol, duration);
        selves[who]->settle();
        steps.push_back((who == 0 ? "a" : "b") + std::to_string(loop.now().time_since_epoch() / microseconds(1)));
    };
    auto first = [&] {
        for (int i = 0; i < 3; ++i) step(0, microseconds(10));
    };
    auto second = [&] {
        for (int i = 0; i < 2; ++i) step(1, microseconds(13));
    };
    Machine a(loop, first), b(loop, second);
    selves[0] = &a.processor;
    selves[1] = &b.processor;
    a.processor.start();
    b.processor.start();
    loop.run();
    EXPECT_THAT(steps, ElementsAre("a10", "b13", "a20", "b26", "a30"));
}

TEST(Processor, an_interrupt_takes_its_time_from_what_is_being_done) {
    Loop loop;
    Time done{};
    Processor* self = nullptr;
    auto program = [&] {
        self->spend(Work::copying, microseconds(100));
        self->settle();
        done = loop.now();
    };
    Machine machine(loop, program);
    self = &machine.processor;
    auto interrupt = [&] { self->interrupt(microseconds(7)); };
    Timer line(loop, Callback::to(interrupt));
    line.schedule_after(microseconds(50));
    machine.processor.start();
    loop.run();
    EXPECT_EQ(done, at(microseconds(107)));
    EXPECT_EQ(machine.processor.spent(Work::interrupt), microseconds(7));
}

TEST(Processor, an_interrupt_wakes_an_idle_one_after_its_latency) {
    Loop loop;
    Time woken{};
    Processor* self = nullptr;
    auto program = [&] {
        self->wait();
        woken = loop.now();
    };
    Machine machine(loop, program);
    self = &machine.processor;
    auto interrupt = [&] { self->interrupt(microseconds(75)); };
    Timer line(loop, Callback::to(interrupt));
    line.schedule_after(milliseconds(1));
    machine.processor.start();
    loop.run();
    EXPECT_EQ(woken, at(microseconds(1075)));
}

TEST(Processor, a_wake_while_it_works_is_not_lost) {
    Loop loop;
    int rounds = 0;
    Processor* self = nullptr;
    auto program = [&] {
        while (!self->stopping()) {
            ++rounds;
            self->spend(Work::protocol, microseconds(100));
            self->wait();
        }
    };
    Machine machine(loop, program);
    self = &machine.processor;
    auto wake = [&] { self->wake(); };
    Timer waker(loop, Callback::to(wake));
    waker.schedule_after(microseconds(50));
    machine.processor.start();
    loop.run();
    EXPECT_EQ(rounds, 2);
    EXPECT_TRUE(machine.processor.idle());
}

TEST(Processor, quiet_work_pays_in_the_end) {
    Loop loop;
    Time done{};
    Processor* self = nullptr;
    auto program = [&] {
        for (int i = 0; i < 1000; ++i) self->spend_quietly(Work::port_io, Duration(2'500));
        self->settle();
        done = loop.now();
    };
    Machine machine(loop, program);
    self = &machine.processor;
    auto nothing = [] {};
    Timer busy_loop(loop, Callback::to(nothing));
    busy_loop.schedule_after(microseconds(1));
    machine.processor.start();
    loop.run();
    EXPECT_EQ(done, at(microseconds(2'500)));
}

TEST(Processor, a_program_that_is_cut_short_comes_to_its_end) {
    Loop loop;
    bool ended = false;
    Processor* self = nullptr;
    auto program = [&] {
        while (!self->stopping()) {
            self->spend(Work::protocol, milliseconds(1));
            self->settle();
        }
        ended = true;
    };
    {
        Machine machine(loop, program);
        self = &machine.processor;
        machine.processor.start();
        loop.run_for(milliseconds(10) + microseconds(1));
        EXPECT_FALSE(ended);
    }
    EXPECT_TRUE(ended);
}

[[gnu::noinline]] int deeper(int depth) {
    volatile char room[1024] = {};
    room[0] = static_cast<char>(depth);
    return depth == 0 ? room[0] : deeper(depth - 1) + room[0];
}

// Whatever lies below must not be written over.
TEST(ProcessorDeathTest, a_program_that_recurses_too_deep_dies_of_it) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    const auto overflow = [] {
        Loop loop;
        auto program = [] { deeper(1 << 20); };
        Machine machine(loop, program);
        machine.processor.start();
        loop.run();
    };
    EXPECT_DEATH(overflow(), "");
}

TEST(HostProfiles, say_where_each_number_comes_from) {
    ASSERT_NE(find_host_profile("pc-at-8"), nullptr);
    EXPECT_EQ(find_host_profile("cray"), nullptr);
    std::string_view last;
    for (const HostProfile& host : host_profiles()) {
        EXPECT_LT(last, host.name);
        last = host.name;
        for (const auto& number : {host.port_access, host.copy_octet, host.checksum_octet, host.send_packet,
                                   host.receive_packet, host.interrupt, host.clock_tick}) {
            EXPECT_FALSE(number.source.empty()) << host.name;
            EXPECT_GE(number.value, Duration{}) << host.name;
        }
        EXPECT_GT(host.port_access.value, Duration{}) << host.name;  // or a polling loop never ends
        EXPECT_GT(host.clock_tick.value, Duration{}) << host.name;
    }
}

}  // namespace
}  // namespace lfn
