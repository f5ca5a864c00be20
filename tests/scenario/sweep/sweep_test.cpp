// SPDX-License-Identifier: BSD-3-Clause
// `lfn sweep`: each line is the transfer it says it is, and the set of lines depends on the grid and on nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "tests/scenario/cli/command.hpp"

namespace lfn::test {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string grid =
    "--link t1-satellite,geo-10m-bursts --ber link,1e-6 --window 64K,512K --loss-policy congestion,noise --seeds 2 "
    "--bytes 100K ";
constexpr std::size_t cells = 2 * 2 * 2 * 2 * 2;

using Lines = std::multiset<std::string>;

Lines set_of(const std::string& text) {
    const auto lines = lines_of(text);
    return {lines.begin(), lines.end()};
}

class Sweep : public testing::Test {
protected:
    CommandOutcome sweep(const std::string& arguments) { return run_lfn("sweep " + arguments, folder); }
    std::string contents(const std::string& file) const { return contents_of(folder.path() / file); }
    void write(const std::string& file, const std::string& text) const {
        std::ofstream(folder.path() / file, std::ios::binary) << text;
    }
    ScratchFolder folder;
};

TEST_F(Sweep, has_a_line_for_each_cell_and_all_are_verified) {
    const CommandOutcome outcome = sweep(grid);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const auto lines = lines_of(outcome.out);
    ASSERT_EQ(lines.size(), cells);
    std::set<std::string> names;
    for (const std::string& line : lines) {
        const auto row = nlohmann::json::parse(line);
        EXPECT_EQ(row["intact"], true) << line;
        EXPECT_EQ(row["delivered_bytes"], 100'000);
        EXPECT_EQ(row["digest"].get<std::string>().size(), 32U);
        names.insert(row["link"].dump() + row["bit_error_rate"].dump() + row["window_bytes"].dump() +
                     row["loss_policy"].dump() + row["seed"].dump());
    }
    EXPECT_EQ(names.size(), cells);
}

TEST_F(Sweep, a_line_is_the_transfer_that_it_says_it_is) {
    for (const char* link : {"t1-satellite", "shared-10m", "leo-handover"}) {
        const auto row = nlohmann::json::parse(
            sweep(std::string("--link ") + link + " --window 512K --loss-policy noise --seed 7 --bytes 300K").out);
        const auto transfer =
            json_of(LFN_COMMAND, std::string("transfer --link ") + link +
                                     " --window 512K --loss-policy noise --seed 7 --bytes 300K --mss 1460");
        ASSERT_TRUE(transfer.is_object());
        EXPECT_EQ(row["goodput_bytes_per_second"], transfer["goodput_bytes_per_second"]) << link;
        EXPECT_EQ(row["digest"], transfer["received_digest"]) << link;
        EXPECT_EQ(row["packets"], transfer["packets"]) << link;
    }
}

TEST_F(Sweep, every_link_that_there_is_can_be_a_cell) {
    std::string names;
    const auto links = json_of(LFN_COMMAND, "links");
    for (const auto& link : links["links"]) names += (names.empty() ? "" : ",") + link["name"].get<std::string>();
    const CommandOutcome outcome = sweep("--link " + names + " --bytes 200K");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(lines_of(outcome.out).size(), links["links"].size());
    for (const std::string& line : lines_of(outcome.out)) {
        const auto row = nlohmann::json::parse(line);
        EXPECT_EQ(row["competitor_intact"], row["link"] == "shared-10m" ? nlohmann::json(true) : nlohmann::json());
    }
}

TEST_F(Sweep, the_lines_depend_neither_on_jobs_nor_on_shards) {
    const Lines whole = set_of(sweep(grid + "--jobs 1").out);
    EXPECT_EQ(whole, set_of(sweep(grid + "--jobs 7").out));
    for (const int count : {2, 3, 40}) {
        Lines parts;
        for (int i = 1; i <= count; ++i) {
            const std::string shard = std::to_string(i) + "/" + std::to_string(count);
            parts.merge(set_of(sweep(grid + "--shard " + shard).out));
        }
        EXPECT_EQ(parts, whole) << count;
    }
}

TEST_F(Sweep, csv_has_the_same_cells_and_parts_can_be_put_together) {
    EXPECT_EQ(sweep(grid + "--out whole.jsonl --csv whole.csv").status, 0);
    const auto lines = lines_of(contents("whole.csv"));
    ASSERT_EQ(lines.size(), cells + 1);
    const auto columns = std::count(lines[0].begin(), lines[0].end(), ',');
    for (const std::string& line : lines) EXPECT_EQ(std::count(line.begin(), line.end(), ','), columns) << line;
    EXPECT_EQ(nlohmann::json::parse(lines_of(contents("whole.jsonl"))[0]).size(),
              static_cast<std::size_t>(columns + 1));

    EXPECT_EQ(sweep(grid + "--csv -").out, contents("whole.csv"));
    const std::string parts = sweep(grid + "--csv - --shard 1/2").out + sweep(grid + "--csv - --shard 2/2").out;
    EXPECT_EQ(set_of(parts), set_of(contents("whole.csv")));
    EXPECT_EQ(lines_of(parts)[0], lines[0]);
}

TEST_F(Sweep, goes_on_where_it_stopped) {
    sweep(grid + "--out whole.jsonl");
    const std::string whole = contents("whole.jsonl");
    const auto lines = lines_of(whole);
    std::string begun;
    for (std::size_t i = 0; i < 10; ++i) begun += lines[i] + "\n";
    write("begun.jsonl", begun + lines[10].substr(0, 100));  // stopped in the middle of a line
    EXPECT_EQ(sweep(grid + "--out begun.jsonl --count").out, "32 cells, 22 of them to be run\n");
    EXPECT_EQ(sweep(grid + "--out begun.jsonl").status, 0);
    EXPECT_EQ(contents("begun.jsonl").substr(0, begun.size()), begun) << "what was there is left alone";
    EXPECT_EQ(set_of(contents("begun.jsonl")), set_of(whole));

    EXPECT_EQ(sweep(grid + "--out begun.jsonl --csv all.csv").status, 0);
    EXPECT_EQ(set_of(contents("begun.jsonl")), set_of(whole)) << "nothing was run again";
    EXPECT_EQ(lines_of(contents("all.csv")).size(), cells + 1);
}

TEST_F(Sweep, that_is_killed_goes_on_too) {
    const std::string large = "--link t1-satellite --ber 1e-6 --seeds 200 --bytes 200K --out run.jsonl";
    run_command("timeout", "-s KILL 0.7 " LFN_COMMAND " sweep " + large, folder);
    const std::size_t before = lines_of(contents("run.jsonl")).size();
    EXPECT_LT(before, 200U) << "it was not killed";
    EXPECT_EQ(sweep(large).status, 0);
    EXPECT_EQ(lines_of(contents("run.jsonl")).size(), 200U);
    EXPECT_EQ(set_of(contents("run.jsonl")),
              set_of(sweep("--link t1-satellite --ber 1e-6 --seeds 200 --bytes 200K").out));
}

TEST_F(Sweep, takes_its_shard_from_slurms_environment) {
    // --array=3-9:3, which has three tasks.
    Lines parts;
    for (const char* id : {"3", "6", "9"}) {
        const CommandOutcome outcome =
            run_command("env", std::string("SLURM_ARRAY_TASK_ID=") + id +
                                   " SLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_MAX=9 SLURM_ARRAY_TASK_STEP=3 "
                                   "SLURM_ARRAY_TASK_COUNT=3 " LFN_COMMAND " sweep --shard slurm " +
                                   grid);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        parts.merge(set_of(outcome.out));
    }
    EXPECT_EQ(parts, set_of(sweep(grid).out));
    const CommandOutcome gaps =
        run_command("env", "SLURM_ARRAY_TASK_ID=9 SLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_COUNT=2 " LFN_COMMAND
                           " sweep --shard slurm --bytes 1K");
    EXPECT_EQ(gaps.status, 2);
    EXPECT_THAT(gaps.err, HasSubstr("gaps"));
}

TEST_F(Sweep, transfers_that_fail_have_their_lines_and_the_status_says_so) {
    const CommandOutcome outcome = sweep("--ber 0,0.05 --bytes 10K --out run.jsonl --csv run.csv");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, HasSubstr("1 of 2 transfers are not intact"));
    EXPECT_THAT(contents("run.jsonl"), HasSubstr("\"intact\":false,\"failure\":\""));
    EXPECT_EQ(sweep("--ber 0,0.05 --bytes 10K --out run.jsonl").status, 1) << "read from the file";
    EXPECT_EQ(lines_of(contents("run.jsonl")).size(), 2U);
}

TEST_F(Sweep, leaves_files_alone_that_are_not_its_own) {
    for (const std::string text : {"Dear diary,\n", "no line's end", "{\"link\":1}\n", "[]\n", "\n"}) {
        write("mine", text);
        const CommandOutcome outcome = sweep("--bytes 1K --out mine");
        EXPECT_EQ(outcome.status, 2) << text;
        EXPECT_EQ(lines_of(outcome.err).size(), 1U);
        EXPECT_THAT(outcome.err, HasSubstr("mine: "));
        EXPECT_EQ(contents("mine"), text);
    }
    sweep("--bytes 1K --seeds 3 --out other.jsonl");
    const std::string other = contents("other.jsonl");
    EXPECT_EQ(sweep("--bytes 1K --seeds 2 --out other.jsonl").status, 2);
    EXPECT_EQ(contents("other.jsonl"), other);
    EXPECT_EQ(sweep("--bytes 1K --seeds 4 --out other.jsonl").status, 0) << "a larger grid goes on";
    EXPECT_EQ(lines_of(contents("other.jsonl")).size(), 4U);
}

TEST_F(Sweep, dash_is_the_standard_output) {
    const CommandOutcome outcome = sweep("--bytes 1K --seeds 2 --out -");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(lines_of(outcome.out).size(), 2U);
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "-"));
}

