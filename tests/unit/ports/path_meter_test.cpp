// SPDX-License-Identifier: BSD-3-Clause
// What a bridge tells of how it kept its profile.
#include "ports/bridge/path_meter.hpp"

#include <gtest/gtest.h>

namespace lfn {
namespace {

TEST(Percentiles, are_the_nearest_ranks) {
    std::vector<std::int64_t> sample;
    for (std::int64_t i = 200; i > 0; --i) sample.push_back(i);
    const Percentiles result = percentiles_of(sample);
    EXPECT_EQ(result.count, 200U);
    EXPECT_EQ(result.p1, Duration(2));
    EXPECT_EQ(result.p50, Duration(100));
    EXPECT_EQ(result.p99, Duration(198));
    EXPECT_EQ(result.max, Duration(200));
}

TEST(Percentiles, of_nothing_are_zero) {
    std::vector<std::int64_t> sample;
    EXPECT_EQ(percentiles_of(sample).count, 0U);
    EXPECT_EQ(percentiles_of(sample).max, Duration::zero());
}

TEST(PathMeter, counts_every_frame_although_its_sample_is_bounded) {
    constexpr std::uint64_t frames = (1U << 20) + 1000;
    RealtimeLoop loop;
    PathMeter meter(loop, 0);
    FramePool pool(64);
    for (std::uint64_t i = 0; i < frames; ++i) {
        const FramePtr frame = pool.make(1);
        meter.arrived(*frame);
        meter.at_receiver().observe(loop.now(), *frame);
    }
    const Percentiles delay = meter.delay();
    EXPECT_EQ(delay.count, frames);
    EXPECT_LE(delay.p1, delay.p50);
    EXPECT_LE(delay.p50, delay.max);
}

TEST(PathMeter, frames_that_never_arrive_are_not_counted) {
    RealtimeLoop loop;
    PathMeter meter(loop, 0);
    FramePool pool(64);
    const FramePtr lost = pool.make(1), came = pool.make(1);
    meter.arrived(*lost);
    meter.arrived(*came);
    meter.at_receiver().observe(loop.now(), *came);
    EXPECT_EQ(meter.delay().count, 1U);
}

}  // namespace
}  // namespace lfn
