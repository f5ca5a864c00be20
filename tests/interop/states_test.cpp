// SPDX-License-Identifier: BSD-3-Clause
// A connection's states: both ends at once, and RST in each.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <ostream>

#include "tests/interop/path_fixture.hpp"
#include "tests/interop/segment_view.hpp"

namespace lfn::interop {

namespace {

using testing::ElementsAre;

constexpr Duration one_way = milliseconds(20);

// A connection that does only what it is told.
class Plain final : public services::Session {
public:
    using Session::Session;
    void begin_close() {
        host().with_stack([this](const lfn_stack&) { finish(); });
    }
    void end_close() {
        host().with_stack([this](const lfn_stack&) { close(); });
    }
    bool is_connected() const { return connected_; }
    bool peer_is_closed() const { return peer_closed_; }

private:
    void on_connected() override { connected_ = true; }
    void on_received(std::span<const std::uint8_t>) override {}
    void on_peer_closed() override { peer_closed_ = true; }

    bool connected_ = false, peer_closed_ = false;
};

// The path is watched in both directions, and can be cut in one.
class States : public PathTest {
protected:
    void SetUp() override {
        InteropTest::SetUp();
        if (IsSkipped()) return;
        open_path(Left::kernel, one_way);
        edit(Bridge::left, [this](Frame& frame) { return pass(frame, from_left_); });
        edit(Bridge::right, [this](Frame& frame) {
            const bool passes = pass(frame, from_right_);
            return passes && !(cut_right_ && SegmentView::of(frame.octets()));
        });
    }
    void TearDown() override {
        plain_.reset();
        PathTest::TearDown();
    }
    static bool pass(Frame& frame, Wiretap& tap) {
        tap.see(frame.octets());
        return true;
    }

    // The stack connects to a listener of the kernel, which accepts.
    void connect() {
        listener_ = std::make_unique<KernelListener>(loop_, kernel_port);
        plain_ = std::make_unique<Plain>(right(), Callback());
        ASSERT_TRUE(plain_->connect(left_address, kernel_port, settings()));
        ASSERT_TRUE(run_until([&] { return plain_->is_connected() && listener_->accepted.size() == 1; }));
    }
    KernelSocket& kernel() { return *listener_->accepted[0]; }
    void settle() { loop_.run_for(4 * one_way); }
    // From the kernel's side, where the stack expects the next octet.
    void inject_rst() { inject(Bridge::left, from_left_.rst(from_right_.ack(), from_right_.seq_next())); }