TEST_F(Sweep, two_do_not_write_one_file) {
    const CommandOutcome outcome =
        run_command("flock", "run.jsonl " LFN_COMMAND " sweep --bytes 1K --out run.jsonl", folder);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr("another sweep"));
}

TEST_F(Sweep, shows_progress_when_wanted) {
    EXPECT_THAT(sweep(grid + "--progress --out run.jsonl").err, HasSubstr("100 %"));
    EXPECT_EQ(sweep(grid + "--no-progress").err, "");
    EXPECT_EQ(sweep("--bytes 1K --out new.jsonl --count").out, "1 cells\n");
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "new.jsonl")) << "counting leaves nothing behind";
}

struct Fault {
    const char* arguments;
    const char* named;
};

TEST_F(Sweep, says_in_one_line_what_is_wrong_with_its_words) {
    for (const Fault& fault :
         {Fault{"--link geo-10m,t2", "t2"}, Fault{"--ber 0,", "--ber"}, Fault{"--ber 1e-6,1", "--ber 1"},
          Fault{"--ber 0,link", "leave it or link out"}, Fault{"--window 64K,65536", "given twice"},
          Fault{"--window 64K,2G", "2G"}, Fault{"--loss-policy maybe", "maybe"}, Fault{"--seeds 0", "--seeds 0"},
          Fault{"--shard 0/3", "0/3"}, Fault{"--shard 4/3", "4/3"}, Fault{"--shard 3", "slurm"},
          Fault{"--shard slurm", "SLURM_ARRAY_TASK_ID"}, Fault{"--jobs 0", "--jobs 0"}, Fault{"--bytes 0", "--bytes 0"},
          Fault{"--seeds 100000 --window 1K,2K,3K,4K,5K,6K,7K,8K,9K,10K,11K", "fewer"},
          Fault{"--out none/run.jsonl", "none/run.jsonl"}, Fault{"--out a --csv a", "--csv a"}}) {
        const CommandOutcome outcome = sweep(fault.arguments);
        EXPECT_EQ(outcome.status, 2) << fault.arguments;
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr(fault.named)) << fault.arguments;
    }
}

TEST_F(Sweep, help_names_every_option_and_its_examples_work) {
    const std::string help = sweep("--help").out;
    for (const char* option : {"--link", "--ber", "--window", "--loss-policy", "--seeds", "--seed", "--bytes", "--mss",
                               "--nak", "--slow-start", "--shard", "--out", "--csv", "--jobs", "--count"}) {
        EXPECT_THAT(help, HasSubstr(option));
    }
    int examples = 0;
    for (const std::string& line : lines_of(help)) {
        if (line.rfind("  lfn sweep ", 0) != 0) continue;
        ++examples;
        const std::string words = line.substr(6, line.find("   ", 6) - 6);
        EXPECT_EQ(run_lfn(words, folder).status, 0) << words;
    }
    EXPECT_EQ(examples, 5);
}

}  // namespace
}  // namespace lfn::test
