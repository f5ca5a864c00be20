// SPDX-License-Identifier: BSD-3-Clause
// A stack of this process as an end of a transfer, on a port.
#pragma once

#include <cstdint>
#include <optional>

#include "ports/compare/ends.hpp"
#include "ports/realtime/realtime_host.hpp"
#include "ports/services/client.hpp"
#include "ports/services/server.hpp"

namespace lfn::compare {

/// An Ethernet host at `address`, with a prefix of 24 bits.
lfn_interface ethernet_interface(std::uint32_t address, std::uint16_t mtu);

class StackSender final : public SendingEnd {
public:
    StackSender(RealtimeHost& host, const lfn_tcp_settings& settings, std::uint64_t octets, std::uint64_t seed)
        : settings_(settings), payload_(octets, seed), put_(host, {}, payload_) {}

    bool start(std::uint32_t address, std::uint16_t port) override { return put_.connect(address, port, settings_); }
    bool over() const override { return put_.over(); }
    std::string failure() const override { return put_.failure(); }
    bool confirmed() const override { return put_.confirmed(); }
    Sent sent() override;

private:
    lfn_tcp_settings settings_;
    services::PatternPayload payload_;
    services::Put put_;
};

class StackReceiver final : public ReceivingEnd {
public:
    StackReceiver(RealtimeHost& host, const lfn_tcp_settings& settings);

    bool start(std::uint16_t port) override;
    std::uint64_t octets() const override;
    Time last_came() const override;
    std::string failure() const override { return failure_; }

private:
    lfn_tcp_settings settings_;
    services::Server server_;
    std::uint64_t octets_ = 0;  // once the session is over
    Time last_came_{};
    std::string failure_;
};

}  // namespace lfn::compare
