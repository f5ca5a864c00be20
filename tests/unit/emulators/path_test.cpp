// SPDX-License-Identifier: BSD-3-Clause
#include "emulators/link/path.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "link_fixture.hpp"

namespace lfn {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using test::GreedySource;
using test::RecordingSink;

const LinkProfile& t1_satellite() {
    return *find_link_profile("t1-satellite");
}

TEST(LinkProfile, every_profile_is_complete_and_found_by_its_name) {
    ASSERT_FALSE(link_profiles().empty());
    for (const LinkProfile& profile : link_profiles()) {
        SCOPED_TRACE(profile.name);
        EXPECT_EQ(find_link_profile(profile.name), &profile);
        EXPECT_FALSE(profile.description.empty());
        for (const std::string_view source :
             {profile.rate_bps.source, profile.one_way_delay.source, profile.bit_error_rate.source,
              profile.queue_frames.source, profile.overhead_octets.source, profile.mtu_octets.source}) {
            EXPECT_FALSE(source.empty()) << "a number without a source";
        }
        EXPECT_GE(profile.one_way_delay.value, Duration::zero());
        EXPECT_GE(profile.bit_error_rate.value, 0.0);
        EXPECT_LT(profile.bit_error_rate.value, 1.0);
        EXPECT_GE(profile.mtu_octets.value, 576U);
    }
    EXPECT_TRUE(std::ranges::is_sorted(link_profiles(), {}, &LinkProfile::name));
    EXPECT_EQ(find_link_profile("no-such-link"), nullptr);
}

TEST(LinkProfile, t1_satellite_is_the_channel_of_rfc_1106) {
    EXPECT_EQ(t1_satellite().rate_bps.value, 1'544'000U);
    EXPECT_EQ(2 * t1_satellite().one_way_delay.value, milliseconds(580));
    EXPECT_EQ(t1_satellite().queue_frames.value, 3U);
    EXPECT_EQ(bandwidth_delay_octets(t1_satellite()), 111'940U);
}

TEST(LinkProfile, the_ceiling_is_the_rate_less_headers_and_losses) {
    EXPECT_DOUBLE_EQ(ceiling_octets_per_second(t1_satellite(), 0, 1460, 1500), 193'000.0 * 1460 / 1500);
    const double intact = std::exp(12000 * std::log1p(-1e-6));
    EXPECT_NEAR(ceiling_octets_per_second(t1_satellite(), 1e-6, 1460, 1500), 193'000.0 * 1460 / 1500 * intact, 1e-3);
    const LinkProfile& ethernet = *find_link_profile("ethernet-10m");
    EXPECT_DOUBLE_EQ(ceiling_octets_per_second(ethernet, 0, 1460, 1500), 1'250'000.0 * 1460 / 1538);
}

class PathTest : public testing::Test {
protected:
    Loop loop_;
    FramePool pool_{2048};
    RecordingSink sink_{loop_};
};

TEST_F(PathTest, a_frame_takes_its_time_on_the_line_plus_the_delay) {
    Path path(loop_, t1_satellite(), {}, "a-to-b");
    path.connect(sink_);
    FramePtr frame = pool_.make(1500);
    ASSERT_TRUE(path.transmitter().offer(frame));
    loop_.run();
    ASSERT_EQ(sink_.arrivals.size(), 1U);
    EXPECT_EQ(nanoseconds_of(sink_.arrivals[0].time), 290'000'000 + 12'000'000'000'000 / 1'544'000);
}

TEST_F(PathTest, even_the_ideal_link_delivers_from_the_loop_and_not_in_the_senders_call) {
    Path path(loop_, *find_link_profile("ideal"), {}, "a-to-b");
    path.connect(sink_);
    FramePtr frame = pool_.make(1500);
    ASSERT_TRUE(path.transmitter().offer(frame));
    EXPECT_TRUE(sink_.arrivals.empty());
    loop_.run();
    EXPECT_EQ(sink_.arrivals.size(), 1U);
    EXPECT_EQ(loop_.now(), Time{});
}

TEST_F(PathTest, options_override_the_profile) {
    Path path(loop_, t1_satellite(),
              {.bit_error_rate = 1.0, .rate_bps = 8'000'000, .one_way_delay = milliseconds(1), .queue_frames = 1},
              "a-to-b");
    path.connect(sink_);
    FramePtr frame = pool_.make(1000);
    EXPECT_TRUE(path.transmitter().offer(frame));
    frame = pool_.make(1000);
    EXPECT_FALSE(path.transmitter().offer(frame));
    loop_.run();
    EXPECT_EQ(path.counters().dropped(DropCause::bit_error).frames, 1U);
    EXPECT_EQ(loop_.now(), Time(milliseconds(1))) << "lost on the way";
}

std::vector<test::Arrival> history(const PathOptions& options) {
    Loop loop;
    FramePool pool(2048);
    RecordingSink sink(loop);
    Path path(loop, t1_satellite(), options, "a-to-b");
    path.connect(sink);
    GreedySource source(pool, path.transmitter(), 2000, 1500);
    source.fill();
    loop.run();
    return sink.arrivals;
}

TEST(Path, one_seed_gives_one_history) {
    const PathOptions options{.seed = 3, .bit_error_rate = 1e-6, .jitter = milliseconds(20)};
    PathOptions other = options;
    other.seed = 4;
    EXPECT_LT(history(options).size(), 2000U);
    EXPECT_EQ(history(options), history(options));
    EXPECT_NE(history(options), history(other));
}

TEST(Path, one_more_random_consumer_leaves_the_bit_errors_as_they_were) {
    const auto serials = [](const std::vector<test::Arrival>& arrivals) {
        std::vector<std::uint64_t> result;
        for (const test::Arrival& arrival : arrivals) result.push_back(arrival.serial);
        return result;
    };
    const PathOptions plain{.seed = 3, .bit_error_rate = 1e-6};
    PathOptions jittered = plain;
    jittered.jitter = milliseconds(20);
    EXPECT_EQ(serials(history(plain)), serials(history(jittered)));
}

TEST_F(PathTest, everything_at_once_still_accounts_for_every_frame) {
    Path path(loop_, t1_satellite(), {.bit_error_rate = 1e-6, .rate_bps = 10'000'000, .jitter = milliseconds(20)},
              "a-to-b");
    path.connect(sink_);
    struct Counter final : FrameObserver {
        void observe(Time, const Frame&) override { ++frames; }
        std::uint64_t frames = 0;
    } sent, received;
    path.add<GilbertElliott>(GilbertElliottOptions{.good_to_bad = 0.01, .bad_to_good = 0.3}, path.random("bursts"));
    path.add<Outage>(loop_, std::vector<Outage::Interval>{{Time(milliseconds(500)), Time(milliseconds(600))}});
    path.add<DropList>(std::vector<std::uint64_t>{10, 20});
    path.add<Reorder>(loop_, 0.05, milliseconds(3), path.random("reorder"));
    path.add<Duplicate>(0.02, path.random("duplicate"));
    path.tap_sent(sent);
    path.tap_received(received);
    GreedySource source(pool_, path.transmitter(), 3000, 1500);
    source.fill();
    while (loop_.run_one()) {
        ASSERT_TRUE(path.counters().balanced());
        for (const auto& stage : path.stages()) ASSERT_TRUE(stage->counters().balanced());
    }
    const Counters counters = path.counters();
    EXPECT_EQ(counters.in.frames, 3000U);
    EXPECT_EQ(sent.frames, 3000U);
    EXPECT_EQ(received.frames, counters.out.frames);
    EXPECT_EQ(counters.out, sink_.received);
    EXPECT_EQ(counters.queued, FrameCount{});
    EXPECT_GT(counters.refused.frames, 0U);
    EXPECT_GT(counters.duplicated.frames, 0U);
    for (const DropCause cause : {DropCause::bit_error, DropCause::burst_error, DropCause::outage, DropCause::chosen}) {
        EXPECT_GT(counters.dropped(cause).frames, 0U) << name_of(cause);
    }
    EXPECT_EQ(pool_.live(), 0U);
}

TEST_F(PathTest, the_two_ways_of_a_link_have_their_own_luck) {
    DuplexLink link(loop_, t1_satellite(), {.bit_error_rate = 1e-5});
    RecordingSink other(loop_);
    link.a_to_b.connect(sink_);
    link.b_to_a.connect(other);
    GreedySource forward(pool_, link.a_to_b.transmitter(), 500, 1500);
    GreedySource backward(pool_, link.b_to_a.transmitter(), 500, 1500);
    forward.fill();
    while (loop_.run_one()) continue;
    backward.fill();
    while (loop_.run_one()) continue;
    auto expected = sink_.serials();
    auto seen = other.serials();
    for (std::uint64_t& serial : seen) serial -= 500;
    EXPECT_NE(seen, expected);
    EXPECT_GT(seen.size(), 300U);
    EXPECT_LT(seen.size(), 500U);
}

}  // namespace
}  // namespace lfn
