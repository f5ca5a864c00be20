// SPDX-License-Identifier: BSD-3-Clause
#include "lfn/rto.h"

#include <gtest/gtest.h>

#include <random>

namespace {

lfn_rto fresh() {
    lfn_rto rto;
    lfn_rto_init(&rto);
    return rto;
}

lfn_rto with_floor(uint32_t min_ms, uint32_t margin_ms = 0) {
    lfn_rto rto = fresh();
    rto.min_ms = min_ms;
    rto.margin_ms = margin_ms;
    return rto;
}

TEST(Rto, starts_at_one_second) {
    const lfn_rto rto = fresh();
    EXPECT_EQ(lfn_rto_ms(&rto), 1000U);
    EXPECT_EQ(lfn_rto_srtt_ms(&rto), 0U);
}

TEST(Rto, first_sample_sets_srtt_and_half_of_it_as_variance) {
    lfn_rto rto = with_floor(1);
    lfn_rto_sample(&rto, 580);
    EXPECT_EQ(lfn_rto_srtt_ms(&rto), 580U);
    EXPECT_EQ(lfn_rto_ms(&rto), 580U + 4 * 290);
}

TEST(Rto, second_sample_follows_the_formula) {
    lfn_rto rto = with_floor(1);
    lfn_rto_sample(&rto, 800);
    lfn_rto_sample(&rto, 1600);
    // rttvar = 3/4 * 400 + 1/4 * 800 = 500; srtt = 7/8 * 800 + 1/8 * 1600 = 900
    EXPECT_EQ(lfn_rto_srtt_ms(&rto), 900U);
    EXPECT_EQ(lfn_rto_ms(&rto), 900U + 2000);
}

TEST(Rto, floor_and_margin_apply) {
    lfn_rto rto = fresh();
    for (int i = 0; i < 100; ++i) lfn_rto_sample(&rto, 5);
    EXPECT_EQ(lfn_rto_ms(&rto), 1000U);
    rto.margin_ms = 250;
    EXPECT_EQ(lfn_rto_ms(&rto), 1250U);
    rto.min_ms = 0;
    EXPECT_GE(lfn_rto_ms(&rto), 5U + 1 + 250) << "the variance term is at least the clock's granularity";
}

TEST(Rto, a_round_trip_of_zero_still_waits) {
    lfn_rto rto = with_floor(0);
    for (int i = 0; i < 100; ++i) lfn_rto_sample(&rto, 0);
    EXPECT_EQ(lfn_rto_ms(&rto), 1U);
}

TEST(Rto, back_off_doubles_up_to_a_minute) {
    lfn_rto rto = fresh();
    for (uint32_t expected : {2000U, 4000U, 8000U, 16000U, 32000U, 60000U, 60000U}) {
        lfn_rto_back_off(&rto);
        EXPECT_EQ(lfn_rto_ms(&rto), expected);
    }
    for (int i = 0; i < 1000; ++i) lfn_rto_back_off(&rto);
    EXPECT_EQ(lfn_rto_ms(&rto), 60000U);
    lfn_rto_reset_backoff(&rto);
    EXPECT_EQ(lfn_rto_ms(&rto), 1000U);
}

TEST(Rto, a_sample_ends_the_back_off) {
    lfn_rto rto = fresh();
    lfn_rto_back_off(&rto);
    lfn_rto_sample(&rto, 580);
    EXPECT_EQ(lfn_rto_ms(&rto), 580U + 4 * 290);
}

TEST(Rto, a_lost_syn_makes_data_start_with_three_seconds) {
    lfn_rto rto = fresh();
    lfn_rto_back_off(&rto);
    lfn_rto_opened(&rto, true);
    EXPECT_EQ(lfn_rto_ms(&rto), 3000U);
    lfn_rto_sample(&rto, 100);
    lfn_rto_opened(&rto, true);
    EXPECT_EQ(lfn_rto_ms(&rto), 1000U) << "a sample says more";
    lfn_rto calm = fresh();
    lfn_rto_opened(&calm, false);
    EXPECT_EQ(lfn_rto_ms(&calm), 1000U);
}

TEST(Rto, absurd_samples_stay_within_a_minute) {
    lfn_rto rto = fresh();
    for (uint32_t rtt : {0xFFFFFFFFU, 0U, 0xFFFFFFFFU, 0xFFFFFFFFU, 0U, 1U}) {
        lfn_rto_sample(&rto, rtt);
        EXPECT_LE(lfn_rto_ms(&rto), 60000U);
        EXPECT_GE(lfn_rto_ms(&rto), 1000U);
        EXPECT_LT(lfn_rto_srtt_ms(&rto), 1U << 28);
    }
}

// A satellite path of 580 ms +/- 20 ms: with the default floor, or with a margin of the whole swing, no timeout is
// spurious.
TEST(Rto, never_early_on_a_satellite_path) {
    std::mt19937_64 random(1106);
    lfn_rto standard = fresh();
    lfn_rto margin = with_floor(0, 40);
    lfn_rto_sample(&standard, 560);
    lfn_rto_sample(&margin, 560);
    for (int i = 0; i < 100000; ++i) {
        const bool calm = random() % 100 < 90;  // long runs of equal samples, so that the variance decays
        const uint32_t rtt = calm ? 560 : 560 + static_cast<uint32_t>(random() % 41);
        ASSERT_GE(lfn_rto_ms(&standard), rtt);
        ASSERT_GE(lfn_rto_ms(&margin), rtt);
        lfn_rto_sample(&standard, rtt);
        lfn_rto_sample(&margin, rtt);
    }
}

TEST(Rto, a_probe_is_due_after_a_round_trip_and_its_margin_and_at_most_two) {
    lfn_rto rto = fresh();
    EXPECT_EQ(lfn_rto_probe_ms(&rto), 0U);
    lfn_rto_sample(&rto, 580);
    EXPECT_EQ(lfn_rto_probe_ms(&rto), 1160U) << "the first sample's variance is half of it";
    for (int i = 0; i < 100; ++i) lfn_rto_sample(&rto, 580);
    EXPECT_EQ(lfn_rto_probe_ms(&rto), 580U + 580 / 8);
}

}  // namespace
