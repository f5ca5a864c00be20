// SPDX-License-Identifier: BSD-3-Clause
#include "tests/bench/tap/kernel_end.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "ports/services/digest.hpp"
#include "ports/services/pattern.hpp"

namespace lfn::bench {

namespace {

constexpr std::size_t block_octets = 1'048'573;
constexpr std::size_t read_octets = 256 * 1024;

// BBR paces by timers, which measures the timers.
constexpr std::string_view congestion_control = "cubic";

void send_all(int fd, std::uint64_t octets) {
    while (octets > 0) {
        const std::size_t size = std::min<std::uint64_t>(octets, block().size());
        for (std::size_t at = 0; at < size;) {
            const ssize_t sent = send(fd, block().data() + at, size - at, MSG_NOSIGNAL);
            if (sent < 0) return;
            at += static_cast<std::size_t>(sent);
        }
        octets -= size;
    }
    shutdown(fd, SHUT_WR);
    char rest = 0;
    while (read(fd, &rest, 1) > 0) continue;
}

std::string receive_all(int fd) {
    std::vector<std::uint8_t> buffer(read_octets);
    services::Digest digest;
    for (ssize_t size = 0; (size = read(fd, buffer.data(), buffer.size())) > 0;) {
        digest.add(std::span(buffer).first(static_cast<std::size_t>(size)));
    }
    return digest.text();
}

[[noreturn]] void serve(int listener, int result, Role role, std::uint64_t octets) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int fd = accept(listener, nullptr, nullptr);
    std::string text = "sent";
    if (role == Role::source) {
        send_all(fd, octets);
    } else {
        text = receive_all(fd);
    }
    close(fd);
    const bool written = write(result, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    _exit(written ? 0 : 1);
}

int listen_on(std::uint16_t port) {
    const int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int on = 1, off = 0;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
    setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, congestion_control.data(), congestion_control.size());
    sockaddr_in6 any{};
    any.sin6_family = AF_INET6;
    any.sin6_port = htons(port);
    if (bind(fd, reinterpret_cast<const sockaddr*>(&any), sizeof(any)) == 0 && listen(fd, 1) == 0) return fd;
    close(fd);
    return -1;
}

}  // namespace

std::span<const std::uint8_t> block() {
    static const std::vector<std::uint8_t> octets = [] {
        std::vector<std::uint8_t> made(block_octets);
        services::Pattern(1).fill(0, made);
        return made;
    }();
    return octets;
}

std::string digest_of_stream(std::uint64_t octets) {
    services::Digest digest;
    for (; octets > 0; octets -= std::min<std::uint64_t>(octets, block().size())) {
        digest.add(block().first(std::min<std::uint64_t>(octets, block().size())));
    }
    return digest.text();
}

bool KernelEnd::fail(const std::string& what) {
    error_ = "the kernel's end: " + what + ": " + std::strerror(errno);
    return false;
}

bool KernelEnd::start(Role role, std::uint16_t port, std::uint64_t octets) {
    const int listener = listen_on(port);
    if (listener < 0) return fail("port " + std::to_string(port));
    block();  // made before the fork, and once
    int ends[2] = {-1, -1};
    if (pipe(ends) != 0) return fail("pipe");
    child_ = fork();
    if (child_ == 0) serve(listener, ends[1], role, octets);
    close(listener);
    close(ends[1]);
    result_ = ends[0];
    return child_ > 0 || fail("fork");
}

KernelEnd::~KernelEnd() {
    if (child_ > 0) kill(child_, SIGKILL);
    digest();
}

std::optional<std::string> KernelEnd::digest() {
    if (child_ <= 0) return std::nullopt;
    char text[64] = "";
    const ssize_t size = read(result_, text, sizeof(text));
    int status = 0;
    waitpid(child_, &status, 0);
    close(result_);
    child_ = -1;
    if (size <= 0 || status != 0) return std::nullopt;
    return std::string(text, static_cast<std::size_t>(size));
}

}  // namespace lfn::bench
