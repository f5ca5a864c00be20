// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scenario/cli/command.hpp"

namespace lfn::test {
namespace {

using testing::HasSubstr;
using testing::Not;

nlohmann::json transfer_json(const std::string& arguments) {
    return json_of(LFN_COMMAND, "transfer " + arguments);
}

// The text without the one thing that may differ between two runs.
std::string without_wall_time(std::string text) {
    const std::size_t end = text.find(" s wall");
    const std::size_t begin = text.rfind(' ', end - 1);
    return text.erase(begin, end - begin);
}

TEST(CliTransfer, settings_that_are_not_the_usual_ones_are_printed) {
    const std::string usual = run_lfn("transfer --bytes 10K").out;
    for (const char* word : {"initial window", "tail probe", "SACK", "timestamps", "isolated"}) {
        EXPECT_EQ(usual.find(word), std::string::npos) << word;
    }
    const std::string unusual =
        run_lfn("transfer --bytes 10K --initial-window 10 --tail-probe on --timestamps on --isolated off").out;
    EXPECT_THAT(unusual, HasSubstr("initial window 10 segments, tail probe on, timestamps on, isolated off"));
}

TEST(CliTransfer, initial_window_of_json_is_the_effective_one) {
    const auto by_rfc3390 = transfer_json("--bytes 10K --mss 512")["settings"];
    EXPECT_EQ(by_rfc3390["initial_window"], nullptr);
    EXPECT_EQ(by_rfc3390["initial_window_bytes"], 2048);
    EXPECT_EQ(transfer_json("--bytes 10K --mss 1460")["settings"]["initial_window_bytes"], 4380);
    EXPECT_EQ(transfer_json("--bytes 10K --mss 512 --initial-window 3")["settings"]["initial_window_bytes"], 1536);
}

TEST(CliTransfer, that_is_given_up_says_after_what_and_when) {
    const CommandOutcome deaf = run_lfn("transfer --ber 0.05 --bytes 10K");
    EXPECT_EQ(deaf.status, 1);
    EXPECT_THAT(deaf.err, HasSubstr("the handshake was not over in "));
    EXPECT_THAT(deaf.err, HasSubstr("--ber"));
    EXPECT_THAT(deaf.out, HasSubstr("given up after "));
    const CommandOutcome noisy = run_lfn("transfer --ber 0.0003 --bytes 1M --seed 3");
    EXPECT_EQ(noisy.status, 1);
    EXPECT_THAT(noisy.err, HasSubstr("sent 13 times in vain"));
}

TEST(CliTransfer, seeds_of_transfer_and_sweep_have_the_same_range) {
    const std::string last = " --bytes 1K --seed 18446744073709551615";
    EXPECT_EQ(run_lfn("transfer" + last).status, 0);
    EXPECT_EQ(run_lfn("sweep --seeds 2 --no-progress" + last).status, 0) << "after it comes 0";
}

TEST(CliPolicies, short_runs_say_what_they_are_worth) {
    EXPECT_THAT(run_command(LFN_EXAMPLES_COMMAND, "policies --seconds 1 --jobs 2").out, HasSubstr("--seconds 120"));
}

TEST(CliTransfer, json_has_every_promised_key) {
    const nlohmann::json json = transfer_json("--bytes 100K --ber 1e-6");
    ASSERT_TRUE(json.is_object());
    for (const char* key : {"goodput_bytes_per_second", "ceiling_bytes_per_second", "efficiency", "lost_bytes",
                            "retransmitted_bytes", "retransmitted_segments", "rtos", "naks_sent", "naks_honoured",
                            "packets", "virtual_seconds", "wall_seconds", "seed"}) {
        EXPECT_TRUE(json.contains(key) && json[key].is_number()) << key;
    }
    EXPECT_EQ(json["intact"], true);
    EXPECT_EQ(json["failure"], nullptr);
    EXPECT_EQ(json["sent_digest"], json["received_digest"]);
}

TEST(CliTransfer, the_same_seed_gives_the_same_output_byte_for_byte) {
    const std::string arguments = "transfer --bytes 300K --ber 1e-5 --loss-policy noise --seed 7";
    const CommandOutcome first = run_lfn(arguments);
    const CommandOutcome second = run_lfn(arguments);
    EXPECT_EQ(first.status, 0);
    EXPECT_EQ(without_wall_time(first.out), without_wall_time(second.out));
    EXPECT_NE(without_wall_time(first.out), first.out);

    nlohmann::json left = json_of(LFN_COMMAND, arguments);
    nlohmann::json right = json_of(LFN_COMMAND, arguments);
    left.erase("wall_seconds");
    right.erase("wall_seconds");
    EXPECT_EQ(left.dump(), right.dump());
}

TEST(CliTransfer, another_seed_gives_another_history) {
    const auto first = transfer_json("--bytes 300K --ber 1e-5 --seed 7");
    const auto second = transfer_json("--bytes 300K --ber 1e-5 --seed 8");
    EXPECT_NE(first["sent_digest"], second["sent_digest"]);
    EXPECT_NE(first["virtual_seconds"], second["virtual_seconds"]);
}

TEST(CliTransfer, what_was_lost_is_told_by_direction_and_cause_and_adds_up) {
    const auto json = transfer_json("--bytes 1M --ber 1e-5 --loss-policy noise");
    const auto& forward = json["forward"];
    EXPECT_GT(forward["lost_by_cause"]["bit_error"]["frames"], 0);
    EXPECT_EQ(json["lost_bytes"], forward["lost_payload_bytes"]);
    EXPECT_EQ(forward["payload_bytes"].get<std::uint64_t>() - forward["lost_payload_bytes"].get<std::uint64_t>(),
              1'000'000U + json["retransmitted_bytes"].get<std::uint64_t>() - json["lost_bytes"].get<std::uint64_t>());
    EXPECT_EQ(json["packets"].get<std::uint64_t>(),
              forward["sent"]["frames"].get<std::uint64_t>() + json["backward"]["sent"]["frames"].get<std::uint64_t>());
}

TEST(CliTransfer, text_names_the_loss_policy_in_force) {
    EXPECT_THAT(run_lfn("transfer --bytes 10K").out, HasSubstr("loss policy congestion"));
    EXPECT_THAT(run_lfn("transfer --bytes 10K --loss-policy noise").out, HasSubstr("loss policy noise"));
}

TEST(CliTransfer, link_options_override_the_profile) {
    const auto json = transfer_json("--bytes 10K --rate 64k --rtt 1s --jitter 5 --ber 0");
    EXPECT_EQ(json["settings"]["rate_bits_per_second"], 64'000);
    EXPECT_EQ(json["settings"]["round_trip_seconds"], 1.0);
    EXPECT_EQ(json["settings"]["jitter_seconds"], 0.005);
}

TEST(CliTransfer, a_window_is_binary_and_a_transfer_decimal) {
    const auto json = transfer_json("--window 64K --bytes 10K");
    EXPECT_EQ(json["settings"]["window_bytes"], 65536);
    EXPECT_EQ(json["delivered_bytes"], 10'000);
    EXPECT_EQ(transfer_json("--bytes 10KiB")["delivered_bytes"], 10'240);
}

TEST(CliTransfer, nak_works_beside_rfc7323_windows_in_either_wire_form) {
    for (const char* wire : {"rfc1106", "exid"}) {
        const auto json =
            transfer_json(std::string("--bytes 1M --ber 1e-5 --loss-policy noise --big-window off --wire ") + wire);
        EXPECT_EQ(json["window_rule"], "rfc7323") << wire;
        EXPECT_EQ(json["nak_agreed"], true) << wire;
        EXPECT_GT(json["naks_honoured"], 0) << wire;
    }
}

TEST(CliTransfer, an_unpatched_peer_either_way_round_falls_back_and_stays_intact) {
    for (const char* way : {"", " --reverse"}) {
        const auto json = transfer_json(std::string("--bytes 300K --ber 1e-6 --peer lwip") + way);
        EXPECT_EQ(json["intact"], true) << way;
        EXPECT_EQ(json["window_rule"], "rfc7323") << way;
        EXPECT_EQ(json["nak_agreed"], false) << way;
        EXPECT_EQ(json["naks_sent"], 0) << way;
        EXPECT_EQ(json["rtos"].is_null(), *way != '\0') << "unpatched lwIP does not count them";
    }
}

TEST(CliTransfer, a_link_without_limits_has_no_ceiling) {
    const auto json = transfer_json("--link ideal --bytes 1M");
    EXPECT_EQ(json["intact"], true);
    EXPECT_TRUE(json["ceiling_bytes_per_second"].is_null());
    EXPECT_TRUE(json["efficiency"].is_null());
}

TEST(CliTransfer, a_link_that_changes_says_how) {
    for (const char* link : {"asymmetric-12m-3m", "fade-100m", "geo-10m-bursts", "geo-10m-outages", "leo-handover"}) {
        const CommandOutcome outcome = run_lfn(std::string("transfer --bytes 500K --mss 1460 --link ") + link);
        EXPECT_EQ(outcome.status, 0) << link;
        EXPECT_THAT(outcome.out, HasSubstr("\nlink        ")) << link;
        EXPECT_THAT(outcome.out, HasSubstr("intact")) << link;
    }
    EXPECT_THAT(run_lfn("transfer --bytes 10K").out, Not(HasSubstr("\nlink        ")));
}

TEST(CliTransfer, a_competitor_is_measured_and_verified_too) {
    const auto json = transfer_json("--link shared-10m --mss 1460 --bytes 2M");
    EXPECT_EQ(json["intact"], true);
    ASSERT_EQ(json["competitors"].size(), 1U);
    EXPECT_EQ(json["competitors"][0]["intact"], true);
    EXPECT_GT(json["competitors"][0]["goodput_bytes_per_second"], 100'000);
    EXPECT_TRUE(transfer_json("--bytes 10K")["competitors"].empty());
}

TEST(CliTransfer, a_failure_is_one_line_and_exit_status_1) {
    const CommandOutcome text = run_lfn("transfer --ber 0.05 --bytes 10K");
    EXPECT_EQ(text.status, 1);
    ASSERT_EQ(lines_of(text.err).size(), 1U) << text.err;
    EXPECT_THAT(text.err, HasSubstr("failed: "));
    EXPECT_THAT(text.out, HasSubstr("NOT INTACT"));

    const CommandOutcome json = run_lfn("transfer --ber 0.05 --bytes 10K --json");
    EXPECT_EQ(json.status, 1);
    const auto parsed = nlohmann::json::parse(json.out);
    EXPECT_EQ(parsed["intact"], false);
    EXPECT_TRUE(parsed["failure"].is_string());
}

TEST(CliTransfer, pcap_writes_one_capture_per_host_and_says_which) {
    const ScratchFolder folder;
    const CommandOutcome outcome = run_lfn("transfer --bytes 20K --pcap run.v1.pcap", folder);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.out, HasSubstr("run.v1.pcap (sender), run.v1-receiver.pcap (receiver)"));
    EXPECT_GT(std::filesystem::file_size(folder.path() / "run.v1.pcap"), 20'000U);
    EXPECT_GT(std::filesystem::file_size(folder.path() / "run.v1-receiver.pcap"), 20'000U);
}

TEST(CliTransfer, a_dot_in_a_folder_is_no_suffix) {
    const ScratchFolder folder;
    std::filesystem::create_directory(folder.path() / "runs.d");
    EXPECT_EQ(run_lfn("transfer --bytes 1K --pcap runs.d/one", folder).status, 0);
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "runs.d" / "one-receiver"));
}

TEST(CliTransfer, progress_goes_to_standard_error_and_only_when_wanted) {
    EXPECT_THAT(run_lfn("transfer --bytes 1M --progress").err, HasSubstr("100 %"));
    EXPECT_EQ(run_lfn("transfer --bytes 1M --no-progress").err, "");
    EXPECT_EQ(run_lfn("transfer --bytes 1M").err, "") << "no terminal";
    EXPECT_THAT(run_lfn("transfer --bytes 1M --progress").out, Not(HasSubstr("100 % ")));
}

}  // namespace
}  // namespace lfn::test
