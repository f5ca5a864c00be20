// SPDX-License-Identifier: BSD-3-Clause
// `lfn serve`, `get` and `put` over IPv6.
#include <csignal>

#include "tests/interop/command_fixture.hpp"

namespace lfn::interop {

namespace {

using testing::HasSubstr;

constexpr std::uint64_t megabyte = 1'000'000;
constexpr std::uint16_t sink_port = 5001, source_port = 5002;

std::vector<std::string> with_ipv6_tap(std::vector<std::string> arguments) {
    for (const char* each : {"--tap", "lfn0", "--address", "fd77::2/64", "--kernel-address", "fd77::1"}) {
        arguments.emplace_back(each);
    }
    return lfn_with(arguments);
}

class Ipv6CommandTest : public CommandTest {
protected:
    void SetUp() override {
        CommandTest::SetUp();
        if (IsSkipped()) return;
        if (access("/proc/net/if_inet6", F_OK) != 0) GTEST_SKIP() << "the kernel has no IPv6";
    }
};

TEST_F(Ipv6CommandTest, served_pattern_arrives_by_curl) {
    if (!is_installed("curl")) GTEST_SKIP() << "curl is not installed";
    RunningCommand serve(with_ipv6_tap({"serve"}));
    ASSERT_TRUE(is_ready(serve)) << serve.err();
    EXPECT_THAT(serve.err(), HasSubstr("fd77::2 on lfn0"));
    const std::string file = folder_.path() / "file";
    const auto curl = RunningCommand({"curl", "-sS", "-g", "-o", file, "http://[fd77::2]/pattern/7/3000000"}).wait();
    EXPECT_EQ(curl.status, 0) << curl.err;
    EXPECT_EQ(digest_of_file(file), digest_of_pattern(3 * megabyte, 7));
    serve.signal(SIGTERM);
    const auto outcome = serve.wait();
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("http     1 connections, 0 failed"));
}

TEST_F(Ipv6CommandTest, put_is_confirmed_by_the_digest_of_the_peer) {
    KernelListener listener(loop_, sink_port);
    RunningCommand put(with_ipv6_tap({"put", "[fd77::1]:5001", "--bytes", "2M", "--seed", "5", "--offload", "off"}));
    ASSERT_TRUE(run_until([&] { return !listener.accepted.empty() && listener.accepted[0]->at_end(); })) << put.err();
    const services::Digest& received = listener.accepted[0]->received();
    listener.accepted[0]->send_text(received.text() + " 2000000\n", true);
    const auto outcome = finish(put);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(received.text(), digest_of_pattern(2 * megabyte, 5));
}

TEST_F(Ipv6CommandTest, get_compares_what_comes) {
    KernelListener listener(loop_, source_port);
    listener.on_accepted = [](KernelSocket& socket) { socket.send_pattern(2 * megabyte, 6); };
    RunningCommand get(with_ipv6_tap({"get", "fd77::1", "--bytes", "2M", "--seed", "6"}));
    const auto outcome = finish(get);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(digest_of_pattern(2 * megabyte, 6)));
}

TEST_F(Ipv6CommandTest, a_network_of_other_than_64_bits_is_bad_input) {
    const auto outcome = RunningCommand(lfn_with({"serve", "--tap", "lfn0", "--address", "fd77::2/48"})).wait();
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr("--address fd77::2/48: give an IP address with its length (of IPv6: 64)"));
}

}  // namespace

}  // namespace lfn::interop