    Wiretap from_left_, from_right_;
    bool cut_right_ = false;
    std::unique_ptr<KernelListener> listener_;
    std::unique_ptr<Plain> plain_;
};

TEST_F(States, both_ends_close_at_the_same_moment) {
    connect();
    ASSERT_FALSE(HasFatalFailure());
    settle();
    plain_->begin_close();
    kernel().send_text("", true);
    ASSERT_TRUE(run_until([&] { return plain_->peer_is_closed() && kernel().at_end(); }));
    plain_->end_close();
    settle();
    EXPECT_EQ(plain_->failure(), "");
    EXPECT_EQ(kernel().error(), 0);
}

// Linux answers a SYN that crosses its own with SYN-ACK (RFC 9293 3.5), which completes the stack's connection.
TEST_F(States, both_ends_open_at_the_same_moment) {
    plain_ = std::make_unique<Plain>(right(), Callback());
    lfn_tcp_settings tcp = settings();
    tcp.timestamps = true;  // Linux offers them in its SYN-ACK whether the SYN that it crossed had them or not
    ASSERT_TRUE(plain_->connect(left_address, kernel_port, tcp));
    // ARP first; then the SYN is on the way, and its port known.
    ASSERT_TRUE(run_until([&] { return from_right_.seen(); }));
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    sockaddr_in own{}, peer{};
    own.sin_family = peer.sin_family = AF_INET;
    own.sin_port = htons(kernel_port);
    peer.sin_port = htons(from_right_.source_port());
    peer.sin_addr.s_addr = htonl(right_address);
    ASSERT_EQ(bind(fd, reinterpret_cast<const sockaddr*>(&own), sizeof(own)), 0);
    ASSERT_EQ(::connect(fd, reinterpret_cast<const sockaddr*>(&peer), sizeof(peer)), -1);
    KernelSocket socket(loop_, fd);
    socket.send_text("both", true);
    ASSERT_TRUE(run_until([&] { return plain_->peer_is_closed(); })) << plain_->failure();
    EXPECT_EQ(plain_->octets_received(), 4U);
    EXPECT_EQ(plain_->failure(), "");
    plain_->end_close();
    EXPECT_TRUE(run_until([&] { return socket.at_end(); }));
}

// ---- RST in each state ----

TEST_F(States, rst_in_syn_sent_refuses) {
    cut_right_ = true;
    plain_ = std::make_unique<Plain>(right(), Callback());
    ASSERT_TRUE(plain_->connect(left_address, kernel_port, settings()));
    ASSERT_TRUE(run_until([&] { return from_right_.seen(); }));
    inject(Bridge::left, from_right_.rst_in_return(0, from_right_.seq_next()));
    ASSERT_TRUE(run_until([&] { return plain_->over(); }));
    EXPECT_EQ(plain_->failure(), "reset by peer");
}

TEST_F(States, rst_in_syn_received_returns_to_listening) {
    serve(settings());
    cut_right_ = true;
    const auto socket = KernelSocket::connect(loop_, right_address, echo_port);
    ASSERT_TRUE(run_until([&] { return from_right_.seen() && from_right_.flags() == (tcp_syn | tcp_ack); }));
    inject_rst();
    settle();
    cut_right_ = false;
    const auto second = KernelSocket::connect(loop_, right_address, echo_port);
    second->send_text("again", true);
    ASSERT_TRUE(run_until([&] { return second->at_end(); }));
    EXPECT_EQ(second->text(), "again");
}

// A host that ends while a connection is half made gives back everything once.
TEST_F(States, host_ends_in_syn_received) {
    serve(settings());
    cut_right_ = true;
    const auto socket = KernelSocket::connect(loop_, right_address, echo_port);
    ASSERT_TRUE(run_until([&] { return from_right_.seen() && from_right_.flags() == (tcp_syn | tcp_ack); }));
    server_.reset();
    bridge_.reset();
    right_.reset();  // the sanitizer looks on
    SUCCEED();
}

TEST_F(States, rst_in_established_resets) {
    connect();
    ASSERT_FALSE(HasFatalFailure());
    settle();
    inject_rst();
    ASSERT_TRUE(run_until([&] { return plain_->over(); }));
    EXPECT_EQ(plain_->failure(), "reset by peer");
}

TEST_F(States, rst_in_fin_wait_1_resets) {
    connect();
    ASSERT_FALSE(HasFatalFailure());
    settle();
    cut_right_ = true;
    plain_->begin_close();
    settle();
    inject_rst();
    ASSERT_TRUE(run_until([&] { return plain_->over(); }));
    EXPECT_EQ(plain_->failure(), "reset by peer");
}

TEST_F(States, rst_in_fin_wait_2_resets) {
    connect();
    ASSERT_FALSE(HasFatalFailure());
    plain_->begin_close();
    ASSERT_TRUE(run_until([&] { return kernel().at_end(); }));
    settle();
    inject_rst();
    ASSERT_TRUE(run_until([&] { return plain_->over(); }));
    EXPECT_EQ(plain_->failure(), "reset by peer");
}

TEST_F(States, rst_in_close_wait_resets) {
    connect();
    ASSERT_FALSE(HasFatalFailure());
    kernel().send_text("", true);
    ASSERT_TRUE(run_until([&] { return plain_->peer_is_closed(); }));
    settle();
    inject_rst();
    ASSERT_TRUE(run_until([&] { return plain_->over(); }));
    EXPECT_EQ(plain_->failure(), "reset by peer");
}

// From here on the application has let the connection go: all that is left to see is that the stack has, too.
class Closing : public States {
protected:
    void expect_memory_back() {
        EXPECT_TRUE(run_until([&] { return memory() <= idle_; }, seconds(3))) << memory() << " of " << idle_;
    }
    std::uint64_t memory() {
        return right().with_stack([](const lfn_stack& stack) { return stack.memory_held(); });
    }
    void connect() {
        // One connection before, so that what the stack keeps of the peer (ARP) is there.
        States::connect();
        ASSERT_FALSE(HasFatalFailure());
        kernel().reset();
        ASSERT_TRUE(run_until([&] { return plain_->over(); }));
        plain_.reset();
        settle();
        idle_ = memory();
        listener_.reset();
        States::connect();
    }

