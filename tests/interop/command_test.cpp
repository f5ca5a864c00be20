// SPDX-License-Identifier: BSD-3-Clause
// `lfn serve`, `get` and `put`: what they do, what they say when something is wrong, and what they leave behind.
#include <algorithm>
#include <csignal>

#include "tests/interop/command_fixture.hpp"

namespace lfn::interop {

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

constexpr std::uint64_t megabyte = 1'000'000;
constexpr std::uint16_t sink_port = 5001, source_port = 5002;

TEST_F(CommandTest, served_services_are_reached_by_curl_and_the_pattern_arrives) {
    if (!is_installed("curl")) GTEST_SKIP() << "curl is not installed";
    RunningCommand serve(with_tap({"serve"}));
    ASSERT_TRUE(is_ready(serve)) << serve.err();
    const std::string file = folder_.path() / "file";
    const auto curl = RunningCommand({"curl", "-sS", "-o", file, "http://10.77.0.2/pattern/7/3000000"}).wait();
    EXPECT_EQ(curl.status, 0) << curl.err;
    EXPECT_EQ(digest_of_file(file), digest_of_pattern(3 * megabyte, 7));
    const auto status = RunningCommand({"curl", "-sS", "http://10.77.0.2/status.txt"}).wait();
    EXPECT_THAT(status.out, HasSubstr("lfn0 at 10.77.0.2, MTU 1500"));
    const auto index = RunningCommand({"curl", "-sS", "http://10.77.0.2/"}).wait();
    EXPECT_THAT(index.out, HasSubstr("/status.txt"));
    const auto none = RunningCommand({"curl", "-sS", "-o", file, "-w", "%{http_code}", "http://10.77.0.2/none"}).wait();
    EXPECT_EQ(none.out, "404");
    serve.signal(SIGTERM);
    const auto outcome = serve.wait();
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("http     3 connections, 0 failed"));
}

TEST_F(CommandTest, iperf_2_sends_to_the_iperf_server) {
    if (!is_installed("iperf")) GTEST_SKIP() << "iperf is not installed";
    RunningCommand serve(with_tap({"serve", "--json"}));
    ASSERT_TRUE(is_ready(serve)) << serve.err();
    const auto iperf = RunningCommand({"iperf", "-c", "10.77.0.2", "-p", "5003", "-n", "3M"}).wait();
    EXPECT_EQ(iperf.status, 0) << iperf.err;
    serve.signal(SIGINT);
    const auto outcome = serve.wait();
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const Json iperf_tally = Json::parse(outcome.out).at("services").at("iperf");
    EXPECT_EQ(iperf_tally.at("connections"), 1);
    EXPECT_EQ(iperf_tally.at("failed"), 0);
    EXPECT_GE(iperf_tally.at("bytes_received"), 3 << 20);
}

// What iperf asks for with -d: the server connects back. lwIP's would read past a buffer.
TEST_F(CommandTest, iperf_server_sends_nothing_in_return) {
    RunningCommand serve(with_tap({"serve", "--connections", "1"}));
    ASSERT_TRUE(is_ready(serve)) << serve.err();
    KernelListener listener(loop_, 5001);
    const auto socket = KernelSocket::connect(loop_, command_address, 5003);
    std::string header(24, '\0');
    header[0] = static_cast<char>(0x80);
    header[3] = 1;
    header[10] = 0x13, header[11] = static_cast<char>(0x89);  // port 5001
    socket->send_text(header + std::string(2000, '4'), true);
    const auto outcome = finish(serve);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(listener.accepted, testing::IsEmpty());
    EXPECT_THAT(outcome.out, HasSubstr("iperf    2,024 in"));
}

TEST_F(CommandTest, iperf_client_that_resets_is_counted_as_failed) {
    RunningCommand serve(with_tap({"serve", "--connections", "1"}));
    ASSERT_TRUE(is_ready(serve)) << serve.err();
    const auto socket = KernelSocket::connect(loop_, command_address, 5003);
    socket->send_text(std::string(3000, '4'));
    ASSERT_TRUE(run_until([&] { return socket->sent_all(); }));
    loop_.run_for(milliseconds(100));
    socket->reset();
    const auto outcome = finish(serve);
    EXPECT_THAT(outcome.out, HasSubstr("failed: reset by peer"));
}

