// SPDX-License-Identifier: BSD-3-Clause
// A Linux TAP interface: its descriptor, and frames out of it and into it. Frames are Ethernet frames without preamble
// and check sequence; before them stands nothing (IFF_NO_PI) or, with offloads, a virtio-net header (vnet_header.hpp).
// Source: Linux, Documentation/networking/tuntap.rst and drivers/net/tun.c.
#pragma once

#include <sys/uio.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "ports/realtime/call_meter.hpp"
#include "ports/realtime/ip_address.hpp"

namespace lfn {

/// Of an Ethernet frame on a TAP interface: destination, source, type.
inline constexpr std::size_t ethernet_header_octets = 14;
/// The longest frame that a TAP interface passes: Linux allows an MTU of 65521, and a VLAN tag may come on top.
inline constexpr std::size_t tap_frame_octets_max = 65539;
/// The same with a virtio-net header.
inline constexpr std::size_t tap_message_octets_max = tap_frame_octets_max + 10;

using HardwareAddress = std::array<std::uint8_t, 6>;

/// For how long the kernel waits for more to merge, if no PSH comes. It must be longer than the kernel's own tick (4 ms
/// with HZ 250, 10 ms with HZ 100): setting a timer that is due before that costs more than it saves.
inline constexpr std::chrono::nanoseconds tap_merge_timeout = std::chrono::milliseconds(10);

struct TapOptions {
    /// Of an interface that is there, or is made and goes when it is closed. "NETNS:NAME" opens it in that network
    /// namespace. At most 15 characters; may be a pattern such as "lfn%d", which the kernel completes.
    std::string name;
    /// Octets of an IP packet; 0 leaves what the interface has (1500 for a new one).
    std::uint16_t mtu = 0;
    /// The kernel's own end, for an interface without one; 0: none. Host byte order.
    std::uint32_t kernel_address = 0;
    std::uint8_t kernel_prefix_length = 24;
    /// The same over IPv6; all zero: none.
    Ipv6Address kernel_ipv6_address{};
    std::uint8_t kernel_ipv6_prefix_length = 64;
    /// Segmentation and checksums of TCP are left to whoever is behind the interface (IFF_VNET_HDR, TUNSETOFFLOAD).
    bool offload = false;
    /// The kernel merges segments of one connection before its TCP sees them, up to one with PSH (IFF_NAPI and GRO with
    /// a timeout). Needs root; without, they are handed up as they come. Of no use with offloads, which merge before.
    bool merge = false;
};

class TapDevice {
public:
    enum class Result : std::uint8_t {
        done,
        later,  ///< nothing to read, or no room to write; poll() knows when
        down,   ///< the interface is down: the frame is lost, as with the plug pulled
        gone,   ///< the interface is no more; error() says so
    };

    TapDevice() = default;
    ~TapDevice() { close(); }
    TapDevice(const TapDevice&) = delete;
    TapDevice& operator=(const TapDevice&) = delete;

    /// Opens or makes the interface and brings it up. On failure returns false, and error() has what is wrong and what
    /// to do about it, as a sentence.
    bool open(const TapOptions& options);
    void close();
    bool is_open() const { return fd_ >= 0; }
    const std::string& error() const { return error_; }

    /// For poll(); non-blocking.
    int fd() const { return fd_; }
    /// As the kernel has it, without its namespace.
    const std::string& name() const { return name_; }
    /// Octets of an IP packet, when it was opened.
    std::uint16_t mtu() const { return mtu_; }
    /// The kernel's end's.
    const HardwareAddress& hardware_address() const { return hardware_address_; }

    /// A virtio-net header goes before each frame.
    bool offload() const { return offload_; }
    /// The kernel merges what is written up to a segment with PSH.
    bool merges() const { return merges_; }

    /// Reads one frame, and its header, into `buffer` (tap_message_octets_max octets are enough); done: `size` is the
    /// length of both.
    Result read(std::span<std::uint8_t> buffer, std::size_t& size);
    /// Writes one frame, with its header.
    Result write(std::span<const std::uint8_t> frame);
    Result write(std::span<const iovec> pieces);

    /// Counts the system calls; null: no more.
    void set_meters(CallMeter* reads, CallMeter* writes) {
        reads_ = reads;
        writes_ = writes;
    }

private:
    bool attach(const TapOptions& options, const std::string& name);
    bool set_offload();
    bool configure(const TapOptions& options);
    bool fail(const std::string& reason);
    Result gone();
    Result why_not_written();

    int fd_ = -1;
    bool offload_ = false;
    bool merges_ = false;
    CallMeter* reads_ = nullptr;
    CallMeter* writes_ = nullptr;
    std::string name_;
    std::uint16_t mtu_ = 0;
    HardwareAddress hardware_address_{};
    std::string error_;
};

}  // namespace lfn
