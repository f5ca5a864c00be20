// SPDX-License-Identifier: BSD-3-Clause
#include "emulators/time/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace lfn {
namespace {

// Values computed apart from this code, from the published definitions of FNV-1a, splitmix64 and MT19937-64.
TEST(Random, a_stream_is_what_its_definition_says) {
    EXPECT_EQ(stream_seed(0, ""), 0x21fa69a58f3d62f5U);
    EXPECT_EQ(stream_seed(1, "a-to-b/bit-errors"), 0x774187c42ef0a422U);
    Random random(1, "a-to-b/bit-errors");
    EXPECT_EQ(random.next_u64(), 0xfe1cf265c4ae0d04U);
    EXPECT_EQ(random.next_u64(), 0x7112878b07186b15U);
}

TEST(Random, streams_of_one_seed_and_seeds_of_one_stream_differ) {
    EXPECT_EQ(Random(1, "b-to-a/bit-errors").next_u64(), 0x71350c91dba0449U);
    EXPECT_EQ(Random(2, "a-to-b/bit-errors").next_u64(), 0xfd3541c940de980U);
}

TEST(Random, unit_is_in_the_half_open_interval_and_centred) {
    Random random(1, "unit");
    double sum = 0;
    constexpr int draws = 100000;
    for (int draw = 0; draw < draws; ++draw) {
        const double value = random.unit();
        ASSERT_GE(value, 0.0);
        ASSERT_LT(value, 1.0);
        sum += value;
    }
    EXPECT_NEAR(sum / draws, 0.5, 4 * 0.2887 / 316.2);  // four standard deviations of the mean
}

TEST(Random, below_gives_each_value_its_share) {
    Random random(1, "below");
    std::array<int, 7> seen{};
    constexpr int draws = 70000;
    for (int draw = 0; draw < draws; ++draw) ++seen[random.below(seen.size())];
    double chi_square = 0;
    for (const int count : seen) chi_square += (count - 10000.0) * (count - 10000.0) / 10000.0;
    EXPECT_LT(chi_square, 22.46);  // 6 degrees of freedom, 0.1 %
}

TEST(Random, below_is_unbiased_where_modulo_is_not) {
    // With bound 3 * 2^62 plain modulo gives the lowest third half of all draws.
    Random random(1, "wide");
    int low = 0;
    constexpr int draws = 30000;
    for (int draw = 0; draw < draws; ++draw) low += random.below(std::uint64_t{3} << 62) < (std::uint64_t{1} << 62);
    EXPECT_NEAR(low, draws / 3, 4 * 82);
    EXPECT_EQ(random.below(1), 0U);
}

TEST(Random, chance_of_zero_never_and_of_one_always) {
    Random random(1, "chance");
    for (int draw = 0; draw < 1000; ++draw) {
        EXPECT_FALSE(random.chance(0));
        EXPECT_TRUE(random.chance(1));
    }
}

}  // namespace
}  // namespace lfn
