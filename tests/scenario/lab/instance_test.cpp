// SPDX-License-Identifier: BSD-3-Clause
// Instances: stacks of both builds side by side, none of which knows of the others.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "ports/lab/host.hpp"
#include "ports/lab/transfer.hpp"
#include "ports/lab/workload.hpp"

namespace {

using namespace lfn;
using namespace lfn::lab;

// Two hosts and a link of their own, in a loop that others share.
struct Pair {
    Pair(Loop& loop, FramePool& pool, const lfn_stack& left, const lfn_stack& right, std::uint64_t seed)
        : link(loop, *find_link_profile("t1-satellite"), {.seed = seed}),
          a(loop, pool, left, {.address = 0x0a000001, .mtu = 552, .seed = seed, .name = "a"}),
          b(loop, pool, right, {.address = 0x0a000002, .mtu = 552, .seed = seed, .name = "b"}),
          source(a, loop, 50'000, seed),
          sink(b, loop) {
        link.a_to_b.connect(b);
        link.b_to_a.connect(a);
        a.attach(link.a_to_b.transmitter());
        b.attach(link.b_to_a.transmitter());
    }
    bool start() { return sink.start(5001, {}) && source.start(0x0a000002, 5001, {}); }
    bool intact() const { return source.end().finished && source.end().digest == sink.end().digest; }

    DuplexLink link;
    Host a, b;
    Source source;
    Sink sink;
};

TEST(Instance, eight_hosts_of_two_builds_interleave_in_one_loop) {
    Loop loop;
    FramePool pool(600);
    std::vector<std::unique_ptr<Pair>> pairs;
    const lfn_stack* builds[] = {lfn_stack_lfn(), lfn_stack_lwip()};
    for (std::uint64_t i = 0; i < 4; ++i) {
        pairs.push_back(std::make_unique<Pair>(loop, pool, *builds[i & 1], *builds[i >> 1], i + 1));
    }
    for (auto& pair : pairs) ASSERT_TRUE(pair->start());
    loop.run_until(Time{} + std::chrono::seconds(60));
    for (auto& pair : pairs) {
        EXPECT_TRUE(pair->intact());
        EXPECT_EQ(pair->sink.end().digest.octets(), 50'000U);
    }
}

TEST(Instance, a_host_that_is_taken_away_in_mid_transfer_leaves_nothing_behind) {
    Loop loop;
    FramePool pool(600);
    {
        Pair pair(loop, pool, *lfn_stack_lfn(), *lfn_stack_lfn(), 1);
        ASSERT_TRUE(pair.start());
        loop.run_until(Time{} + std::chrono::milliseconds(1500));
        EXPECT_GT(pair.sink.end().digest.octets(), 0U);
        EXPECT_LT(pair.sink.end().digest.octets(), 50'000U);
    }
    EXPECT_TRUE(loop.empty());
    EXPECT_EQ(pool.live(), 0U);
}

TEST(Instance, history_does_not_depend_on_what_ran_before) {
    TransferOptions options;
    options.octets = 100'000;
    options.bit_error_rate = 1e-5;
    const double first = run_transfer(options).seconds;
    TransferOptions other = options;
    other.seed = 99;
    other.sender = lfn_stack_lwip();
    run_transfer(other);
    EXPECT_EQ(run_transfer(options).seconds, first);
}

TEST(Instance, builds_say_who_they_are) {
    EXPECT_STREQ(lfn_stack_lfn()->name, "lfn");
    EXPECT_TRUE(lfn_stack_lfn()->has_lfn_tcp);
    EXPECT_STREQ(lfn_stack_lwip()->name, "lwip-2.2.1");
    EXPECT_FALSE(lfn_stack_lwip()->has_lfn_tcp);
}

}  // namespace
