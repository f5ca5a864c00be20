// SPDX-License-Identifier: BSD-3-Clause
// libslirp as a network: it answers the guest's frames with sockets of this process, so no privilege is needed. Ours is
// the guest, 10.0.2.15; the host is 10.0.2.2 to it.
//
// Of TCP, libslirp is an end itself: what the guest's TCP says ends there, and its windows have 16 bits without scaling
// (observed in 4.7). IPv4 only, as long as the stack's configuration is.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "emulators/link/frame.hpp"
#include "ports/pcap/capture.hpp"
#include "ports/realtime/frame_port.hpp"
#include "ports/realtime/realtime_loop.hpp"

struct Slirp;

namespace lfn {

inline constexpr std::uint32_t slirp_network = 0x0a000200;  // 10.0.2.0
inline constexpr std::uint8_t slirp_prefix_length = 24;
inline constexpr std::uint32_t slirp_host_address = 0x0a000202;   // 10.0.2.2
inline constexpr std::uint32_t slirp_guest_address = 0x0a00020f;  // 10.0.2.15

/// A TCP port of the host that leads to one of the guest.
struct SlirpForward {
    std::uint16_t host_port = 0;
    std::uint16_t guest_port = 0;
    std::uint32_t host_address = 0x7f000001;  ///< where the host listens; 127.0.0.1
};

class SlirpPort final : public FramePort, public PollGuest {
public:
    explicit SlirpPort(RealtimeLoop& loop);
    ~SlirpPort();
    SlirpPort(const SlirpPort&) = delete;
    SlirpPort& operator=(const SlirpPort&) = delete;

    /// From here on the process ignores SIGPIPE. `mtu`: octets of an IP packet, at most 9000. False: error() is a
    /// sentence with the reason and the remedy.
    bool open(std::uint16_t mtu, const std::vector<SlirpForward>& forwards);
    const std::string& error() const { return error_; }
    /// Writes what passes from now on into an open Ethernet capture; null: no more.
    void set_capture(CaptureWriter* capture) { capture_ = capture; }

    std::uint8_t* transmit_begin(std::size_t length) override;
    void transmit_end() override;
    void flush() override;
    void connect(FrameReceiver& receiver) override { receiver_ = &receiver; }

    void fill(std::vector<pollfd>& descriptors, Duration& timeout) override;
    void serve(std::span<const pollfd> descriptors) override;

    std::uint64_t frames_in() const { return frames_in_; }
    std::uint64_t frames_out() const { return frames_out_; }

private:
    struct Library;  // what libslirp calls
    friend struct Library;

    bool forward(const SlirpForward& wanted);
    void take(std::span<const std::uint8_t> frame);
    void deliver();

    RealtimeLoop& loop_;
    Slirp* slirp_ = nullptr;
    FramePool pool_;
    FrameList outgoing_;  // from the stack; libslirp answers some frames on the spot, and the stack must be done then
    FrameList incoming_;
    FramePtr filling_;
    Timer delivery_;
    FrameReceiver* receiver_ = nullptr;
    CaptureWriter* capture_ = nullptr;
    std::string error_;
    std::uint64_t frames_in_ = 0, frames_out_ = 0;
};

}  // namespace lfn