TEST_F(CommandTest, put_is_confirmed_by_the_digest_of_the_peer) {
    KernelListener listener(loop_, sink_port);
    RunningCommand put(with_tap({"put", "10.77.0.1", "--bytes", "2M", "--seed", "5"}));
    ASSERT_TRUE(run_until([&] { return !listener.accepted.empty() && listener.accepted[0]->at_end(); }));
    const services::Digest& received = listener.accepted[0]->received();
    listener.accepted[0]->send_text(received.text() + " 2000000\n", true);
    const auto outcome = finish(put);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(received.text(), digest_of_pattern(2 * megabyte, 5));
    EXPECT_THAT(outcome.out, HasSubstr("digest " + received.text() + ", equal to what the peer got"));
}

TEST_F(CommandTest, put_tells_that_the_peer_got_something_else) {
    KernelListener listener(loop_, sink_port);
    RunningCommand put(with_tap({"put", "10.77.0.1", "--bytes", "1000"}));
    ASSERT_TRUE(run_until([&] { return !listener.accepted.empty() && listener.accepted[0]->at_end(); }));
    listener.accepted[0]->send_text(digest_of_pattern(1000, 2) + " 1000\n", true);
    const auto outcome = finish(put);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, HasSubstr("the peer's digest differs"));
}

TEST_F(CommandTest, progress_shows_rate_and_time_left) {
    KernelListener listener(loop_, source_port, 0);
    RunningCommand get(with_tap({"get", "10.77.0.1", "--bytes", "1M", "--progress"}));
    ASSERT_TRUE(run_until([&] { return !listener.accepted.empty(); }));
    listener.accepted[0]->send_pattern(megabyte / 2, 1, false);
    ASSERT_TRUE(run_until([&] { return get.err().find(" 50 %") != std::string::npos; })) << get.err();
    get.signal(SIGINT);
    const auto outcome = finish(get);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("MB/s"), HasSubstr("s to go")));
}

class Stopped : public CommandTest, public testing::WithParamInterface<int> {};

TEST_P(Stopped, get_prints_its_summary_and_takes_its_interface_with_it) {
    KernelListener listener(loop_, source_port);
    listener.on_accepted = [](KernelSocket& socket) { socket.send_pattern(megabyte, 1, false); };
    RunningCommand get(with_tap({"get", "10.77.0.1", "--bytes", "2M"}));
    ASSERT_TRUE(run_until([&] { return !listener.accepted.empty() && listener.accepted[0]->sent_all(); }));
    loop_.run_for(milliseconds(300));
    get.signal(GetParam());
    const auto outcome = finish(get);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.err, "lfn get: 10.77.0.1: interrupted\n");
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("1,000,000 bytes in"), HasSubstr("not compared")));
    // The connection was reset, not left behind.
    EXPECT_TRUE(run_until([&] { return listener.accepted[0]->error() == ECONNRESET; }));
}

TEST_P(Stopped, serve_prints_its_summary_and_takes_its_interface_with_it) {
    RunningCommand serve(with_tap({"serve"}));
    ASSERT_TRUE(is_ready(serve)) << serve.err();
    const auto socket = KernelSocket::connect(loop_, command_address, 19);
    ASSERT_TRUE(run_until([&] { return socket->received().octets() > 1000; }));
    serve.signal(GetParam());
    const auto outcome = finish(serve);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("lfn0: "));
    EXPECT_TRUE(run_until([&] { return socket->error() == ECONNRESET; }));
}

INSTANTIATE_TEST_SUITE_P(Interop, Stopped, testing::Values(SIGINT, SIGTERM),
                         [](const auto& each) { return std::string(each.param == SIGINT ? "sigint" : "sigterm"); });

// ---- errors: one line that names the thing and the remedy ----

TEST_F(CommandTest, no_permission_on_the_interface) {
    if (const std::string why = why_not_as_nobody(); !why.empty()) GTEST_SKIP() << why;
    const auto outcome = RunningCommand(as_nobody(with_tap({"get", "10.77.0.1"}))).wait();
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(lines_in(outcome.err), 1U) << outcome.err;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("lfn get: "), HasSubstr("run as root")));
}

TEST_F(CommandTest, an_interface_that_is_taken) {
    TapDevice holder;
    ASSERT_TRUE(holder.open({.name = "lfn0"})) << holder.error();
    const auto outcome = RunningCommand(with_tap({"serve"})).wait();
    holder.close();
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.err,
              "lfn serve: TAP interface lfn0: another process holds it; end that process, or give another name\n");
}

