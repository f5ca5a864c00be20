// SPDX-License-Identifier: BSD-3-Clause
// The extension by the names of the sockets API: setsockopt(), getsockopt(), and a connection that has it all.
#include <gtest/gtest.h>
#include <lwip/netdb.h>
#include <lwip/sockets.h>
#include <lwip/tcpip.h>

#include <lwip/priv/tcp_priv.h>

#include <cerrno>
#include <cstdint>
#include <future>
#include <optional>
#include <thread>
#include <vector>

#include "lfn/big_window.h"
#include "lfn/nak_receiver.h"
#include "lfn/tcp.h"
#include "lfn/tcp_options.h"

namespace {

// More than 64 KB, and fewer segments than a mailbox of the unix port holds: what does not fit there is dropped.
constexpr int kWindow = 150'000;

void start_stack_once() {
    static const bool started = [] {
        std::promise<void> ready;
        tcpip_init(
            [](void* promise) {
                lfn_tcp_init();
                static_cast<std::promise<void>*>(promise)->set_value();
            },
            &ready);
        ready.get_future().wait();
        return true;
    }();
    (void)started;
}

// A socket, closed at the end.
class Socket {
public:
    explicit Socket(int type = SOCK_STREAM) : fd_(lwip_socket(AF_INET, type, 0)) { EXPECT_GE(fd_, 0); }
    explicit Socket(std::optional<int> accepted) : fd_(accepted.value_or(-1)) {}
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;
    ~Socket() { lwip_close(fd_); }

    int fd() const { return fd_; }
    // 0 or an errno.
    int set(int option, int value) const {
        return lwip_setsockopt(fd_, IPPROTO_TCP, option, &value, sizeof value) == 0 ? 0 : errno;
    }
    std::optional<int> get(int option) const {
        int value = -1;
        socklen_t length = sizeof value;
        if (lwip_getsockopt(fd_, IPPROTO_TCP, option, &value, &length) != 0 || length != sizeof value) return {};
        return value;
    }

private:
    int fd_;
};

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = lwip_htons(port);
    address.sin_addr.s_addr = PP_HTONL(INADDR_LOOPBACK);
    return address;
}

class Sockets : public ::testing::Test {
protected:
    Sockets() { start_stack_once(); }

    static void choose(const Socket& socket) {
        EXPECT_EQ(socket.set(LFN_TCP_BIG_WINDOW, 1), 0);
        EXPECT_EQ(socket.set(LFN_TCP_RECEIVE_WINDOW, kWindow), 0);
        EXPECT_EQ(socket.set(LFN_TCP_SEND_BUFFER, kWindow), 0);
        EXPECT_EQ(socket.set(LFN_TCP_NAK, LFN_NAK_EVERY_GAP), 0);
    }

