// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "ports/lab/card_transfer.hpp"

namespace lfn::lab {
namespace {

std::vector<std::string> lines_of(const std::string& file_name) {
    std::ifstream file(file_name);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

class Trace : public testing::TestWithParam<NicKind> {
protected:
    // Every case has a file of its own: ctest runs them side by side.
    std::string file(const std::string& suffix) const {
        std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
        for (char& c : name) c = c == '/' ? '-' : c;
        return testing::TempDir() + "lfn-io-" + name + suffix;
    }
    CardTransferReport run(const std::string& file_name, std::uint64_t octets) {
        CardTransferOptions options;
        options.use(GetParam());
        options.hosts.fill(find_host_profile("pc-at-8"));
        options.octets = octets;
        options.trace_io = file_name;
        return run_card_transfer(options);
    }
};

TEST_P(Trace, has_every_access_with_its_time_in_order) {
    const CardTransferReport report = run(file(""), 20'000);
    ASSERT_EQ(report.failure, "");
    const auto lines = lines_of(file(""));
    EXPECT_EQ(lines.size(), report.ends[0].port_accesses + report.ends[1].port_accesses);
    std::string last;
    for (const std::string& line : lines) {
        unsigned long long seconds = 0, nanoseconds = 0;
        char host[9], access = 0, name = 0;
        unsigned port = 0, value = 0;
        ASSERT_EQ(std::sscanf(line.c_str(), "%llu.%9llu %8s %c %3x %2x %c", &seconds, &nanoseconds, host, &access,
                              &port, &value, &name),
                  7)
            << line;
        ASSERT_TRUE(host == std::string("a") || host == std::string("b")) << line;
        ASSERT_TRUE(access == 'R' || access == 'W') << line;
        ASSERT_TRUE(port >= 0x300 && port <= 0x30F) << line;
        const std::string time = line.substr(0, line.find(' '));
        ASSERT_LE(last, time);  // no more than nine seconds: as text is as as numbers
        last = time;
    }
    std::remove(file("").c_str());
}

TEST_P(Trace, is_the_same_for_the_same_seed) {
    run(file("-1"), 20'000);
    run(file("-2"), 20'000);
    EXPECT_EQ(lines_of(file("-1")), lines_of(file("-2")));
    EXPECT_FALSE(lines_of(file("-1")).empty());
    std::remove(file("-1").c_str());
    std::remove(file("-2").c_str());
}

TEST_P(Trace, that_cannot_be_written_is_a_failure_in_words) {
    const CardTransferReport report = run("/nonexistent/trace", 1000);
    EXPECT_NE(report.failure.find("/nonexistent/trace"), std::string::npos);
    EXPECT_EQ(report.forward.octets, 0U);
}

INSTANTIATE_TEST_SUITE_P(, Trace, testing::Values(NicKind::el3c500, NicKind::p1300),
                         [](const auto& test) { return std::string("card_") + std::string(name_of(test.param)); });

}  // namespace
}  // namespace lfn::lab
