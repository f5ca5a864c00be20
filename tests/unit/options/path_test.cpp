// SPDX-License-Identifier: BSD-3-Clause
#include "lfn/path.h"

#include <gtest/gtest.h>

namespace {

constexpr uint32_t start = 0xFFFFF000;  // the clock wraps soon
constexpr uint32_t flight = 100'000;

class Path : public testing::Test {
protected:
    void sample(uint32_t rtt_ms, uint32_t at_ms) { lfn_path_sample(&path, rtt_ms, start + at_ms); }
    // Long after what came before.
    void sample(uint32_t rtt_ms) {
        now_ms += 1000;
        sample(rtt_ms, now_ms);
        sample(rtt_ms, now_ms + rtt_ms);
    }
    void marked() { lfn_path_marked(&path, start + now_ms); }
    bool congested(uint32_t lost = 1000) const { return lfn_path_congested(&path, lost, flight); }

    lfn_path path = {};
    uint32_t now_ms = 0;
};

TEST_F(Path, floor_and_peak_are_the_extremes_of_late) {
    EXPECT_EQ(lfn_path_floor_ms(&path), 0U);
    for (const uint32_t rtt_ms : {100U, 130U, 90U, 180U, 110U}) sample(rtt_ms);
    EXPECT_EQ(lfn_path_floor_ms(&path), 90U);
    EXPECT_EQ(lfn_path_peak_ms(&path), 180U);
}

TEST_F(Path, extremes_are_forgotten_after_two_epochs) {
    sample(90, 0);
    sample(180, 0);
    sample(120, LFN_PATH_AGE_MS);
    EXPECT_EQ(lfn_path_floor_ms(&path), 90U) << "one is not enough";
    EXPECT_EQ(lfn_path_peak_ms(&path), 180U);
    sample(125, 2 * LFN_PATH_AGE_MS);
    EXPECT_EQ(lfn_path_floor_ms(&path), 120U);
    EXPECT_EQ(lfn_path_peak_ms(&path), 125U);
}

TEST_F(Path, a_loss_while_the_queue_is_full_is_congestion) {
    for (const uint32_t rtt_ms : {100U, 150U, 200U}) sample(rtt_ms);
    EXPECT_TRUE(congested());
}

TEST_F(Path, a_loss_while_the_queue_is_empty_is_noise) {
    for (const uint32_t rtt_ms : {100U, 150U, 200U, 104U}) sample(rtt_ms);
    EXPECT_FALSE(congested());
}

TEST_F(Path, a_loss_while_the_queue_is_less_than_half_of_its_longest_is_noise) {
    for (const uint32_t rtt_ms : {100U, 200U, 150U}) sample(rtt_ms);
    EXPECT_FALSE(congested());
    sample(151);
    EXPECT_TRUE(congested());
}

TEST_F(Path, jitter_of_a_satellite_is_no_queue) {
    for (const uint32_t rtt_ms : {560U, 600U, 580U, 595U}) sample(rtt_ms);
    EXPECT_FALSE(congested());
}

TEST_F(Path, the_clocks_own_unevenness_is_no_queue) {
    for (const uint32_t rtt_ms : {1U, 5U}) sample(rtt_ms);
    EXPECT_FALSE(congested());
    sample(6);
    EXPECT_TRUE(congested());
}

TEST_F(Path, losing_half_of_a_flight_is_congestion_whatever_the_queue) {
    sample(100);
    EXPECT_FALSE(congested(flight / 2 - 1));
    EXPECT_TRUE(congested(flight / 2));
}

TEST_F(Path, a_loss_before_any_sample_is_congestion_and_halves) {
    EXPECT_TRUE(congested());
    EXPECT_EQ(lfn_path_reduced(&path, flight), flight / 2);
}

TEST_F(Path, reduction_empties_the_queue_and_takes_an_eighth) {
    sample(100);
    sample(125);
    EXPECT_EQ(lfn_path_reduced(&path, flight), flight * 4 / 5 * 7 / 8);
}

TEST_F(Path, reduction_is_by_half_at_most) {
    sample(100);
    sample(400);
    EXPECT_EQ(lfn_path_reduced(&path, flight), flight / 2);
}

TEST_F(Path, round_trips_below_the_clock_count_as_one) {
    sample(0);
    EXPECT_EQ(lfn_path_floor_ms(&path), 1U);
    EXPECT_EQ(lfn_path_reduced(&path, flight), flight / 8 * 7);
}

TEST_F(Path, the_longest_of_the_last_round_trip_counts) {
    sample(100, 0);
    sample(180, 100);
    sample(120, 150);
    EXPECT_EQ(path.recent_ms, 180U);
    sample(110, 300);
    EXPECT_EQ(path.recent_ms, 180U) << "of the round trip before";
    sample(110, 500);
    EXPECT_EQ(path.recent_ms, 110U);
}

// A path of 100 ms whose router marks when its queue stands at 60 ms, and was longer once.
class MarkedPath : public Path {
protected:
    MarkedPath() {
        for (const uint32_t rtt_ms : {100U, 190U, 160U}) sample(rtt_ms);
        marked();
        sample(150);
    }
};

TEST_F(MarkedPath, a_loss_before_the_queue_is_one_that_marks_is_noise) {
    for (const uint32_t rtt_ms : {104U, 150U, 159U}) {
        sample(rtt_ms);
        EXPECT_FALSE(congested()) << rtt_ms;
    }
}

TEST_F(MarkedPath, a_loss_in_a_queue_longer_by_half_than_one_that_marks_is_congestion) {
    sample(190);
    EXPECT_FALSE(congested());
    sample(191);
    EXPECT_TRUE(congested());
}

TEST_F(MarkedPath, half_of_a_flight_is_congestion_with_marks_too) {
    sample(100);
    EXPECT_FALSE(congested(flight / 2 - 1));
    EXPECT_TRUE(congested(flight / 2));
}

TEST_F(MarkedPath, marks_are_remembered_longer_than_round_trips) {
    const uint32_t then = now_ms;
    for (now_ms = then; now_ms < then + LFN_PATH_MARKS_AGE_MS - 3000;) sample(100);
    sample(159);
    EXPECT_FALSE(congested());
    sample(100);
    sample(159);
    EXPECT_TRUE(congested()) << "as the round trip alone has it";
}

TEST_F(MarkedPath, the_round_trip_measured_next_after_a_mark_counts_too) {
    marked();
    for (const uint32_t rtt_ms : {180U, 220U}) {
        sample(rtt_ms);
        EXPECT_FALSE(congested()) << rtt_ms;
    }
    sample(221);
    EXPECT_TRUE(congested());
}

TEST_F(MarkedPath, the_last_mark_counts) {
    sample(120);
    marked();
    sample(110);
    sample(150);
    EXPECT_TRUE(congested());
}

TEST_F(Path, a_mark_before_any_round_trip_was_measured_tells_nothing) {
    marked();
    sample(100);
    EXPECT_EQ(path.marked_ms, 0U);
}

TEST_F(Path, a_queue_too_short_to_see_that_marks_leaves_losses_noise) {
    sample(100);
    marked();
    sample(100);
    sample(104);
    EXPECT_FALSE(congested());
    sample(107);
    EXPECT_TRUE(congested());
}

TEST_F(Path, a_queue_shows_in_the_last_round_trip_alone) {
    EXPECT_FALSE(lfn_path_queue_shows(&path)) << "nothing is known";
    sample(870, 0);  // as of a SYN that waited for ARP
    EXPECT_FALSE(lfn_path_queue_shows(&path));
    sample(580, 600);
    EXPECT_FALSE(lfn_path_queue_shows(&path));
    sample(580 + 36, 700);
    EXPECT_FALSE(lfn_path_queue_shows(&path)) << "a sixteenth";
    sample(580 + 37, 800);
    EXPECT_TRUE(lfn_path_queue_shows(&path));
}

}  // namespace
