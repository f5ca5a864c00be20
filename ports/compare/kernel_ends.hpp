// SPDX-License-Identifier: BSD-3-Clause
// The kernel's TCP as an end of a transfer, in a namespace.
#pragma once

#include <string>
#include <vector>

#include "ports/compare/ends.hpp"
#include "ports/realtime/realtime_loop.hpp"
#include "ports/services/digest.hpp"
#include "ports/services/payload.hpp"

namespace lfn::compare {

/// What the kernel offers, in its own order; empty if it does not tell.
std::vector<std::string> congestion_controls();

class KernelSender final : public SendingEnd {
public:
    /// `netns` is an open namespace; `control` one of congestion_controls().
    KernelSender(RealtimeLoop& loop, int netns, std::string control, std::uint64_t octets, std::uint64_t seed);
    ~KernelSender() override;
    KernelSender(const KernelSender&) = delete;
    KernelSender& operator=(const KernelSender&) = delete;

    bool start(std::uint32_t address, std::uint16_t port) override;
    bool over() const override { return over_; }
    std::string failure() const override { return failure_; }
    bool confirmed() const override;
    Sent sent() override;

private:
    void on_ready();
    void send();
    void receive();
    bool fail(const std::string& doing, int error);

    int netns_;
    std::string control_;
    services::PatternPayload payload_;
    std::vector<std::uint8_t> piece_;
    std::size_t piece_at_ = 0;
    int fd_ = -1;
    FdWatch watch_;
    bool over_ = false;
    std::string failure_;
    services::Digest digest_;
    std::string answer_;
};

class KernelReceiver final : public ReceivingEnd {
public:
    KernelReceiver(RealtimeLoop& loop, int netns);
    ~KernelReceiver() override;
    KernelReceiver(const KernelReceiver&) = delete;
    KernelReceiver& operator=(const KernelReceiver&) = delete;

    bool start(std::uint16_t port) override;
    std::uint64_t octets() const override { return digest_.octets(); }
    Time last_came() const override { return last_came_; }
    std::string failure() const override { return failure_; }

private:
    void on_connection();
    void on_ready();
    void answer();
    bool fail(const std::string& doing, int error);

    RealtimeLoop& loop_;
    int netns_;
    int listener_fd_ = -1, fd_ = -1;
    FdWatch listener_watch_, watch_;
    Time last_came_{};
    std::string failure_;
    services::Digest digest_;
};

}  // namespace lfn::compare
