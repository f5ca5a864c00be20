// SPDX-License-Identifier: BSD-3-Clause
#include "ports/lab/worker_pool.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

namespace lfn::lab {
namespace {

using testing::HasSubstr;

TEST(WorkerPool, results_come_in_the_order_of_their_indices_for_any_number_of_jobs) {
    for (const unsigned jobs : {0U, 1U, 2U, 5U, 64U}) {
        std::vector<std::string> results;
        const auto work = [](std::size_t i) { return "piece " + std::to_string(i); };
        EXPECT_EQ(run_in_processes(20, jobs, work, results), "");
        ASSERT_EQ(results.size(), 20U);
        for (std::size_t i = 0; i < results.size(); ++i) EXPECT_EQ(results[i], "piece " + std::to_string(i));
    }
}

TEST(WorkerPool, a_result_larger_than_a_pipe_arrives_whole) {
    std::vector<std::string> results;
    const auto work = [](std::size_t i) { return std::string(1'000'000 + i, static_cast<char>('a' + i)); };
    EXPECT_EQ(run_in_processes(3, 2, work, results), "");
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(results[i], work(i));
}

TEST(WorkerPool, a_piece_sees_nothing_of_the_pieces_before_it) {
    static int counter = 0;
    std::vector<int> results;
    const auto work = [](std::size_t) { return ++counter; };
    EXPECT_EQ(map_in_processes<int>(8, 2, work, results), "");
    EXPECT_THAT(results, testing::Each(1));
    EXPECT_EQ(counter, 0);
}

TEST(WorkerPool, no_pieces_are_no_work) {
    std::vector<std::string> results = {"old"};
    EXPECT_EQ(run_in_processes(
                  0, 2, [](std::size_t) { return std::string(); }, results),
              "");
    EXPECT_TRUE(results.empty());
}

TEST(WorkerPool, progress_is_told_and_ends_with_the_count) {
    std::vector<std::string> results;
    std::size_t last = 0;
    const auto on_done = [&last](std::size_t done) {
        EXPECT_GE(done, last);
        last = done;
    };
    EXPECT_EQ(run_in_processes(
                  9, 3, [](std::size_t) { return std::string("x"); }, results, on_done),
              "");
    EXPECT_EQ(last, 9U);
}

TEST(WorkerPool, each_result_is_handed_over_once_as_soon_as_it_is_there) {
    std::vector<std::string> seen(20);
    const auto take = [&seen](std::size_t index, const std::string& result) { seen[index] += result; };
    EXPECT_EQ(run_in_processes(
                  20, 3, [](std::size_t i) { return std::to_string(i); }, take),
              "");
    for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], std::to_string(i));
}

TEST(WorkerPool, a_piece_that_dies_is_named) {
    std::vector<std::string> results;
    const auto work = [](std::size_t i) {
        if (i == 3) _exit(9);
        return std::string("x");
    };
    EXPECT_THAT(run_in_processes(6, 2, work, results), HasSubstr("piece 3"));
}

TEST(WorkerPool, a_piece_that_throws_is_named) {
    std::vector<std::string> results;
    const auto work = [](std::size_t i) -> std::string {
        if (i == 1) throw std::runtime_error("no");
        return "x";
    };
    EXPECT_THAT(run_in_processes(3, 1, work, results), HasSubstr("piece 1"));
}

TEST(WorkerPool, there_is_at_least_one_core) {
    EXPECT_GE(usable_cores(), 1U);
}

}  // namespace
}  // namespace lfn::lab
