// SPDX-License-Identifier: BSD-3-Clause
// `lfn compare`: its table, and what it leaves behind.
#include <net/if.h>

#include <csignal>
#include <filesystem>
#include <set>

#include "tests/interop/netns_fixture.hpp"
#include "tests/interop/running_command.hpp"

namespace lfn::interop {

namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using Json = nlohmann::json;

// A link that is quick, so that all rows take about a second.
const std::vector<std::string> quick = {"compare", "--rate", "10M", "--rtt", "20", "--bytes", "200K", "--ber", "1e-6"};

std::vector<std::string> quick_and(const std::vector<std::string>& more) {
    std::vector<std::string> all = quick;
    all.insert(all.end(), more.begin(), more.end());
    return lfn_with(all);
}

std::set<std::string> interfaces() {
    std::set<std::string> names;
    struct if_nameindex* const list = if_nameindex();
    for (const auto* each = list; each != nullptr && each->if_index != 0; ++each) names.insert(each->if_name);
    if_freenameindex(list);
    return names;
}

std::set<std::string> named_namespaces() {
    std::set<std::string> names;
    std::error_code none;
    for (const auto& each : std::filesystem::directory_iterator("/run/netns", none)) names.insert(each.path());
    return names;
}

// In a namespace of its own: what is left in it when a command has ended is the command's.
class CompareTest : public InteropTest {
protected:
    void SetUp() override {
        InteropTest::SetUp();
        if (IsSkipped()) return;
        interfaces_ = interfaces();
        namespaces_ = named_namespaces();
    }
    void TearDown() override {
        EXPECT_EQ(interfaces(), interfaces_);
        EXPECT_EQ(named_namespaces(), namespaces_);
        InteropTest::TearDown();
    }

private:
    std::set<std::string> interfaces_, namespaces_;
};

TEST_F(CompareTest, every_row_arrives_with_the_digest_of_the_same_octets) {
    const auto outcome = RunningCommand(quick_and({"--json"})).wait();
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const Json report = Json::parse(outcome.out);
    std::set<std::string> pairs, digests;
    for (const Json& row : report.at("rows")) {
        pairs.insert(row.at("from").get<std::string>() + "-" + row.at("to").get<std::string>());
        EXPECT_TRUE(row.at("intact").get<bool>()) << row;
        EXPECT_EQ(row.at("bytes"), 200'000);
        digests.insert(row.at("digest").get<std::string>());
        EXPECT_GT(row.at("share_of_ceiling").get<double>(), 0);
        EXPECT_LT(row.at("share_of_ceiling").get<double>(), 1.02) << row;
        EXPECT_EQ(row.at("control").is_null(), row.at("from") == "lfn");
    }
    EXPECT_EQ(pairs, (std::set<std::string>{"kernel-kernel", "kernel-lfn", "lfn-kernel", "lfn-lfn"}));
    EXPECT_EQ(digests.size(), 1U);
    // From and to the kernel with SACK and without it; of each congestion control from the kernel.
    EXPECT_EQ((report.at("rows").size() - 3) % 4, 0U);
    EXPECT_EQ(report.at("unfinished"), 0);
}

TEST_F(CompareTest, table_has_a_line_for_each_row_and_says_how_it_was_measured) {
    const auto outcome = RunningCommand(quick_and({"--rows", "kernel-kernel,lfn-lfn", "--sack", "on"})).wait();
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("told by"), HasSubstr("NAK"), HasSubstr("SACK"), HasSubstr("equal"),
                                   HasSubstr("at once"), HasSubstr("the ceiling is"), HasSubstr("kept their delay")));
}

TEST_F(CompareTest, rows_one_after_the_other_are_those_at_once) {
    const auto outcome = RunningCommand(quick_and({"--rows", "lfn-kernel", "--at-once", "1", "--json"})).wait();
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const Json report = Json::parse(outcome.out);
    EXPECT_EQ(report.at("at_once"), 1);
    ASSERT_EQ(report.at("rows").size(), 2U);
    for (const Json& row : report.at("rows")) EXPECT_TRUE(row.at("intact").get<bool>()) << row;
}

TEST_F(CompareTest, a_transfer_that_lasts_too_long_is_cut_off_and_says_so) {
    const auto outcome = RunningCommand(lfn_with({"compare", "--rows", "lfn-lfn", "--limit", "2"})).wait();
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("cut off after"));
}

TEST_F(CompareTest, full_queues_that_drop_are_counted) {
    const auto outcome = RunningCommand(quick_and({"--rows", "kernel-kernel", "--control", "cubic", "--when-full",
                                                   "drop", "--queue", "3", "--json"}))
                             .wait();
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const Json report = Json::parse(outcome.out);
    for (const Json& row : report.at("rows")) {
        EXPECT_GT(row.at("lost_to_the_queue").get<int>(), 0) << row;
        EXPECT_GT(row.at("retransmitted_segments").get<int>(), 0) << row;
    }
}

class Interrupted : public CompareTest, public testing::WithParamInterface<int> {};

TEST_P(Interrupted, comparison_prints_what_is_over_and_cleans_up) {
    RunningCommand compare(lfn_with({"compare", "--progress"}));
    ASSERT_TRUE(compare.wait_until([&] { return compare.err().find('%') != std::string::npos; })) << compare.err();
    compare.signal(GetParam());
    const auto outcome = compare.wait(10);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, HasSubstr("interrupted: 0 of "));
}

INSTANTIATE_TEST_SUITE_P(Interop, Interrupted, testing::Values(SIGINT, SIGTERM),
                         [](const auto& each) { return std::string(each.param == SIGINT ? "sigint" : "sigterm"); });

TEST(CompareCommand, an_ordinary_user_is_told_to_be_root) {
    if (const std::string why = why_not_as_nobody(); !why.empty()) GTEST_SKIP() << why;
    const auto outcome = RunningCommand(as_nobody(lfn_with({"compare"}))).wait();
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.err, "lfn compare: cannot make a network namespace: Operation not permitted; run as root\n");
}

TEST(CompareCommand, what_cannot_be_compared_is_named) {
    const auto control = test::run_lfn("compare --control tulip");
    EXPECT_EQ(control.status, 2);
    EXPECT_THAT(control.err, AllOf(HasSubstr("--control tulip"), HasSubstr("there are")));
    const auto rows = test::run_lfn("compare --rows kernel-moon");
    EXPECT_EQ(rows.status, 2);
    EXPECT_THAT(rows.err, AllOf(HasSubstr("--rows kernel-moon"), HasSubstr("lfn-lfn")));
}

}  // namespace

}  // namespace lfn::interop