    static void listen_on(const Socket& socket, std::uint16_t port) {
        const sockaddr_in address = loopback(port);
        ASSERT_EQ(lwip_bind(socket.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        ASSERT_EQ(lwip_listen(socket.fd(), 1), 0);
    }

    static int connect_to(const Socket& socket, std::uint16_t port) {
        const sockaddr_in address = loopback(port);
        return lwip_connect(socket.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
    }

    // Of the connection whose remote port is this.
    static lfn_tcp_info info_of(std::uint16_t remote_port) {
        lfn_tcp_info info{};
        LOCK_TCPIP_CORE();
        for (tcp_pcb* pcb = tcp_active_pcbs; pcb != nullptr; pcb = pcb->next) {
            if (pcb->remote_port != remote_port) continue;
            EXPECT_EQ(lfn_tcp_get_info(pcb, &info), ERR_OK);
        }
        UNLOCK_TCPIP_CORE();
        return info;
    }
};

TEST_F(Sockets, options_have_names_and_their_values_are_read_back) {
    const Socket socket;
    EXPECT_EQ(socket.get(LFN_TCP_NAK), LFN_NAK_OFF);
    EXPECT_EQ(socket.set(LFN_TCP_NAK, LFN_NAK_LEFT_EDGE), 0);
    EXPECT_EQ(socket.get(LFN_TCP_NAK), LFN_NAK_LEFT_EDGE);
    EXPECT_EQ(socket.set(LFN_TCP_RECEIVE_WINDOW, 1 << 30), 0);
    EXPECT_EQ(socket.get(LFN_TCP_RECEIVE_WINDOW), 1 << 30);
    EXPECT_EQ(socket.get(LFN_TCP_EXID), 0x1106);
}

TEST_F(Sockets, values_out_of_range_are_invalid) {
    const Socket socket;
    EXPECT_EQ(socket.set(LFN_TCP_NAK, 3), EINVAL);
    EXPECT_EQ(socket.set(LFN_TCP_RECEIVE_WINDOW, (1 << 30) + 1), EINVAL);
    EXPECT_EQ(socket.get(LFN_TCP_NAK), LFN_NAK_OFF);
}

TEST_F(Sockets, values_that_are_no_ints_are_invalid) {
    const Socket socket;
    const char small = 1;
    EXPECT_EQ(lwip_setsockopt(socket.fd(), IPPROTO_TCP, LFN_TCP_NAK, &small, sizeof small), -1);
    EXPECT_EQ(errno, EINVAL);
    char place = 0;
    socklen_t length = sizeof place;
    EXPECT_EQ(lwip_getsockopt(socket.fd(), IPPROTO_TCP, LFN_TCP_NAK, &place, &length), -1);
    EXPECT_EQ(errno, EINVAL);
}

TEST_F(Sockets, options_of_tcp_are_none_of_udp) {
    const Socket socket(SOCK_DGRAM);
    EXPECT_EQ(socket.set(LFN_TCP_NAK, 1), EINVAL);
    EXPECT_FALSE(socket.get(LFN_TCP_NAK));
}

TEST_F(Sockets, other_options_still_go_to_lwip) {
    const Socket socket;
    EXPECT_EQ(socket.set(TCP_NODELAY, 1), 0);
    EXPECT_TRUE(socket.get(TCP_NODELAY).value_or(0) != 0);
    EXPECT_NE(socket.set(0x1105, 1), 0);
}

TEST_F(Sockets, connection_over_loopback_agrees_on_big_window_and_nak) {
    const Socket listening;
    choose(listening);
    listen_on(listening, 5001);
    EXPECT_EQ(listening.get(LFN_TCP_BIG_WINDOW), 1) << "on a listening socket too";
    const Socket client;
    choose(client);
    ASSERT_EQ(connect_to(client, 5001), 0);
    const Socket server(std::optional(lwip_accept(listening.fd(), nullptr, nullptr)));
    ASSERT_GE(server.fd(), 0);
    EXPECT_EQ(server.get(LFN_TCP_RECEIVE_WINDOW), kWindow) << "inherited";
    EXPECT_EQ(client.set(LFN_TCP_BIG_WINDOW, 0), EISCONN);
    EXPECT_EQ(client.set(LFN_TCP_DUP_ACKS, LFN_DUP_ACKS_OFF), 0);

    std::vector<std::uint8_t> sent(2'000'000);
    for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = static_cast<std::uint8_t>(i * 2654435761U >> 24);
    std::thread writer(
        [&] { EXPECT_EQ(lwip_write(client.fd(), sent.data(), sent.size()), static_cast<ssize_t>(sent.size())); });
    std::vector<std::uint8_t> received(sent.size());
    std::size_t at = 0;
    while (at < received.size()) {
        const ssize_t n = lwip_read(server.fd(), received.data() + at, received.size() - at);
        if (n <= 0) break;
        at += static_cast<std::size_t>(n);
    }
    writer.join();
    EXPECT_TRUE(received == sent);

    const lfn_tcp_info info = info_of(5001);
    EXPECT_EQ(info.window_rule, LFN_WINDOW_BC);
    EXPECT_TRUE(info.nak_agreed);
}

TEST_F(Sockets, connection_to_a_plain_listener_falls_back) {
    const Socket listening;
    listen_on(listening, 5002);
    const Socket client;
    choose(client);
    ASSERT_EQ(connect_to(client, 5002), 0);
    const Socket server(std::optional(lwip_accept(listening.fd(), nullptr, nullptr)));
    const char text[] = "plain";
    char read[sizeof text] = {};
    ASSERT_EQ(lwip_write(client.fd(), text, sizeof text), static_cast<ssize_t>(sizeof text));
    ASSERT_EQ(lwip_read(server.fd(), read, sizeof read), static_cast<ssize_t>(sizeof read));
    EXPECT_STREQ(read, text);
    EXPECT_EQ(info_of(5002).window_rule, LFN_WINDOW_RFC7323);
}

}  // namespace
