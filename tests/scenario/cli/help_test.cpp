// SPDX-License-Identifier: BSD-3-Clause
// --help names every option, and its examples work as they are printed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scenario/cli/command.hpp"

namespace lfn::test {
namespace {

using testing::HasSubstr;

// The example lines of a help text, without the program's name, what explains them and where their output goes.
std::vector<std::string> examples_in(const std::string& help) {
    std::vector<std::string> examples;
    for (const std::string& line : lines_of(help)) {
        if (line.rfind("  lfn ", 0) != 0) continue;
        std::string words = line.substr(6);
        for (const char* tail : {"   ", " | ", " > "}) words = words.substr(0, words.find(tail));
        examples.push_back(words);
    }
    return examples;
}

// A reproduction at full length, and a measurement of policies, are tests of their own.
std::string shortened(const std::string& example) {
    if (example == "policies") return example + " --seconds 5";
    const bool reproduces = example.rfind("reproduce", 0) == 0;
    return reproduces && example.find("--bytes") == std::string::npos ? example + " --seeds 1 --bytes 50K" : example;
}

void expect_examples_work(const std::string& command, std::size_t at_least) {
    const CommandOutcome help = run_lfn(command + " --help");
    EXPECT_EQ(help.status, 0);
    const std::vector<std::string> examples = examples_in(help.out);
    EXPECT_GE(examples.size(), at_least);
    for (const std::string& example : examples) {
        const CommandOutcome outcome = run_command(LFN_EXAMPLES_COMMAND, shortened(example));
        EXPECT_EQ(outcome.status, 0) << example << "\n" << outcome.err;
    }
}

TEST(CliHelp, transfer_names_every_option) {
    const std::string help = run_lfn("transfer --help").out;
    for (const char* option :
         {"--link",       "--ber",        "--rate",         "--rtt",         "--jitter",     "--window",
          "--mss",        "--bytes",      "--nak",          "--big-window",  "--dup-acks",   "--loss-policy",
          "--slow-start", "--rto-margin", "--wire",         "--peer",        "--reverse",    "--seed",
          "--pcap",       "--json",       "--progress",     "--no-progress", "--card",       "--peer-card",
          "--host",       "--peer-host",  "--gateway-host", "--stations",    "--background", "--frame-errors",
          "--both-ways",  "--trace-io",   "LINKTYPE_RAW"}) {
        EXPECT_THAT(help, HasSubstr(option));
    }
}

TEST(CliHelp, reproduce_names_every_option) {
    const std::string help = run_lfn("reproduce --help").out;
    for (const char* option : {"--seeds", "--seed", "--bytes", "--jobs", "--json", "--csv", "--progress", "rfc1106"}) {
        EXPECT_THAT(help, HasSubstr(option));
    }
}

TEST(CliHelp, the_examples_of_each_command_work) {
    expect_examples_work("", 5);
    expect_examples_work("transfer", 9);
    expect_examples_work("links", 3);
    expect_examples_work("devices", 4);
    expect_examples_work("reproduce", 4);
}

TEST(CliHelp, version_names_both_versions) {
    const CommandOutcome outcome = run_lfn("--version");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.out, HasSubstr("lfn 0."));
    EXPECT_THAT(outcome.out, HasSubstr("lwIP 2.2.1"));
}

TEST(CliLinks, every_profile_is_listed_with_a_source_for_each_number) {
    const std::string text = run_lfn("links").out;
    const auto links = json_of(LFN_COMMAND, "links")["links"];
    ASSERT_GE(links.size(), 12U);
    for (const auto& link : links) {
        EXPECT_THAT(text, HasSubstr(link["name"].get<std::string>() + ": "));
        for (const auto& [key, number] : link.items()) {
            if (!number.is_object()) continue;
            EXPECT_NE(number["source"], "") << link["name"] << " " << key;
        }
    }
}

}  // namespace
}  // namespace lfn::test
