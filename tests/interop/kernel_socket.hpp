// SPDX-License-Identifier: BSD-3-Clause
// The kernel's end of a connection, in the same loop as the stack's: sends a pattern, digests what comes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ports/realtime/ip_address.hpp"
#include "ports/realtime/realtime_loop.hpp"
#include "ports/services/digest.hpp"
#include "ports/services/payload.hpp"

namespace lfn::interop {

class KernelSocket {
public:
    /// Takes over a connected socket.
    KernelSocket(RealtimeLoop& loop, int fd);
    ~KernelSocket() { close(); }
    KernelSocket(const KernelSocket&) = delete;
    KernelSocket& operator=(const KernelSocket&) = delete;

    /// In the current network namespace; connected later. `receive_buffer`: SO_RCVBUF,
    /// octets, 0: the kernel's default.
    static std::unique_ptr<KernelSocket> connect(RealtimeLoop& loop, const IpAddress& address, std::uint16_t port,
                                                 int receive_buffer = 0);

    /// Sends a line, or so many octets of Pattern(seed), and, if wanted, FIN behind them. One after the other.
    void send_text(const std::string& text, bool finish = false);
    void send_pattern(std::uint64_t octets, std::uint64_t seed, bool finish = true);
    /// A text, so many octets of Pattern(seed), FIN.
    void send_head_and_pattern(const std::string& head, std::uint64_t octets, std::uint64_t seed);
    /// Lets data wait in the kernel, whose window closes in the end.
    void pause_reading();
    void resume_reading();
    /// Closes with RST.
    void reset();
    void close();

    bool is_open() const { return fd_ >= 0; }
    /// All that was to be sent is in the kernel's hands.
    bool sent_all() const { return payload_ == nullptr; }
    /// The peer's FIN has come, behind all its data.
    bool at_end() const { return at_end_; }
    /// errno that ended the connection; 0: none.
    int error() const { return error_; }
    const services::Digest& received() const { return received_; }
    const services::Digest& sent() const { return sent_; }
    /// The first 256 octets that came.
    const std::string& text() const { return text_; }

private:
    void on_ready();
    void send();
    void receive();
    void watch();
    void fail(int error);

    int fd_;
    FdWatch watch_;
    std::unique_ptr<services::Payload> payload_;
    std::vector<std::uint8_t> piece_;
    std::size_t piece_at_ = 0;
    bool finish_ = false;
    bool paused_ = false, at_end_ = false;
    int error_ = 0;
    services::Digest received_, sent_;
    std::string text_;
};

/// Listens in the current network namespace, over both families if the kernel has both.
class KernelListener {
public:
    KernelListener(RealtimeLoop& loop, std::uint16_t port, int receive_buffer = 0);
    ~KernelListener();
    bool is_open() const { return fd_ >= 0; }
    /// What was accepted, in order.
    std::vector<std::unique_ptr<KernelSocket>> accepted;
    /// Called with each as it is accepted.
    std::function<void(KernelSocket&)> on_accepted;

private:
    bool listen_on(const IpAddress& own, std::uint16_t port, int receive_buffer);
    void on_ready();

    RealtimeLoop& loop_;
    int fd_ = -1;
    FdWatch watch_;
};

}  // namespace lfn::interop