    std::uint64_t idle_ = 0;
};

TEST_F(Closing, rst_in_closing_frees) {
    connect();
    ASSERT_FALSE(HasFatalFailure());
    settle();
    cut_right_ = true;  // the kernel never sees the stack's FIN, so it does not acknowledge it
    plain_->begin_close();
    kernel().send_text("", true);
    ASSERT_TRUE(run_until([&] { return plain_->peer_is_closed(); }));
    plain_->end_close();
    settle();
    EXPECT_GT(memory(), idle_);
    inject_rst();
    expect_memory_back();
}

TEST_F(Closing, rst_in_last_ack_frees) {
    connect();
    ASSERT_FALSE(HasFatalFailure());
    kernel().send_text("", true);
    ASSERT_TRUE(run_until([&] { return plain_->peer_is_closed(); }));
    settle();
    cut_right_ = true;
    plain_->end_close();
    settle();
    EXPECT_GT(memory(), idle_);
    inject_rst();
    expect_memory_back();
}

// RFC 1337: RST does not end TIME-WAIT early; and does no harm.
TEST_F(Closing, rst_in_time_wait_does_no_harm) {
    connect();
    ASSERT_FALSE(HasFatalFailure());
    plain_->begin_close();
    ASSERT_TRUE(run_until([&] { return kernel().at_end(); }));
    kernel().close();
    ASSERT_TRUE(run_until([&] { return plain_->peer_is_closed(); }));
    plain_->end_close();
    settle();
    inject_rst();
    settle();
    serve(settings());
    const auto socket = KernelSocket::connect(loop_, right_address, echo_port);
    socket->send_text("well", true);
    ASSERT_TRUE(run_until([&] { return socket->at_end(); }));
    EXPECT_EQ(socket->text(), "well");
}

// ---- peers that do nothing ----

TEST_F(States, keepalive_of_the_kernel_is_answered_for_as_long_as_the_path_is_there) {
    serve(settings());
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const int on = 1, seconds_each = 1, probes = 2;
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &seconds_each, sizeof(seconds_each));
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &seconds_each, sizeof(seconds_each));
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof(probes));
    sockaddr_in peer{};
    peer.sin_family = AF_INET;
    peer.sin_port = htons(echo_port);
    peer.sin_addr.s_addr = htonl(right_address);
    ::connect(fd, reinterpret_cast<const sockaddr*>(&peer), sizeof(peer));
    KernelSocket socket(loop_, fd);
    loop_.run_for(seconds(5));  // longer than it takes to give up
    EXPECT_EQ(socket.error(), 0);
    socket.send_text("there");
    ASSERT_TRUE(run_until([&] { return socket.text() == "there"; }));
    cut_right_ = true;
    EXPECT_TRUE(run_until([&] { return socket.error() == ETIMEDOUT; }));
}

TEST_F(States, keepalive_of_ours_is_answered_by_the_kernel_for_as_long_as_the_path_is_there) {
    lfn_tcp_settings tcp = settings();
    tcp.keepalive_s = 1;
    listener_ = std::make_unique<KernelListener>(loop_, kernel_port);
    plain_ = std::make_unique<Plain>(right(), Callback());
    ASSERT_TRUE(plain_->connect(left_address, kernel_port, tcp));
    ASSERT_TRUE(run_until([&] { return plain_->is_connected() && listener_->accepted.size() == 1; }));
    loop_.run_for(seconds(13));  // longer than it takes to give up
    EXPECT_EQ(plain_->failure(), "");
    cut_right_ = true;
    EXPECT_TRUE(run_until([&] { return plain_->failure() == "timed out"; }));
}

TEST_F(States, a_peer_that_never_reads_holds_up_nobody_else) {
    serve(settings());
    const auto lazy = KernelSocket::connect(loop_, right_address, chargen_port, 4096);
    lazy->pause_reading();
    loop_.run_for(milliseconds(500));
    const std::uint64_t held = right().with_stack([](const lfn_stack& stack) { return stack.memory_held(); });
    const auto other = KernelSocket::connect(loop_, right_address, sink_port);
    other->send_pattern(megabyte, 1);
    ASSERT_TRUE(run_until([&] { return other->at_end(); }));
    EXPECT_EQ(other->text(), services::digest_line(other->sent()));
    loop_.run_for(milliseconds(1500));
    EXPECT_LE(right().with_stack([](const lfn_stack& stack) { return stack.memory_held(); }), held + 100 * kilobyte);
    EXPECT_EQ(server_->sessions(), 1U);
    lazy->reset();
    EXPECT_TRUE(nothing_left());
}

}  // namespace

}  // namespace lfn::interop
