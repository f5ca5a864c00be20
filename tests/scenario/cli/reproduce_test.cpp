// SPDX-License-Identifier: BSD-3-Clause
// `lfn reproduce` at a tenth of its length; what it finds is judged in tests/tables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scenario/cli/command.hpp"

namespace lfn::test {
namespace {

using testing::HasSubstr;

const std::string brief = "reproduce rfc1106 --seeds 2 --bytes 100K";

TEST(CliReproduce, the_output_does_not_depend_on_the_number_of_jobs) {
    for (const char* form : {"", " --json", " --csv"}) {
        const CommandOutcome one = run_lfn(brief + form + " --jobs 1");
        EXPECT_EQ(one.status, 0) << one.err;
        EXPECT_EQ(one.out, run_lfn(brief + form + " --jobs 2").out);
        EXPECT_EQ(one.out, run_lfn(brief + form + " --jobs 7").out);
    }
}

TEST(CliReproduce, json_has_54_published_cells_and_6_of_today) {
    const auto json = json_of(LFN_COMMAND, brief);
    ASSERT_EQ(json["cells"].size(), 54U);
    EXPECT_EQ(json["today"].size(), 6U);
    for (const auto& cell : json["cells"]) {
        for (const char* key : {"figure", "window_kilobytes", "bit_error_rate", "published_bytes_per_second",
                                "measured_bytes_per_second", "ratio", "seeds"}) {
            EXPECT_TRUE(cell.contains(key) && cell[key].is_number()) << key;
        }
        EXPECT_EQ(cell["intact"], true);
    }
    // RFC 1106's first and last numbers.
    EXPECT_EQ(json["cells"][0]["published_bytes_per_second"], 94'000);
    EXPECT_EQ(json["cells"][53]["published_bytes_per_second"], 38'000);
    EXPECT_EQ(json["cells"][53]["window_kilobytes"], 156);
}

TEST(CliReproduce, a_cell_is_the_transfer_that_help_says_it_is) {
    const auto json = json_of(LFN_COMMAND, "reproduce rfc1106 --seeds 1 --seed 5 --bytes 300K");
    const auto cell = json["cells"][29];  // figure 2, 64K, 1e-6
    ASSERT_EQ(cell["window_kilobytes"], 64);
    ASSERT_EQ(cell["bit_error_rate"], 1e-6);
    const auto transfer = json_of(
        LFN_COMMAND, "transfer --window 64K --ber 1e-6 --nak left-edge --loss-policy noise --seed 5 --bytes 300K");
    EXPECT_NEAR(cell["measured_bytes_per_second"], transfer["goodput_bytes_per_second"], 0.06);
}

TEST(CliReproduce, text_counts_the_intact_transfers_and_gives_reasons) {
    const std::string text = run_lfn(brief).out;
    EXPECT_THAT(text, HasSubstr("102 of 102 transfers intact"));
    EXPECT_THAT(text, HasSubstr("figure 1"));
    EXPECT_THAT(text, HasSubstr("figure 2"));
    EXPECT_THAT(text, HasSubstr("lwIP 2.2.1"));
    EXPECT_THAT(text, HasSubstr("  a: "));
}

TEST(CliReproduce, csv_has_one_row_a_cell) {
    const auto lines = lines_of(run_lfn(brief + " --csv").out);
    ASSERT_EQ(lines.size(), 61U);
    const auto fields = [](const std::string& line) { return std::count(line.begin(), line.end(), ','); };
    for (const std::string& line : lines) EXPECT_EQ(fields(line), fields(lines[0]));
}

}  // namespace
}  // namespace lfn::test
