// SPDX-License-Identifier: BSD-3-Clause
#include "lfn/big_window.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "property.hpp"

namespace {

TEST(BigWindow, halves_join_to_the_window) {
    for (uint32_t w : {0U, 1U, 65535U, 65536U, 0x12345U, LFN_WINDOW_MAX - 1, LFN_WINDOW_MAX}) {
        EXPECT_EQ(lfn_window_join(lfn_window_high(w), lfn_window_low(w)), w);
    }
}

TEST(BigWindow, more_than_2_to_the_30_is_clamped_both_ways) {
    EXPECT_EQ(lfn_window_join(0x4000, 0), LFN_WINDOW_MAX);
    EXPECT_EQ(lfn_window_join(0x4000, 1), LFN_WINDOW_MAX);
    EXPECT_EQ(lfn_window_join(0xFFFF, 0xFFFF), LFN_WINDOW_MAX);
    EXPECT_EQ(lfn_window_join(0x3FFF, 0xFFFF), LFN_WINDOW_MAX - 1);
    EXPECT_EQ(lfn_window_high(0xFFFFFFFF), 0x4000);
    EXPECT_EQ(lfn_window_low(0xFFFFFFFF), 0);
}

TEST(BigWindow, scale_is_the_smallest_that_carries_the_window) {
    EXPECT_EQ(lfn_window_scale_for(0), 0);
    EXPECT_EQ(lfn_window_scale_for(65535), 0);
    EXPECT_EQ(lfn_window_scale_for(65536), 1);
    EXPECT_EQ(lfn_window_scale_for(131070), 1);
    EXPECT_EQ(lfn_window_scale_for(131071), 2);
    EXPECT_EQ(lfn_window_scale_for(65535U << 13), 13);
    EXPECT_EQ(lfn_window_scale_for((65535U << 13) + 1), 14);
    EXPECT_EQ(lfn_window_scale_for(LFN_WINDOW_MAX), 14);
    EXPECT_EQ(lfn_window_scale_for(0xFFFFFFFF), 14);
}

TEST(BigWindow, b_in_both_syns_wins_over_scale_and_one_side_alone_counts_for_nothing) {
    for (unsigned bits = 0; bits < 16; ++bits) {
        const bool our_b = bits & 1, their_b = bits & 2, our_scale = bits & 4, their_scale = bits & 8;
        const lfn_window_rule expected = our_b && their_b           ? LFN_WINDOW_BC
                                         : our_scale && their_scale ? LFN_WINDOW_RFC7323
                                                                    : LFN_WINDOW_16BIT;
        EXPECT_EQ(lfn_window_negotiate(our_b, their_b, our_scale, their_scale), expected) << bits;
    }
}

TEST(BigWindow, the_third_syn_goes_without_options) {
    EXPECT_TRUE(lfn_syn_carries_options(0));
    EXPECT_TRUE(lfn_syn_carries_options(1));
    EXPECT_FALSE(lfn_syn_carries_options(2));
    EXPECT_FALSE(lfn_syn_carries_options(3));
}

TEST(Budget, what_is_over_is_offered_smaller) {
    lfn_budget budget{1000000, 0};
    EXPECT_EQ(lfn_budget_grant(&budget, 565535), 565535U);
    EXPECT_EQ(budget.used, 500000U);
    EXPECT_EQ(lfn_budget_grant(&budget, 10000000), 65535U + 500000);
    EXPECT_EQ(budget.used, budget.limit);
    EXPECT_EQ(lfn_budget_grant(&budget, 10000000), 65535U);
    lfn_budget_release(&budget, 565535);
    EXPECT_EQ(lfn_budget_grant(&budget, 65536), 65536U);
}

TEST(Budget, an_ordinary_window_is_free_and_never_raised) {
    lfn_budget budget{0, 0};
    EXPECT_EQ(lfn_budget_grant(&budget, 0), 0U);
    EXPECT_EQ(lfn_budget_grant(&budget, 4096), 4096U);
    EXPECT_EQ(lfn_budget_grant(&budget, 65535), 65535U);
    EXPECT_EQ(lfn_budget_grant(&budget, 65536), 65535U);
    lfn_budget_release(&budget, 65535);
    EXPECT_EQ(budget.used, 0U);
}

TEST(Budget, no_window_is_larger_than_2_to_the_30) {
    lfn_budget budget{UINT64_MAX, 0};
    EXPECT_EQ(lfn_budget_grant(&budget, 0xFFFFFFFF), LFN_WINDOW_MAX);
    lfn_budget_release(&budget, LFN_WINDOW_MAX);
    EXPECT_EQ(budget.used, 0U);
}

TEST(Budget, a_limit_lowered_below_its_use_grants_the_floor) {
    lfn_budget budget{1000000, 0};
    EXPECT_EQ(lfn_budget_grant(&budget, 565535), 565535U);
    budget.limit = 10;
    EXPECT_EQ(lfn_budget_grant(&budget, 565535), 65535U);
    lfn_budget_release(&budget, 565535);
    EXPECT_EQ(budget.used, 0U);
}

TEST(BudgetDeathTest, giving_back_what_was_never_granted_stops_the_program) {
    lfn_budget budget{1000000, 0};
    EXPECT_DEATH(lfn_budget_release(&budget, 65536), "");
}

RC_GTEST_PROP(BudgetProperty, use_is_the_sum_of_what_is_out_and_within_the_limit,
              (const std::vector<uint32_t>& wishes)) {
    lfn_budget budget{*rc::gen::arbitrary<uint32_t>(), 0};
    std::vector<uint32_t> out;
    for (uint32_t wanted : wishes) {
        if (wanted % 3 == 0 && !out.empty()) {
            lfn_budget_release(&budget, out.back());
            out.pop_back();
        } else {
            out.push_back(lfn_budget_grant(&budget, wanted * 65537));
            RC_ASSERT(out.back() >= std::min(wanted * 65537, LFN_WINDOW_FLOOR));
            RC_ASSERT(out.back() <= wanted * 65537);
        }
        uint64_t sum = 0;
        for (uint32_t granted : out) sum += granted > LFN_WINDOW_FLOOR ? granted - LFN_WINDOW_FLOOR : 0;
        RC_ASSERT(budget.used == sum);
        RC_ASSERT(budget.used <= budget.limit);
    }
}

}  // namespace