TEST_F(CommandTest, an_interface_that_vanishes_during_a_transfer) {
    KernelListener listener(loop_, sink_port, 4096);
    RunningCommand put(with_tap({"put", "10.77.0.1", "--bytes", "1G", "--json"}));
    ASSERT_TRUE(
        run_until([&] { return !listener.accepted.empty() && listener.accepted[0]->received().octets() > megabyte; }));
    ASSERT_TRUE(delete_interface("lfn0"));
    const auto outcome = finish(put);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.err, "lfn put: 10.77.0.1: TAP interface lfn0 is gone; somebody removed it\n");
    const Json report = Json::parse(outcome.out);
    EXPECT_FALSE(report.at("intact").get<bool>());
    EXPECT_GT(report.at("bytes"), megabyte);
}

TEST_F(CommandTest, a_peer_that_resets) {
    KernelListener listener(loop_, sink_port);
    RunningCommand put(with_tap({"put", "10.77.0.1", "--bytes", "100M"}));
    ASSERT_TRUE(
        run_until([&] { return !listener.accepted.empty() && listener.accepted[0]->received().octets() > megabyte; }));
    listener.accepted[0]->reset();
    const auto outcome = finish(put);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(lines_in(outcome.err), 1U) << outcome.err;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("10.77.0.1: reset by peer after "), HasSubstr("begin again")));
}

TEST_F(CommandTest, a_peer_with_nobody_at_the_port) {
    const auto outcome = RunningCommand(with_tap({"put", "10.77.0.1:4711"})).wait();
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("nobody listens at port 4711"), HasSubstr("give another port")));
}

TEST_F(CommandTest, options_that_make_no_host) {
    const auto complaint = [](const std::vector<std::string>& arguments) {
        const auto outcome = RunningCommand(lfn_with(arguments)).wait();
        EXPECT_EQ(outcome.status, 2);
        EXPECT_EQ(lines_in(outcome.err), 1U) << outcome.err;
        return outcome.err;
    };
    EXPECT_THAT(complaint({"serve"}), HasSubstr("--tap is required, or --slirp"));
    EXPECT_THAT(complaint({"serve", "--tap", "lfn0"}), HasSubstr("--address is required"));
    EXPECT_THAT(complaint({"serve", "--tap", "lfn0", "--slirp"}), HasSubstr("give one of them"));
    EXPECT_THAT(complaint({"serve", "--slirp", "--forward", "80"}), HasSubstr("--forward 80"));
    EXPECT_THAT(complaint({"serve", "--slirp", "--mtu", "9001"}), HasSubstr("at most 9000"));
    EXPECT_THAT(complaint({"serve", "--slirp", "--port", "gopher=70"}), HasSubstr("--port gopher=70"));
    EXPECT_THAT(complaint({"get", "somewhere", "--slirp"}), HasSubstr("PEER somewhere"));
    EXPECT_THAT(complaint({"get", "http://host/", "--slirp"}), HasSubstr("give an IP address"));
    EXPECT_THAT(complaint({"get", "10.0.2.2", "--digest", "12", "--slirp"}), HasSubstr("--digest 12"));
}

TEST_F(CommandTest, a_peer_that_accepts_and_says_nothing) {
    KernelListener listener(loop_, source_port);
    const auto outcome = RunningCommand(with_tap({"get", "10.77.0.1", "--timeout", "1"})).wait();
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(lines_in(outcome.err), 1U) << outcome.err;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("10.77.0.1: nothing came"), HasSubstr("for 1 s"), HasSubstr("--timeout")));
}

TEST_F(CommandTest, put_of_a_pipe_that_pauses_outlasts_its_timeout) {
    KernelListener listener(loop_, sink_port);
    std::string line;
    for (const std::string& word : with_tap({"put", "10.77.0.1", "--file", "-", "--timeout", "1", "--unchecked"})) {
        line += word + " ";
    }
    RunningCommand put({"sh", "-c", "{ sleep 1.5; echo first; sleep 1.5; echo last; } | " + line});
    ASSERT_TRUE(run_until([&] { return !listener.accepted.empty(); })) << put.err();
    ASSERT_TRUE(run_until([&] { return listener.accepted[0]->received().octets() == 11; })) << put.err();
    listener.accepted[0]->send_text("", true);
    const auto outcome = finish(put);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("11 bytes in"));
}

}  // namespace

}  // namespace lfn::interop
