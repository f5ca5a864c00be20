// SPDX-License-Identifier: BSD-3-Clause
// Whatever is wrong with a command line is said in one line that names it, with exit status 2 and no other output.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scenario/cli/command.hpp"

namespace lfn::test {
namespace {

using testing::HasSubstr;

struct BadInput {
    const char* claim;
    const char* arguments;
    const char* named;   // what the line must name
    const char* remedy;  // and what it must propose
};

// Names the case in a list of tests.
void PrintTo(const BadInput& input, std::ostream* out) {
    *out << "lfn " << input.arguments;
}

class BadInputTest : public testing::TestWithParam<BadInput> {};

TEST_P(BadInputTest, is_one_clear_line_and_exit_status_2) {
    const CommandOutcome outcome = run_lfn(GetParam().arguments);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(GetParam().named));
    EXPECT_THAT(outcome.err, HasSubstr(GetParam().remedy));
}

constexpr BadInput cases[] = {
    {"no_command", "", "command", "transfer"},
    {"unknown_command", "tranfser", "tranfser", "transfer"},
    {"unknown_option", "transfer --windw 64K", "--windw", "--help"},
    {"stray_word", "transfer fast", "fast", "--help"},
    {"missing_value", "transfer --window", "--window", "--help"},
    {"option_given_twice", "transfer --ber 0 --ber 1e-6", "--ber", "--help"},
    {"unknown_link", "transfer --link t1-satelite", "t1-satelite", "t1-satellite"},
    {"window_over_2_to_30", "transfer --window 1073741825", "--window 1073741825", "1 to 1G"},
    {"window_of_2G", "transfer --window 2G", "--window 2G", "1 to 1G"},
    {"window_of_0", "transfer --window 0", "--window 0", "1 to 1G"},
    {"window_that_is_no_number", "transfer --window big", "--window big", "224K"},
    {"window_with_unknown_unit", "transfer --window 64Q", "--window 64Q", "224K"},
    {"window_of_half_a_byte", "transfer --window 0.5", "--window 0.5", "224K"},
    {"ber_of_1", "transfer --ber 1", "--ber 1", "1e-6"},
    {"ber_over_1", "transfer --ber 2.5", "--ber 2.5", "1e-6"},
    {"ber_below_0", "transfer --ber -1e-6", "--ber -1e-6", "1e-6"},
    {"ber_that_is_no_number", "transfer --ber nan", "--ber nan", "1e-6"},
    {"ber_with_a_tail", "transfer --ber 1e-6x", "--ber 1e-6x", "1e-6"},
    {"mss_of_63", "transfer --mss 63", "--mss 63", "64 to 9140"},
    {"mss_of_9141", "transfer --mss 9141", "--mss 9141", "64 to 9140"},
    {"no_bytes", "transfer --bytes 0", "--bytes 0", "10M"},
    {"fewer_bytes_than_none", "transfer --bytes -5", "--bytes -5", "10M"},
    {"rate_of_0", "transfer --rate 0", "--rate 0", "1.544M"},
    {"rtt_below_0", "transfer --rtt -1", "--rtt -1", "580"},
    {"jitter_over_the_delay", "transfer --jitter 291", "--jitter 291 ms", "290 ms"},
    {"slow_start_of_0", "transfer --slow-start 0", "--slow-start 0", "1 to 8"},
    {"slow_start_of_9", "transfer --slow-start 9", "--slow-start 9", "1 to 8"},
    {"rto_margin_over_a_minute", "transfer --rto-margin 60001", "--rto-margin 60001", "0 to 60000"},
    {"seed_below_0", "transfer --seed -1", "--seed -1", "2^64-1"},
    {"seed_over_64_bits", "transfer --seed 18446744073709551616", "--seed 18446744073709551616", "2^64-1"},
    {"unknown_nak_mode", "transfer --nak maybe", "--nak maybe", "left-edge"},
    {"unknown_switch", "transfer --big-window yes", "--big-window yes", "on|off"},
    {"keepalive_of_two_days", "get 10.0.0.1 --tap a0 --keepalive 172800", "--keepalive 172800", "0 to 86400"},
    {"unknown_ecn", "transfer --ecn maybe", "--ecn maybe", "off|on"},
    {"marks_from_no_frame_on", "bridge --left a0 --right b0 --ecn-mark 0", "--ecn-mark 0", "1 to 1000000"},
    {"unknown_dup_acks", "transfer --dup-acks 3", "--dup-acks 3", "auto|on|off"},
    {"unknown_loss_policy", "transfer --loss-policy none", "--loss-policy none", "congestion|noise|auto"},
    {"sweep_into_a_device", "sweep --out /dev/null", "--out /dev/null", "regular"},
    {"reordering_without_jitter", "transfer --reorder", "--reorder", "--jitter"},
    {"initial_window_of_eleven", "transfer --initial-window 11", "--initial-window 11", "0 to 10"},
    {"unknown_wire_form", "transfer --wire rfc1072", "--wire rfc1072", "rfc1106|exid"},
    {"unknown_peer", "transfer --peer linux", "--peer linux", "lfn|lwip"},
    {"pcap_in_no_folder", "transfer --pcap no-such-folder/run.pcap", "no-such-folder/run.pcap", "can be written"},
    {"pcap_that_is_a_folder", "transfer --pcap /", "--pcap /", "can be written"},
    {"pcap_to_standard_output", "transfer --pcap -", "--pcap -", "name of a file"},
    {"pcap_of_no_name", "transfer --pcap ''", "--pcap", "leave it out"},
    {"reordering_of_cards", "transfer --card 3c500 --reorder", "--reorder", "leave it out with --card"},
    {"rtt_over_a_day", "transfer --rtt 86400001", "--rtt 86400001", "0 to 86400000"},
    {"jitter_over_a_day", "transfer --jitter 86400001", "--jitter 86400001", "one-way delay"},
    {"address_behind_slirp", "serve --slirp --address 10.0.0.2/24", "--address", "leave it out with --slirp"},
    {"gateway_behind_slirp", "get 10.0.2.2 --slirp --gateway 10.0.2.2", "--gateway", "leave it out with --slirp"},
    {"bytes_of_a_url", "get http://10.0.2.2/a --slirp --bytes 1M", "--bytes", "leave it out"},
    {"seed_of_a_url", "get http://10.0.2.2/a --slirp --seed 7", "--seed", "leave it out"},
    {"digest_of_a_pattern", "get 10.0.2.2 --slirp --digest 00112233445566778899aabbccddeeff", "--digest", "URL"},
    {"output_in_no_folder", "get 10.0.2.2 --slirp --output none/x", "--output none/x", "can be written"},
    {"output_to_standard_output", "get 10.0.2.2 --slirp --output -", "--output -", "name of a file"},
    {"file_that_is_not_there", "put 10.0.2.2 --slirp --file none", "--file none", "can be read"},
    {"file_that_is_a_folder", "put 10.0.2.2 --slirp --file /", "--file /", "give a file"},
    {"bytes_of_a_file", "put 10.0.2.2 --slirp --file /dev/null --bytes 1M", "--bytes", "leave one of them out"},
    {"timeout_of_days", "put 10.0.2.2 --slirp --timeout 1000001", "--timeout 1000001", "0 to 1000000"},
    {"network_capture_in_no_folder", "serve --slirp --pcap none/a.pcap", "none/a.pcap", "can be written"},
    {"port_of_two_services", "serve --slirp --port http=7", "port 7", "by echo and by http"},
    {"forward_given_twice", "serve --slirp --forward 8080:80 --forward 8080:7", "--forward 8080:7", "another"},
    {"interface_with_a_long_name", "serve --tap sixteen-letters- --address 10.0.0.2/24", "--tap", "1 to 15"},
    {"bridge_from_an_end_to_itself", "bridge --left lfn0 --right lfn0", "--right lfn0", "two interfaces"},
    {"bridge_capture_in_no_folder", "bridge --left a --right b --pcap none/a.pcap", "none/a.pcap", "can be written"},
    {"csv_in_no_folder", "sweep --bytes 1K --csv none/a.csv", "--csv none/a.csv", "can be written"},
    {"csv_of_no_name", "sweep --bytes 1K --csv ''", "--csv", "leave it out"},
    {"bridge_with_competitors", "bridge --link shared-10m", "shared-10m", "another link"},
    {"unknown_card", "transfer --card ne2000", "--card ne2000", "3c500, p1300"},
    {"unknown_peer_card", "transfer --card p1300 --peer-card ne2000", "--peer-card ne2000", "3c500, p1300"},
    {"peer_card_without_card", "transfer --peer-card p1300", "--peer-card", "--card"},
    {"unknown_host", "transfer --card p1300 --host cray", "--host cray", "pc-at-8"},
    {"gateway_between_like_cards", "transfer --card p1300 --gateway-host sun-3", "--gateway-host", "--peer-card"},
    {"host_without_card", "transfer --host pc-at-8", "--host", "--card"},
    {"link_with_a_card", "transfer --card 3c500 --link geo-10m", "--link", "leave it out"},
    {"too_many_stations", "transfer --card 3c500 --stations 1001", "--stations 1001", "0 to 1000"},
    {"background_over_1", "transfer --card 3c500 --stations 9 --background 1.5", "--background 1.5", "0 to 1"},
    {"background_on_a_ring", "transfer --card p1300 --stations 9 --background 0.1", "--background", "3c500"},
    {"background_of_nobody", "transfer --card 3c500 --background 0.1", "--background", "--stations"},
    {"trace_without_card", "transfer --trace-io io.txt", "--trace-io", "--card"},
    {"trace_in_no_folder", "transfer --card 3c500 --trace-io none/io.txt", "none/io.txt", "can be written"},
    {"trace_to_standard_output", "transfer --card 3c500 --trace-io -", "--trace-io -", "name of a file"},
    {"card_capture_in_no_folder", "transfer --card 3c500 --pcap none/a.pcap", "none/a.pcap", "can be written"},
    {"unknown_device", "devices ne2000", "ne2000", "3c500"},
    {"no_experiment", "reproduce", "experiment", "--help"},
    {"unknown_experiment", "reproduce rfc1107", "rfc1107", "rfc1106"},
    {"no_seeds", "reproduce rfc1106 --seeds 0", "--seeds 0", "1 to 10000"},
    {"no_jobs", "reproduce rfc1106 --jobs 0", "--jobs 0", "1 to 1024"},
    {"json_and_csv", "reproduce rfc1106 --json --csv", "--csv", "--help"},
    {"links_with_a_stray_word", "links t1-satellite", "t1-satellite", "--help"},
};

INSTANTIATE_TEST_SUITE_P(Cli, BadInputTest, testing::ValuesIn(cases),
                         [](const testing::TestParamInfo<BadInput>& input) { return input.param.claim; });

TEST(BadInput, leaves_no_file_behind_when_the_second_capture_cannot_be_written) {
    const ScratchFolder folder;
    std::filesystem::create_directory(folder.path() / "run-receiver.pcap");
    const CommandOutcome outcome = run_lfn("transfer --bytes 1K --pcap run.pcap", folder);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr("run-receiver.pcap"));
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "run.pcap"));
}

}  // namespace
}  // namespace lfn::test
