// SPDX-License-Identifier: BSD-3-Clause
// Programs that people use, through the bridge: to the stack, and, where they speak only to themselves, to each other.
#include <csignal>

#include "ports/realtime/netns.hpp"
#include "ports/services/http_files.hpp"
#include "tests/interop/path_fixture.hpp"
#include "tests/interop/running_command.hpp"

namespace lfn::interop {

namespace {

using testing::HasSubstr;

struct IperfTally {
    int sessions = 0;
    std::uint64_t octets = 0;
    std::string failure;
};
const lfn_iperf_events iperf_events = {
    .over = [](void* self, std::uint64_t octets, std::uint32_t, const char* failure) {
        auto& tally = *static_cast<IperfTally*>(self);
        ++tally.sessions;
        tally.octets += octets;
        if (failure != nullptr) tally.failure = failure;
    }};

// The kernel's end is the test's namespace, where the programs run; the link is a satellite's, but quicker.
class Clients : public PathTest {
protected:
    void SetUp() override {
        PathTest::SetUp();
        if (IsSkipped()) return;
        open_path(Left::kernel, milliseconds(10), 20'000'000, 1e-7);
        serve(settings());
        const lfn_http_files table = files_.table();
        const lfn_tcp_settings tcp = settings();
        right().with_stack([&](const lfn_stack& stack) {
            EXPECT_TRUE(stack.serve_http(80, &tcp, &table));
            EXPECT_TRUE(stack.serve_iperf(5003, &tcp, &iperf_events, &iperf_));
        });
    }
    void TearDown() override {
        PathTest::TearDown();
        EXPECT_EQ(files_.open(), 0U);
    }
    // Writes a pattern to a file of the test.
    std::string pattern_file(std::uint64_t octets, std::uint64_t seed) {
        const std::string name = folder_.path() / "pattern";
        std::vector<std::uint8_t> pattern(octets);
        services::Pattern(seed).fill(0, pattern);
        digest_ = services::Digest();
        digest_.add(pattern);
        services::File file(std::fopen(name.c_str(), "wb"));
        EXPECT_EQ(std::fwrite(pattern.data(), 1, octets, file.get()), octets);
        return name;
    }
    test::CommandOutcome run(const std::vector<std::string>& arguments) {
        RunningCommand command(arguments);
        EXPECT_TRUE(run_until([&] { return !command.running(); }, seconds(60)));
        return command.wait(0);
    }
    test::CommandOutcome shell(const std::string& line) { return run({"sh", "-c", line}); }

    test::ScratchFolder folder_;
    services::HttpFiles files_{[] { return std::string("well\n"); }};
    services::Digest digest_;
    IperfTally iperf_;
};

#define NEEDS(program) \
    if (!is_installed(program)) GTEST_SKIP() << (program) << " is not installed"

TEST_F(Clients, curl_gets_a_pattern_over_http) {
    NEEDS("curl");
    pattern_file(megabyte, 9);
    const std::string file = folder_.path() / "got";
    const auto curl = run({"curl", "-sS", "-o", file, "http://10.77.0.2/pattern/9/1000000"});
    EXPECT_EQ(curl.status, 0) << curl.err;
    const std::string got = test::contents_of(file);
    services::Digest received;
    received.add({reinterpret_cast<const std::uint8_t*>(got.data()), got.size()});
    EXPECT_EQ(received, digest_);
}

TEST_F(Clients, curl_that_goes_away_in_the_middle_leaves_no_file_open) {
    NEEDS("curl");
    const auto curl = run({"curl", "-sS", "-m", "1", "-o", "/dev/null", "http://10.77.0.2/pattern/9/100000000"});
    EXPECT_EQ(curl.status, 28) << curl.err;  // its time-out
    EXPECT_TRUE(run_until([&] { return files_.open() == 0; }));
}

TEST_F(Clients, nc_sends_a_file_to_the_sink) {
    NEEDS("nc");
    const std::string file = pattern_file(megabyte, 5);
    const auto nc = shell("nc -N 10.77.0.2 5001 <'" + file + "'");
    EXPECT_EQ(nc.status, 0) << nc.err;
    EXPECT_EQ(nc.out, services::digest_line(digest_));
}

TEST_F(Clients, socat_sends_a_file_to_the_echo_and_gets_it_back) {
    NEEDS("socat");
    const std::string file = pattern_file(megabyte, 6);
    const auto socat = shell("socat -t 30 - TCP:10.77.0.2:7 <'" + file + "'");
    EXPECT_EQ(socat.status, 0) << socat.err;
    EXPECT_TRUE(socat.out == test::contents_of(file));
}

TEST_F(Clients, iperf_2_sends_on_four_connections) {
    NEEDS("iperf");
    const auto iperf = run({"iperf", "-c", "10.77.0.2", "-p", "5003", "-n", "256K", "-P", "4"});
    EXPECT_EQ(iperf.status, 0) << iperf.err;
    EXPECT_TRUE(run_until([&] { return iperf_.sessions == 4; }));
    EXPECT_EQ(iperf_.failure, "");
    EXPECT_GE(iperf_.octets, 4U * 256 * 1024);
}

// A bridge of its own between two namespaces: iperf3 has its own protocol on top.
TEST_F(Clients, iperf3_streams_cross_the_bridge_between_two_kernels) {
    NEEDS("iperf3");
    Netns far;
    std::string reason;
    ASSERT_TRUE(far.make_and_enter(reason)) << reason;
    Bridge bridge(loop_);
    BridgeOptions options;
    options.path.rate_bps = 20'000'000;
    options.path.one_way_delay = milliseconds(10);
    options.path.bit_error_rate = 1e-7;
    options.left = {.name = netns_.prefix() + "near0", .kernel_address = 0x0a4e0001};
    options.right = {.name = far.prefix() + "far0", .kernel_address = 0x0a4e0002};
    ASSERT_TRUE(bridge.open(options)) << bridge.error();
    RunningCommand server({"iperf3", "-s", "-1", "--forceflush"});
    ASSERT_TRUE(server.wait_until([&] { return server.out().find("listening") != std::string::npos; }));
    const NetnsScope scope(netns_.fd());
    const auto client = run({"iperf3", "-c", "10.78.0.2", "-n", "500K", "-P", "4"});
    EXPECT_EQ(client.status, 0) << client.out << client.err;
    EXPECT_THAT(client.out, HasSubstr("receiver"));
    EXPECT_GT(bridge.report(Bridge::left).counters.out.frames, 100U);
}

}  // namespace

}  // namespace lfn::interop
