// SPDX-License-Identifier: BSD-3-Clause
// --slirp: an ordinary user's `lfn`, and programs of the same machine.
#include <csignal>

#include "tests/interop/command_fixture.hpp"

namespace lfn::interop {

namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::uint64_t megabyte = 1'000'000;
constexpr std::uint16_t host_port = 16112;

// A namespace only keeps the ports free; where there is none, the host's own are used.
class SlirpCommand : public CommandTest {
protected:
    void SetUp() override {
        std::string reason;
        if (!netns_.make_and_enter(reason)) GTEST_SKIP() << reason;
        if (const std::string why = why_not_as_nobody(); geteuid() == 0 && !why.empty()) GTEST_SKIP() << why;
        if (!is_installed("curl")) GTEST_SKIP() << "curl is not installed";
    }
    static std::vector<std::string> as_user(const std::vector<std::string>& arguments) {
        return geteuid() == 0 ? as_nobody(lfn_with(arguments)) : lfn_with(arguments);
    }
    // The head of an HTTP answer, then a pattern.
    void serve_http(KernelListener& listener, std::uint64_t announced, std::uint64_t sent, std::uint64_t seed) {
        listener.on_accepted = [=](KernelSocket& socket) {
            socket.send_head_and_pattern("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(announced) + "\r\n\r\n",
                                         sent, seed);
        };
    }
    const std::string url_ = "http://10.0.2.2:" + std::to_string(host_port) + "/file";
};

TEST_F(SlirpCommand, server_of_an_ordinary_user_is_reached_by_curl_through_a_forwarded_port) {
    RunningCommand serve(as_user({"serve", "--slirp", "--forward", "18080:80"}));
    ASSERT_TRUE(is_ready(serve)) << serve.err();
    EXPECT_THAT(serve.err(), HasSubstr("10.0.2.15 on slirp"));
    const std::string file = folder_.path() / "file";
    const auto curl = RunningCommand({"curl", "-sS", "-o", file, "http://127.0.0.1:18080/pattern/3/2000000"}).wait();
    EXPECT_EQ(curl.status, 0) << curl.err;
    EXPECT_EQ(digest_of_file(file), digest_of_pattern(2 * megabyte, 3));
    serve.signal(SIGINT);
    const auto outcome = serve.wait();
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("http     1 connections"), HasSubstr("slirp: ")));
}

TEST_F(SlirpCommand, get_of_a_file_from_a_server_on_the_host_has_its_digest) {
    KernelListener listener(loop_, host_port);
    serve_http(listener, megabyte, megabyte, 4);
    const test::ScratchFolder mine;
    std::filesystem::permissions(mine.path(), std::filesystem::perms::all);
    const std::string file = mine.path() / "file";
    RunningCommand get(as_user({"get", url_, "--slirp", "--output", file, "--digest", digest_of_pattern(megabyte, 4)}));
    const auto outcome = finish(get);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(digest_of_file(file), digest_of_pattern(megabyte, 4));
    EXPECT_THAT(outcome.out, HasSubstr("equal to the one that was given"));
    EXPECT_THAT(listener.accepted.at(0)->text(),
                AllOf(HasSubstr("GET /file HTTP/1.0\r\n"), HasSubstr("Host: 10.0.2.2:16112")));
}

TEST_F(SlirpCommand, clients_that_leave_early_do_not_end_the_server) {
    RunningCommand serve(as_user({"serve", "--slirp", "--forward", "18080:80"}));
    ASSERT_TRUE(is_ready(serve)) << serve.err();
    const std::string hasty =
        "for i in 1 2 3 4 5 6; do curl -s http://127.0.0.1:18080/pattern/7/1000000000 | head -c 100 >/dev/null; done";
    RunningCommand({"sh", "-c", hasty}).wait();
    const std::string file = folder_.path() / "file";
    const auto curl = RunningCommand({"curl", "-sS", "-o", file, "http://127.0.0.1:18080/pattern/3/1000000"}).wait();
    EXPECT_EQ(curl.status, 0) << curl.err;
    EXPECT_EQ(digest_of_file(file), digest_of_pattern(megabyte, 3));
    serve.signal(SIGINT);
    EXPECT_EQ(serve.wait().status, 0);
}

TEST_F(SlirpCommand, get_refuses_what_comes_in_chunks) {
    KernelListener listener(loop_, host_port);
    listener.on_accepted = [](KernelSocket& socket) {
        socket.send_head_and_pattern("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", 1000, 1);
    };
    RunningCommand get(as_user({"get", url_, "--slirp"}));
    const auto outcome = finish(get);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, HasSubstr("chunks"));
}

TEST_F(SlirpCommand, put_of_a_standard_input_that_is_closed_says_so_at_once) {
    KernelListener listener(loop_, host_port);
    std::string line;
    const std::string peer = "10.0.2.2:" + std::to_string(host_port);
    for (const std::string& word : as_user({"put", peer, "--slirp", "--file", "-"})) line += "'" + word + "' ";
    RunningCommand put({"sh", "-c", line + "<&-"});
    const auto outcome = finish(put);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr("the standard input cannot be read"));
}

TEST_F(SlirpCommand, get_tells_that_the_digest_differs) {
    KernelListener listener(loop_, host_port);
    serve_http(listener, megabyte, megabyte, 4);
    RunningCommand get(as_user({"get", url_, "--slirp", "--digest", digest_of_pattern(megabyte, 5)}));
    const auto outcome = finish(get);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, HasSubstr("what came differs"));
    EXPECT_THAT(outcome.out, HasSubstr("differs from the one that was given"));
}

TEST_F(SlirpCommand, get_tells_that_a_file_is_cut) {
    KernelListener listener(loop_, host_port);
    serve_http(listener, 2 * megabyte, megabyte, 4);
    RunningCommand get(as_user({"get", url_, "--slirp"}));
    const auto outcome = finish(get);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, HasSubstr("the server closed before it had sent everything"));
}

TEST_F(SlirpCommand, get_tells_what_the_server_answers) {
    KernelListener listener(loop_, host_port);
    listener.on_accepted = [](KernelSocket& socket) { socket.send_text("HTTP/1.1 404 Not Found\r\n\r\n", true); };
    RunningCommand get(as_user({"get", url_, "--slirp"}));
    const auto outcome = finish(get);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, HasSubstr("the server answers 404 Not Found"));
}

TEST_F(SlirpCommand, a_forwarded_port_that_is_in_use_is_named) {
    KernelListener holder(loop_, host_port);
    const auto outcome =
        RunningCommand(as_user({"serve", "--slirp", "--forward", std::to_string(host_port) + ":80"})).wait();
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.err, "lfn serve: port 16112 of the host: Address already in use; give another one\n");
}

}  // namespace

}  // namespace lfn::interop
