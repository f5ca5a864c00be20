// SPDX-License-Identifier: BSD-3-Clause
#include "ports/compare/kernel_ends.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <utility>

#include "ports/compare/private_netns.hpp"
#include "ports/realtime/netns.hpp"
#include "ports/services/service_sessions.hpp"

namespace lfn::compare {

namespace {

constexpr std::size_t piece_octets = 65536;
constexpr std::size_t answer_octets_max = 256;

sockaddr_in internet_address(std::uint32_t address, std::uint16_t port) {
    sockaddr_in result{};
    result.sin_family = AF_INET;
    result.sin_addr.s_addr = htonl(address);
    result.sin_port = htons(port);
    return result;
}

int make_socket(int netns) {
    const NetnsScope scope(netns);
    return socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

bool has_to_wait(int error) {
    return error == EAGAIN || error == EINTR || error == ENOTCONN;
}

}  // namespace

std::vector<std::string> congestion_controls() {
    std::istringstream names(read_proc("/proc/sys/net/ipv4/tcp_available_congestion_control"));
    std::vector<std::string> list;
    for (std::string name; names >> name;) list.push_back(name);
    return list;
}

// ---- sends ----

KernelSender::KernelSender(RealtimeLoop& loop, int netns, std::string control, std::uint64_t octets, std::uint64_t seed)
    : netns_(netns),
      control_(std::move(control)),
      payload_(octets, seed),
      watch_(loop, Callback::bind<&KernelSender::on_ready>(*this)) {}

KernelSender::~KernelSender() {
    watch_.clear();
    if (fd_ >= 0) close(fd_);
}

bool KernelSender::fail(const std::string& doing, int error) {
    failure_ = "kernel: " + doing + ": " + std::strerror(error);
    over_ = true;
    watch_.clear();
    return false;
}

bool KernelSender::start(std::uint32_t address, std::uint16_t port) {
    fd_ = make_socket(netns_);
    if (fd_ < 0) return fail("socket", errno);
    if (setsockopt(fd_, IPPROTO_TCP, TCP_CONGESTION, control_.data(), static_cast<socklen_t>(control_.size())) != 0) {
        return fail("congestion control " + control_, errno);
    }
    const sockaddr_in peer = internet_address(address, port);
    if (::connect(fd_, reinterpret_cast<const sockaddr*>(&peer), sizeof(peer)) != 0 && errno != EINPROGRESS) {
        return fail("connect", errno);
    }
    watch_.set(fd_, POLLIN | POLLOUT);
    return true;
}

void KernelSender::on_ready() {
    if ((watch_.ready() & POLLOUT) != 0) send();
    if (!over_ && (watch_.ready() & (POLLIN | POLLHUP | POLLERR)) != 0) receive();
}

void KernelSender::send() {
    for (;;) {
        if (piece_at_ == piece_.size()) {
            piece_.resize(piece_octets);
            piece_.resize(payload_.read(piece_));
            piece_at_ = 0;
            digest_.add(piece_);
        }
        if (piece_.empty()) {
            watch_.set(fd_, POLLIN);
            shutdown(fd_, SHUT_WR);
            return;
        }
        const ssize_t taken = ::send(fd_, piece_.data() + piece_at_, piece_.size() - piece_at_, MSG_NOSIGNAL);
        if (taken < 0) {
            if (!has_to_wait(errno)) fail("send", errno);
            return;
        }
        piece_at_ += static_cast<std::size_t>(taken);
    }
}

void KernelSender::receive() {
    std::array<char, answer_octets_max> octets{};
    for (;;) {
        const ssize_t count = recv(fd_, octets.data(), octets.size(), 0);
        if (count < 0) {
            if (!has_to_wait(errno)) fail("receive", errno);
            return;
        }
        if (count == 0) break;
        answer_.append(octets.data(), std::min(static_cast<std::size_t>(count), answer_octets_max - answer_.size()));
    }
    over_ = true;
    watch_.clear();
}

bool KernelSender::confirmed() const {
    return answer_ == services::digest_line(digest_);
}

Sent KernelSender::sent() {
    tcp_info info{};
    socklen_t size = sizeof(info);
    if (fd_ >= 0) getsockopt(fd_, IPPROTO_TCP, TCP_INFO, &info, &size);
    return {info.tcpi_total_retrans, info.tcpi_snd_mss, digest_.text()};
}

// ---- receives ----

KernelReceiver::KernelReceiver(RealtimeLoop& loop, int netns)
    : loop_(loop),
      netns_(netns),
      listener_watch_(loop, Callback::bind<&KernelReceiver::on_connection>(*this)),
      watch_(loop, Callback::bind<&KernelReceiver::on_ready>(*this)) {}

KernelReceiver::~KernelReceiver() {
    for (const int fd : {listener_fd_, fd_}) {
        if (fd >= 0) close(fd);
    }
}

bool KernelReceiver::fail(const std::string& doing, int error) {
    failure_ = "kernel: " + doing + ": " + std::strerror(error);
    watch_.clear();
    return false;
}

bool KernelReceiver::start(std::uint16_t port) {
    listener_fd_ = make_socket(netns_);
    if (listener_fd_ < 0) return fail("socket", errno);
    const sockaddr_in own = internet_address(INADDR_ANY, port);
    if (bind(listener_fd_, reinterpret_cast<const sockaddr*>(&own), sizeof(own)) != 0 || listen(listener_fd_, 1) != 0) {
        return fail("listen", errno);
    }
    listener_watch_.set(listener_fd_, POLLIN);
    return true;
}

void KernelReceiver::on_connection() {
    fd_ = accept4(listener_fd_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd_ < 0) return;
    listener_watch_.clear();
    watch_.set(fd_, POLLIN);
}

void KernelReceiver::on_ready() {
    std::array<std::uint8_t, piece_octets> octets;
    for (;;) {
        const ssize_t count = recv(fd_, octets.data(), octets.size(), 0);
        if (count < 0) {
            if (!has_to_wait(errno)) fail("receive", errno);
            return;
        }
        if (count == 0) return answer();
        digest_.add(std::span(octets).first(static_cast<std::size_t>(count)));
        last_came_ = loop_.now();
    }
}

void KernelReceiver::answer() {
    const std::string line = services::digest_line(digest_);
    watch_.clear();
    const ssize_t sent = ::send(fd_, line.data(), line.size(), MSG_NOSIGNAL);
    if (sent != static_cast<ssize_t>(line.size())) fail("send", errno);
    shutdown(fd_, SHUT_WR);
}

}  // namespace lfn::compare
