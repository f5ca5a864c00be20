// SPDX-License-Identifier: BSD-3-Clause
// How near the T1 satellite link's ceiling lfn comes with the best that it has: renak, a loss is noise, ten segments at
// first (RFC 6928), slow start by 8. The ceiling is that of packets without options; option C takes 4 octets of each.
#include "tests/tables/release_binary.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <tuple>

#include "tests/scenario/cli/command.hpp"

namespace lfn::test {
namespace {

constexpr int seeds = 10;
const std::string recovery = "transfer --link t1-satellite --window 512K --nak renak --loss-policy noise ";

nlohmann::json transfer(const std::string& arguments, int seed) {
    const auto json = json_of(release_binary(), recovery + arguments + " --seed " + std::to_string(seed));
    EXPECT_TRUE(json.is_object() && json["intact"] == true) << arguments << ", seed " << seed;
    return json;
}

struct Sums {
    double efficiency = 0, resent = 0, lost = 0, timeouts = 0;
};

Sums mean_of_seeds(const std::string& arguments) {
    Sums sums;
    for (int seed = 1; seed <= seeds; ++seed) {
        const auto json = transfer(arguments, seed);
        if (!json.is_object()) continue;
        sums.efficiency += json["efficiency"].get<double>() / seeds;
        sums.resent += json["retransmitted_bytes"].get<double>();
        sums.lost += json["lost_bytes"].get<double>();
        sums.timeouts += json["rtos"].get<double>();
    }
    std::printf("%s: %.4f of the ceiling, %.3f bytes resent for each lost, %.0f timeouts\n", arguments.c_str(),
                sums.efficiency, sums.resent / std::max(sums.lost, 1.0), sums.timeouts);
    return sums;
}

using Cell = std::tuple<const char*, int, double>;  // bit error rate, MSS, least share

class Ceiling : public ReleaseTest, public ::testing::WithParamInterface<Cell> {};

TEST_P(Ceiling, is_reached_and_what_is_lost_is_sent_again_once) {
    const auto& [rate, mss, least] = GetParam();
    const Sums sums = mean_of_seeds("--bytes 50M --initial-window 10 --slow-start 8 --ber " + std::string(rate) +
                                    " --mss " + std::to_string(mss));
    EXPECT_GE(sums.efficiency, least);
    EXPECT_LE(sums.resent, 1.05 * sums.lost);
}

INSTANTIATE_TEST_SUITE_P(Cells, Ceiling,
                         ::testing::Values(Cell{"1e-7", 512, 0.985}, Cell{"1e-7", 1460, 0.985},
                                           Cell{"1e-6", 512, 0.985}, Cell{"1e-6", 1460, 0.985}, Cell{"1e-5", 512, 0.97},
                                           Cell{"1e-5", 1460, 0.97}));

class ColdStart : public ReleaseTest, public ::testing::WithParamInterface<int> {};

TEST_P(ColdStart, takes_at_most_a_quarter_more_than_a_handshake_and_the_ceiling) {
    constexpr double round_trip_seconds = 0.58;
    const std::string arguments = "--bytes 10M --slow-start 2 --ber 1e-6 --mss " + std::to_string(GetParam());
    double ratio = 0;
    for (int seed = 1; seed <= seeds; ++seed) {
        const auto json = transfer(arguments, seed);
        ASSERT_TRUE(json.is_object());
        const double ideal = round_trip_seconds + 10e6 / json["ceiling_bytes_per_second"].get<double>();
        ratio += json["virtual_seconds"].get<double>() / ideal / seeds;
    }
    std::printf("%s: %.3f of the ideal time\n", arguments.c_str(), ratio);
    EXPECT_LE(ratio, 1.25);
}

INSTANTIATE_TEST_SUITE_P(Mss, ColdStart, ::testing::Values(512, 1460));

class Timeouts : public ReleaseTest {};

TEST_F(Timeouts, none_in_1000_seconds_at_580_ms_give_or_take_20) {
    const auto json = transfer("--bytes 178M --slow-start 2 --rtt 580 --jitter 10", 1);
    ASSERT_TRUE(json.is_object());
    EXPECT_GT(json["virtual_seconds"].get<double>(), 1000);
    EXPECT_EQ(json["rtos"], 0);
    EXPECT_EQ(json["retransmitted_segments"], 0);
}

}  // namespace
}  // namespace lfn::test
