// SPDX-License-Identifier: BSD-3-Clause
// The stack's end of a measured transfer.
#pragma once

#include "ports/realtime/call_meter.hpp"
#include "ports/services/digest.hpp"
#include "ports/services/session.hpp"
#include "tests/bench/tap/kernel_end.hpp"

namespace lfn::bench {

/// Sends so many octets of the stream and waits until the peer has closed: it has read them all then.
class Sender final : public services::Session {
public:
    Sender(RealtimeHost& host, Callback on_over, std::uint64_t octets) : Session(host, on_over), left_(octets) {}

private:
    void on_connected() override { on_room(); }
    void on_received(std::span<const std::uint8_t>) override {}
    void on_room() override;

    std::uint64_t left_;
    std::size_t at_ = 0;  // in the block
};

/// Receives up to FIN.
class Receiver final : public services::Session {
public:
    Receiver(RealtimeHost& host, Callback on_over, CallMeter* digesting)
        : Session(host, on_over), digesting_(digesting) {}
    std::string digest() const { return digest_.text(); }

private:
    void on_received(std::span<const std::uint8_t> octets) override;

    CallMeter* digesting_;
    services::Digest digest_;
};

}  // namespace lfn::bench
