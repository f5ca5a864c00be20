// SPDX-License-Identifier: BSD-3-Clause
#include "tests/interop/kernel_socket.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace lfn::interop {

namespace {

constexpr std::size_t piece_octets = 65536;
constexpr std::size_t text_octets_max = 256;

struct SocketAddress {
    sockaddr_storage storage{};
    socklen_t size = 0;
    const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
};

SocketAddress socket_address(const IpAddress& address, std::uint16_t port) {
    SocketAddress result;
    if (address.is_ipv6) {
        auto& ipv6 = reinterpret_cast<sockaddr_in6&>(result.storage);
        ipv6.sin6_family = AF_INET6;
        std::copy(address.ipv6.begin(), address.ipv6.end(), ipv6.sin6_addr.s6_addr);
        ipv6.sin6_port = htons(port);
        result.size = sizeof(ipv6);
    } else {
        auto& ipv4 = reinterpret_cast<sockaddr_in&>(result.storage);
        ipv4.sin_family = AF_INET;
        ipv4.sin_addr.s_addr = htonl(address.ipv4);
        ipv4.sin_port = htons(port);
        result.size = sizeof(ipv4);
    }
    return result;
}

int make_socket(bool ipv6, int receive_buffer) {
    const int fd = socket(ipv6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const int on = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (receive_buffer > 0) setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof(receive_buffer));
    return fd;
}

class TextPayload final : public services::Payload {
public:
    explicit TextPayload(const std::string& text) : text_(text) {}
    std::size_t read(std::span<std::uint8_t> octets) override {
        const std::size_t count = std::min(octets.size(), text_.size() - at_);
        std::copy_n(text_.begin() + static_cast<std::ptrdiff_t>(at_), count, octets.begin());
        at_ += count;
        return count;
    }
    std::optional<std::uint64_t> size() const override { return text_.size(); }

private:
    std::string text_;
    std::size_t at_ = 0;
};

}  // namespace

KernelSocket::KernelSocket(RealtimeLoop& loop, int fd)
    : fd_(fd), watch_(loop, Callback::bind<&KernelSocket::on_ready>(*this)) {
    watch();
}

std::unique_ptr<KernelSocket> KernelSocket::connect(RealtimeLoop& loop, const IpAddress& address, std::uint16_t port,
                                                    int receive_buffer) {
    const int fd = make_socket(address.is_ipv6, receive_buffer);
    const SocketAddress peer = socket_address(address, port);
    const int result = ::connect(fd, peer.get(), peer.size);
    auto made = std::make_unique<KernelSocket>(loop, fd);
    if (result != 0 && errno != EINPROGRESS) made->fail(errno);
    return made;
}

void KernelSocket::send_text(const std::string& text, bool finish) {
    payload_ = std::make_unique<TextPayload>(text);
    finish_ = finish;
    watch();
}

void KernelSocket::send_pattern(std::uint64_t octets, std::uint64_t seed, bool finish) {
    payload_ = std::make_unique<services::PatternPayload>(octets, seed);
    finish_ = finish;
    watch();
}

void KernelSocket::send_head_and_pattern(const std::string& head, std::uint64_t octets, std::uint64_t seed) {
    piece_.assign(head.begin(), head.end());
    piece_at_ = 0;
    sent_.add(piece_);
    send_pattern(octets, seed);
}

void KernelSocket::pause_reading() {
    paused_ = true;
    watch();
}

void KernelSocket::resume_reading() {
    paused_ = false;
    watch();
}

void KernelSocket::reset() {
    const linger at_once{1, 0};
    setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
    close();
}

void KernelSocket::close() {
    watch_.clear();
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
}

void KernelSocket::watch() {
    if (fd_ < 0) return;
    const bool read = !paused_ && !at_end_;
    const bool write = payload_ != nullptr || !piece_.empty();
    // With nothing to wait for, a hang-up would be told for ever.
    if (!read && !write) return watch_.clear();
    watch_.set(fd_, static_cast<short>((read ? POLLIN : 0) | (write ? POLLOUT : 0)));
}

void KernelSocket::fail(int error) {
    error_ = error;
    payload_.reset();
    piece_.clear();
    close();
}

void KernelSocket::on_ready() {
    if (payload_ != nullptr && (watch_.ready() & (POLLOUT | POLLERR)) != 0) send();
    if (fd_ >= 0 && !paused_ && !at_end_ && (watch_.ready() & (POLLIN | POLLHUP | POLLERR)) != 0) receive();
    watch();
}

void KernelSocket::send() {
    for (int turns = 0; turns < 16; ++turns) {
        if (piece_at_ == piece_.size()) {
            piece_.resize(piece_octets);
            piece_.resize(payload_->read(piece_));
            piece_at_ = 0;
            sent_.add(piece_);
        }
        if (piece_.empty()) {
            payload_.reset();
            if (finish_) shutdown(fd_, SHUT_WR);
            return;
        }
        const ssize_t taken = ::send(fd_, piece_.data() + piece_at_, piece_.size() - piece_at_, MSG_NOSIGNAL);
        if (taken < 0 && (errno == EAGAIN || errno == ENOTCONN)) return;
        if (taken < 0) return fail(errno);
        piece_at_ += static_cast<std::size_t>(taken);
    }
}

void KernelSocket::receive() {
    std::array<std::uint8_t, piece_octets> octets;
    for (int turns = 0; turns < 16; ++turns) {
        const ssize_t count = recv(fd_, octets.data(), octets.size(), 0);
        if (count < 0 && (errno == EAGAIN || errno == ENOTCONN)) return;
        if (count < 0) return fail(errno);
        if (count == 0) {
            at_end_ = true;
            return;
        }
        const auto length = static_cast<std::size_t>(count);
        received_.add({octets.data(), length});
        text_.append(reinterpret_cast<const char*>(octets.data()), std::min(length, text_octets_max - text_.size()));
    }
}

KernelListener::KernelListener(RealtimeLoop& loop, std::uint16_t port, int receive_buffer)
    : loop_(loop), watch_(loop, Callback::bind<&KernelListener::on_ready>(*this)) {
    if (!listen_on(Ipv6Address{}, port, receive_buffer)) listen_on(INADDR_ANY, port, receive_buffer);
    watch_.set(fd_, POLLIN);
}

// A socket of IPv6 takes connections over IPv4, too (V6ONLY is off).
bool KernelListener::listen_on(const IpAddress& own, std::uint16_t port, int receive_buffer) {
    fd_ = make_socket(own.is_ipv6, receive_buffer);
    const int off = 0;
    setsockopt(fd_, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
    const SocketAddress address = socket_address(own, port);
    if (fd_ >= 0 && bind(fd_, address.get(), address.size) == 0 && listen(fd_, 64) == 0) return true;
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
    return false;
}

KernelListener::~KernelListener() {
    if (fd_ >= 0) close(fd_);
}

void KernelListener::on_ready() {
    for (;;) {
        const int fd = accept4(fd_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) return;
        accepted.push_back(std::make_unique<KernelSocket>(loop_, fd));
        if (on_accepted) on_accepted(*accepted.back());
    }
}

}  // namespace lfn::interop
