// SPDX-License-Identifier: BSD-3-Clause
// RFC 1106 4.3: with NAK, retransmitting on duplicate ACKs as well does harm, as a long pipe returns dozens of them for
// one loss. Figure 2's largest window at its worst error rate, with it and without it.
#include "tests/tables/release_binary.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "tests/scenario/cli/command.hpp"

namespace lfn::test {
namespace {

constexpr int seeds = 10;

double mean_goodput(const std::string& dup_acks) {
    double sum = 0;
    for (int seed = 1; seed <= seeds; ++seed) {
        const auto json = json_of(release_binary(),
                                  "transfer --window 156K --ber 1e-6 --nak every-gap --loss-policy noise "
                                  "--dup-acks " +
                                      dup_acks + " --seed " + std::to_string(seed));
        EXPECT_TRUE(json.is_object() && json["intact"] == true) << dup_acks << ", seed " << seed;
        if (json.is_object()) sum += json["goodput_bytes_per_second"].get<double>();
    }
    std::printf("duplicate ACKs %s: %.1f kB/s\n", dup_acks.c_str(), sum / seeds / 1000);
    return sum / seeds;
}

class DupAcksBesideNak : public ReleaseTest {};

TEST_F(DupAcksBesideNak, cost_most_of_what_nak_gains) {
    const double on = mean_goodput("on");
    const double off = mean_goodput("off");
    EXPECT_GE(on, 12'000);
    EXPECT_LE(on, 25'000);
    EXPECT_GE(off, 4 * on);
    EXPECT_EQ(mean_goodput("auto"), off) << "auto is off once NAK is agreed";
}

}  // namespace
}  // namespace lfn::test
