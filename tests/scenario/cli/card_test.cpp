// SPDX-License-Identifier: BSD-3-Clause
// `lfn transfer --card`: hosts with cards, what the cards did, each port access, captures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "tests/scenario/cli/command.hpp"

namespace lfn::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

nlohmann::json card_json(const std::string& arguments) {
    return json_of(LFN_COMMAND, "transfer --card " + arguments);
}

void expect_whole(const nlohmann::json& flow, std::uint64_t bytes) {
    ASSERT_TRUE(flow.is_object());
    EXPECT_EQ(flow["intact"], true);
    EXPECT_EQ(flow["delivered_bytes"], bytes);
    EXPECT_EQ(flow["sent_digest"], flow["received_digest"]);
}

TEST(CliCard, a_transfer_over_either_card_arrives_whole_by_digest) {
    for (const std::string card : {"3c500", "p1300"}) {
        const auto json = card_json(card + " --host pc-at-8 --bytes 100K --both-ways");
        ASSERT_TRUE(json.is_object()) << card;
        EXPECT_EQ(json["failure"], nullptr);
        expect_whole(json["a_to_b"], 100'000);
        expect_whole(json["b_to_a"], 100'000);
        for (const char* end : {"a", "b"}) {
            EXPECT_EQ(json[end]["kind"], card);
            EXPECT_EQ(json[end]["host"], "pc-at-8");
            EXPECT_GT(json[end]["work_seconds"]["port_io"], 0.1);
        }
        EXPECT_EQ(json["gateway"], nullptr);
    }
}

TEST(CliCard, text_says_digest_and_losses_by_cause) {
    const CommandOutcome outcome = run_lfn("transfer --card 3c500 --host pc-at-8 --bytes 100K --both-ways");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.out, ContainsRegex("digest [0-9a-f]{32}: intact"));
    EXPECT_THAT(outcome.out, HasSubstr("lost host_owns_buffer"));
    EXPECT_THAT(run_lfn("transfer --card p1300 --host pc-at-8 --bytes 100K --both-ways").out,
                HasSubstr("refused holding"));
}

TEST(CliCard, each_end_may_have_its_own_host) {
    const auto json = card_json("p1300 --host sun-3 --peer-host pc-at-6 --bytes 50K");
    expect_whole(json["a_to_b"], 50'000);
    EXPECT_EQ(json["a"]["host"], "sun-3");
    EXPECT_EQ(json["b"]["host"], "pc-at-6");
    EXPECT_LT(json["a"]["work_seconds"]["port_io"], json["b"]["work_seconds"]["port_io"]);
}

TEST(CliCard, each_end_may_have_its_own_card_with_a_gateway_between_them) {
    for (const std::string cards : {"3c500 --peer-card p1300", "p1300 --peer-card 3c500"}) {
        const auto json = card_json(cards + " --host pc-at-8 --bytes 100K");
        expect_whole(json["a_to_b"], 100'000);
        EXPECT_EQ(json["a"]["kind"], cards.substr(0, 5));
        EXPECT_EQ(json["b"]["kind"], cards.substr(cards.size() - 5));
        EXPECT_GT(json["gateway"]["forwarded"], 100);
        EXPECT_EQ(json["wires"].size(), 2U);
    }
    EXPECT_THAT(run_lfn("transfer --card 3c500 --peer-card p1300 --gateway-host sun-3 --bytes 20K").out,
                HasSubstr("the gateway is sun-3"));
}

TEST(CliCard, other_stations_load_an_ethernet_and_delay_a_ring) {
    const auto quiet = card_json("3c500 --host pc-at-8 --bytes 20K");
    const auto noisy = card_json("3c500 --host pc-at-8 --bytes 20K --stations 150 --background 0.2");
    expect_whole(noisy["a_to_b"], 20'000);
    EXPECT_EQ(quiet["wires"][0]["counters"]["background sent"], 0);
    EXPECT_GT(noisy["wires"][0]["counters"]["background sent"], 100);
    EXPECT_GT(noisy["wires"][0]["load"], 0.15);

    const auto small = card_json("p1300 --host ideal --bytes 100K");
    const auto large = card_json("p1300 --host ideal --bytes 100K --stations 1000");
    expect_whole(large["a_to_b"], 100'000);
    EXPECT_GT(large["virtual_seconds"], small["virtual_seconds"]);
}

TEST(CliCard, unpatched_lwip_may_be_at_the_other_end_and_may_send) {
    expect_whole(card_json("p1300 --host pc-at-8 --bytes 50K --peer lwip")["a_to_b"], 50'000);
    const auto reverse = card_json("p1300 --host pc-at-8 --bytes 50K --peer lwip --reverse");
    expect_whole(reverse["b_to_a"], 50'000);
    EXPECT_EQ(reverse["a_to_b"], nullptr);
}

std::string trace_of(const ScratchFolder& folder, const std::string& arguments, const std::string& file) {
    EXPECT_EQ(run_lfn("transfer --bytes 20K --trace-io " + file + " " + arguments, folder).status, 0) << arguments;
    return contents_of(folder.path() / file);
}

TEST(CliTraceIo, has_one_line_for_each_access_that_names_the_register) {
    const ScratchFolder folder;
    const std::string arguments = "--card 3c500 --host pc-at-8 ";
    const std::vector<std::string> lines = lines_of(trace_of(folder, arguments, "io.txt"));
    const auto json = json_of(LFN_COMMAND, "transfer --bytes 20K " + arguments);
    const auto accesses = json["a"]["port_accesses"].get<std::size_t>() + json["b"]["port_accesses"].get<std::size_t>();
    EXPECT_EQ(lines.size(), accesses);
    for (std::size_t i = 0; i < lines.size(); i += 97) {
        EXPECT_THAT(lines[i], testing::MatchesRegex("[0-9]+\\.[0-9]{9} [ab] [RW] 30[0-9a-f] [0-9a-f]{2} [A-Za-z -]+"));
    }
    // The first thing that a driver does is to take the buffer.
    EXPECT_THAT(lines[0], testing::MatchesRegex("0\\.[0-9]{9} [ab] W 30e 40 auxiliary command"));
}

TEST(CliTraceIo, of_the_same_seed_is_the_same_file_byte_for_byte) {
    const ScratchFolder folder;
    for (const std::string cards :
         {"--card 3c500 --stations 20 --background 0.1", "--card p1300", "--card 3c500 --peer-card p1300"}) {
        const std::string arguments = cards + " --host pc-at-8 --both-ways --seed ";
        const std::string first = trace_of(folder, arguments + "5", "first");
        EXPECT_FALSE(first.empty());
        EXPECT_TRUE(first == trace_of(folder, arguments + "5", "second")) << cards;
        EXPECT_FALSE(first == trace_of(folder, arguments + "6", "third")) << cards;
    }
}

TEST(CliTraceIo, shows_the_gateways_accesses_too) {
    const ScratchFolder folder;
    const std::string trace = trace_of(folder, "--card 3c500 --peer-card p1300", "io.txt");
    EXPECT_THAT(trace, HasSubstr(" ra W 30e 44 auxiliary command"));
    EXPECT_THAT(trace, HasSubstr(" rb W 304 51 OCSR"));
}

TEST(CliCard, largest_window_works) {
    for (const char* window : {"600M", "1G"}) {
        expect_whole(card_json(std::string("3c500 --bytes 20K --window ") + window)["a_to_b"], 20'000);
    }
}

TEST(CliTraceIo, is_named_in_the_report_and_leaves_json_alone) {
    const ScratchFolder folder;
    EXPECT_THAT(run_lfn("transfer --card p1300 --bytes 1K --trace-io io.txt", folder).out, HasSubstr("io.txt"));
    const CommandOutcome json = run_lfn("transfer --card p1300 --bytes 1K --trace-io io.txt --json", folder);
    EXPECT_TRUE(nlohmann::json::accept(json.out));
}

class CliCardPcap : public testing::Test {
protected:
    void SetUp() override {
        if (std::system("command -v tcpdump >/dev/null") != 0) GTEST_SKIP() << "tcpdump is not installed";
    }
    // What tcpdump prints of the file; it must find nothing to complain about.
    std::string read(const std::string& file) const {
        const CommandOutcome outcome = run_command("tcpdump", "-nn -vv -r " + file, folder);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_THAT(outcome.out, Not(ContainsRegex("incorrect|\\[bad |\\[invalid|truncated|\\[\\|")));
        link = outcome.err;
        return outcome.out;
    }
    ScratchFolder folder;
    mutable std::string link;
};

TEST_F(CliCardPcap, of_a_3c500_has_ethernet_frames_that_tcpdump_reads) {
    ASSERT_EQ(run_lfn("transfer --card 3c500 --host pc-at-8 --bytes 50K --pcap run.pcap", folder).status, 0);
    for (const char* file : {"run.pcap", "run-receiver.pcap"}) {
        const std::string text = read(file);
        EXPECT_THAT(link, HasSubstr("EN10MB"));
        EXPECT_THAT(text, HasSubstr("ARP"));
        EXPECT_THAT(text, ContainsRegex("10.0.0.1.[0-9]+ > 10.0.0.2.5001: Flags \\[S\\]"));
    }
}

TEST_F(CliCardPcap, of_a_p1300_has_datagrams_that_tcpdump_reads) {
    ASSERT_EQ(run_lfn("transfer --card p1300 --host pc-at-8 --bytes 50K --pcap run.pcap", folder).status, 0);
    for (const char* file : {"run.pcap", "run-receiver.pcap"}) {
        const std::string text = read(file);
        EXPECT_THAT(link, HasSubstr("RAW"));
        EXPECT_THAT(text, ContainsRegex("10.0.0.1.[0-9]+ > 10.0.0.2.5001: Flags \\[S\\]"));
    }
}

TEST_F(CliCardPcap, of_either_end_is_of_its_own_card_and_the_senders_is_the_named_one) {
    ASSERT_EQ(run_lfn("transfer --card 3c500 --peer-card p1300 --reverse --bytes 20K --pcap run.pcap", folder).status,
              0);
    EXPECT_THAT(read("run.pcap"), HasSubstr("10.0.1.2"));
    EXPECT_THAT(link, HasSubstr("RAW")) << "b sends";
    read("run-receiver.pcap");
    EXPECT_THAT(link, HasSubstr("EN10MB"));
}

TEST_F(CliCardPcap, of_the_same_seed_is_the_same_file) {
    const std::string arguments = "transfer --card 3c500 --host pc-at-8 --bytes 20K --pcap ";
    run_lfn(arguments + "first.pcap", folder);
    run_lfn(arguments + "second.pcap", folder);
    EXPECT_TRUE(contents_of(folder.path() / "first.pcap") == contents_of(folder.path() / "second.pcap"));
    EXPECT_TRUE(contents_of(folder.path() / "first-receiver.pcap") ==
                contents_of(folder.path() / "second-receiver.pcap"));
}

}  // namespace
}  // namespace lfn::test
