// SPDX-License-Identifier: BSD-3-Clause
// The stack behind libslirp, and sockets of the same host: no privilege is needed for that.
#include "ports/slirp/slirp_host.hpp"

#include "ports/services/client.hpp"
#include "ports/services/server.hpp"
#include "tests/interop/kernel_socket.hpp"
#include "tests/interop/netns_fixture.hpp"

namespace lfn::interop {

namespace {

using services::Service;

constexpr std::uint32_t loopback = 0x7f000001;
constexpr std::uint16_t forwarded_port = 16101, host_port = 16102;
constexpr std::uint64_t octets = 4'000'000;

// In a namespace of its own where there can be one, so that no port is taken.
class SlirpTest : public InteropTest {
protected:
    void SetUp() override {
        settings_.receive_window = settings_.send_buffer = 1U << 20;
        std::string reason;
        if (!netns_.make_and_enter(reason)) GTEST_SKIP() << reason;
        ASSERT_TRUE(slirp_.open({.forwards = {{forwarded_port, 5001}, {forwarded_port + 10, 5002}}})) << slirp_.error();
        slirp_.port().set_capture(&capture());
        server_.emplace(slirp_.host());
        ASSERT_TRUE(server_->listen(Service::sink, 5001, settings_));
        ASSERT_TRUE(server_->listen(Service::source, 5002, settings_));
    }

    lfn_tcp_settings settings_{};
    SlirpHost slirp_{loop_};
    std::optional<services::Server> server_;
};

TEST_F(SlirpTest, host_sends_through_a_forwarded_port) {
    const auto socket = KernelSocket::connect(loop_, loopback, forwarded_port);
    socket->send_pattern(octets, 1);
    ASSERT_TRUE(run_until([&] { return socket->at_end(); })) << socket->error();
    EXPECT_EQ(socket->text(), services::digest_line(socket->sent()));
    EXPECT_EQ(socket->sent().octets(), octets);
}

TEST_F(SlirpTest, host_receives_through_a_forwarded_port) {
    const auto socket = KernelSocket::connect(loop_, loopback, forwarded_port + 10);
    socket->send_text(std::to_string(octets) + " 2\n");
    ASSERT_TRUE(run_until([&] { return socket->at_end(); })) << socket->error();
    services::Digest expected;
    std::vector<std::uint8_t> pattern(octets);
    services::Pattern(2).fill(0, pattern);
    expected.add(pattern);
    EXPECT_EQ(socket->received(), expected);
}

TEST_F(SlirpTest, guest_receives_from_the_host) {
    KernelListener listener(loop_, host_port);
    listener.on_accepted = [](KernelSocket& socket) { socket.send_pattern(octets, 3); };
    services::Get get(slirp_.host(), {}, octets, 3);
    ASSERT_TRUE(get.connect(slirp_host_address, host_port, settings_));
    ASSERT_TRUE(run_until([&] { return get.over(); }));
    EXPECT_EQ(get.failure(), "");
    EXPECT_TRUE(get.complete());
}

TEST_F(SlirpTest, guest_sends_to_the_host) {
    KernelListener listener(loop_, host_port);
    services::PatternPayload payload(octets, 4);
    services::Put put(slirp_.host(), {}, payload);
    ASSERT_TRUE(put.connect(slirp_host_address, host_port, settings_));
    ASSERT_TRUE(run_until([&] { return !listener.accepted.empty() && listener.accepted[0]->at_end(); }));
    listener.accepted[0]->send_text(services::digest_line(listener.accepted[0]->received()), true);
    ASSERT_TRUE(run_until([&] { return put.over(); }));
    EXPECT_EQ(put.failure(), "");
    EXPECT_TRUE(put.confirmed());
}

TEST_F(SlirpTest, a_port_of_the_host_that_is_taken_is_named) {
    SlirpHost second(loop_);
    EXPECT_FALSE(second.open({.forwards = {{forwarded_port, 5001}}}));
    EXPECT_THAT(second.error(), testing::AllOf(testing::HasSubstr("16101"), testing::HasSubstr("give another one")));
}

}  // namespace

}  // namespace lfn::interop
