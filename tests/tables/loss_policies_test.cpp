// SPDX-License-Identifier: BSD-3-Clause
// What the loss policies make of noise, of congestion and of both: `lfn policies`.
#include "tests/tables/release_binary.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/scenario/cli/command.hpp"

namespace lfn::test {
namespace {

class LossPolicies : public ReleaseTest {
protected:
    void SetUp() override {
        ReleaseTest::SetUp();
        if (IsSkipped() || !cells_.is_null()) return;
        cells_ = json_of(release_binary(), "policies --json")["cells"];
    }
    // Calls `look` with each cell of this cause and policy; there is at least one.
    template <class Look>
    static void each(const std::string& losses, const std::string& policy, Look look, bool marks = false) {
        int found = 0;
        for (const auto& cell : cells_) {
            if (cell["losses"] != losses || cell["policy"] != policy || cell["marks"] != marks) continue;
            ++found;
            SCOPED_TRACE(cell.dump());
            look(cell);
        }
        EXPECT_GE(found, 5);
    }
    // The cell of the same path and cause with another policy.
    static nlohmann::json beside(nlohmann::json cell, const std::string& policy) {
        for (const auto& other : cells_) {
            const bool same = other["losses"] == cell["losses"] && other["queue_share"] == cell["queue_share"] &&
                              other["rate_bits_per_second"] == cell["rate_bits_per_second"] &&
                              other["round_trip_seconds"] == cell["round_trip_seconds"];
            if (same && other["marks"] == false && other["policy"] == policy) return other;
        }
        ADD_FAILURE() << "no such cell";
        return cell;
    }
    static inline nlohmann::json cells_;
};

TEST_F(LossPolicies, every_flow_is_intact) {
    for (const auto& cell : cells_) EXPECT_EQ(cell["intact"], true) << cell;
}

TEST_F(LossPolicies, auto_leaves_newreno_at_least_two_fifths_of_its_fair_half) {
    for (const char* losses : {"congestion", "both"}) {
        each(losses, "auto", [](const auto& cell) { EXPECT_GE(cell["newreno_share_of_fair_half"], 0.40); });
    }
}

TEST_F(LossPolicies, noise_does_not) {
    int unfair = 0;
    each("congestion", "noise", [&](const auto& cell) { unfair += cell["newreno_share_of_fair_half"] < 0.40; });
    EXPECT_GE(unfair, 3);
}

TEST_F(LossPolicies, auto_carries_several_times_what_congestion_does_on_noise) {
    each("noise", "auto", [](const auto& cell) {
        EXPECT_GE(cell["goodput_bytes_per_second"].template get<double>(),
                  2.5 * beside(cell, "congestion")["goodput_bytes_per_second"].template get<double>());
    });
}

TEST_F(LossPolicies, auto_is_wrong_seldom) {
    each("noise", "auto", [](const auto& cell) { EXPECT_LE(cell["wrong_share"], 0.25); });
    each("congestion", "auto", [](const auto& cell) { EXPECT_LE(cell["wrong_share"], 0.35); });
}

TEST_F(LossPolicies, auto_is_wrong_no_more_often_with_marks_than_without) {
    double with = 0;
    double without = 0;
    const auto look = [&](const auto& cell) {
        with += cell["wrong_share"].template get<double>();
        without += beside(cell, "auto")["wrong_share"].template get<double>();
        EXPECT_LE(cell["wrong_share"], beside(cell, "auto")["wrong_share"]);
    };
    each("noise", "auto", look, true);
    EXPECT_LT(with, 0.7 * without);
}

TEST_F(LossPolicies, auto_loses_nothing_to_a_queue_that_marks_and_takes_no_loss_there_for_noise) {
    const auto look = [](const auto& cell) {
        EXPECT_GT(cell["window_reductions_for_marks"], 0);
        EXPECT_EQ(cell["window_reductions_for_marks"], cell["window_reductions"]);
        EXPECT_EQ(cell["losses_kept"], 0);
    };
    each("congestion", "auto", look, true);
}

TEST_F(LossPolicies, auto_with_marks_leaves_newreno_at_least_two_fifths_of_its_fair_half) {
    for (const char* losses : {"congestion", "both"}) {
        each(
            losses, "auto", [](const auto& cell) { EXPECT_GE(cell["newreno_share_of_fair_half"], 0.40); }, true);
    }
}

}  // namespace
}  // namespace lfn::test
