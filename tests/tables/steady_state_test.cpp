// SPDX-License-Identifier: BSD-3-Clause
// What is left of the T1 satellite link's ceiling in the long run: 50 MB, 512 KB window, MSS 512, the mean of ten
// seeds; renak, a loss is noise, slow start by 2. Beside it, unpatched lwIP 2.2.1 as the sender over the same link.
#include "tests/tables/release_binary.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "tests/scenario/cli/command.hpp"

namespace lfn::test {
namespace {

constexpr int seeds = 10;
const std::string conditions =
    "transfer --link t1-satellite --bytes 50M --window 512K --mss 512 --nak renak --loss-policy noise --slow-start 2";

// The mean share of the ceiling; every transfer must be intact.
double mean_efficiency(const std::string& arguments) {
    double sum = 0;
    for (int seed = 1; seed <= seeds; ++seed) {
        const auto json = json_of(release_binary(), conditions + " " + arguments + " --seed " + std::to_string(seed));
        EXPECT_TRUE(json.is_object() && json["intact"] == true) << arguments << ", seed " << seed;
        if (json.is_object()) sum += json["efficiency"].get<double>();
    }
    std::printf("%s: %.4f of the ceiling\n", arguments.c_str(), sum / seeds);
    return sum / seeds;
}

class SteadyState : public ReleaseTest {};

TEST_F(SteadyState, at_1e7_it_is_on_the_ceiling) {
    EXPECT_GE(mean_efficiency("--ber 1e-7"), 0.97);
}

TEST_F(SteadyState, at_1e6_it_is_on_the_ceiling) {
    EXPECT_GE(mean_efficiency("--ber 1e-6"), 0.97);
}

TEST_F(SteadyState, at_1e5_it_is_near_the_ceiling) {
    EXPECT_GE(mean_efficiency("--ber 1e-5"), 0.94);
}

TEST_F(SteadyState, unpatched_lwip_gets_a_tenth_at_1e6) {
    const double efficiency = mean_efficiency("--ber 1e-6 --peer lwip --reverse");
    EXPECT_GE(efficiency, 0.05);
    EXPECT_LE(efficiency, 0.15);
}

}  // namespace
}  // namespace lfn::test
