// SPDX-License-Identifier: BSD-3-Clause
// TCP segments inside Ethernet frames, as a middlebox sees and changes them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace lfn::interop {

inline constexpr std::uint8_t tcp_fin = 0x01, tcp_syn = 0x02, tcp_rst = 0x04, tcp_ack = 0x10;

class SegmentView {
public:
    /// Nothing: the frame is no TCP over IPv4.
    static std::optional<SegmentView> of(std::span<std::uint8_t> frame);

    std::uint16_t source_port() const { return u16(tcp_); }
    std::uint16_t destination_port() const { return u16(tcp_ + 2); }
    std::uint32_t seq() const { return u32(tcp_ + 4); }
    std::uint32_t ack() const { return u32(tcp_ + 8); }
    std::uint8_t flags() const { return frame_[tcp_ + 13]; }
    std::uint16_t window() const { return u16(tcp_ + 14); }
    std::size_t payload() const { return end_ - tcp_ - header(); }
    /// What the segment takes of the sequence space.
    std::uint32_t length() const {
        return static_cast<std::uint32_t>(payload() + ((flags() & tcp_syn) != 0) + ((flags() & tcp_fin) != 0));
    }

    void set_window(std::uint16_t window);
    /// Calls `each(kind, octets of the option)` for all options but end and NOP; it may change them.
    void for_options(const std::function<void(std::uint8_t kind, std::span<std::uint8_t> option)>& each);
    /// After any change.
    void seal();

private:
    SegmentView(std::span<std::uint8_t> frame, std::size_t tcp, std::size_t end)
        : frame_(frame), tcp_(tcp), end_(end) {}
    std::size_t header() const { return static_cast<std::size_t>(frame_[tcp_ + 12] >> 4) * 4; }
    std::uint16_t u16(std::size_t at) const { return static_cast<std::uint16_t>(frame_[at] << 8 | frame_[at + 1]); }
    std::uint32_t u32(std::size_t at) const { return static_cast<std::uint32_t>(u16(at)) << 16 | u16(at + 2); }

    std::span<std::uint8_t> frame_;
    std::size_t tcp_, end_;
};

/// Kinds that TCPs of today send; ours are not among them.
bool is_well_known(std::uint8_t option_kind);
/// Puts NOPs in the place of the others. True if there were any.
bool strip_unknown_options(SegmentView& segment);

/// What a direction's last segment was, and RST segments that fit it.
class Wiretap {
public:
    void see(std::span<std::uint8_t> frame);
    bool seen() const { return !last_.empty(); }
    std::uint16_t source_port() const { return source_port_; }
    std::uint8_t flags() const { return flags_; }
    std::uint32_t ack() const { return ack_; }
    /// Of the next octet that this side would send.
    std::uint32_t seq_next() const { return seq_next_; }
    /// A frame from this side with RST at sequence number `seq`, acknowledging `ack`.
    std::vector<std::uint8_t> rst(std::uint32_t seq, std::uint32_t ack) const;
    /// The same in the other direction, for a side that has sent nothing yet.
    std::vector<std::uint8_t> rst_in_return(std::uint32_t seq, std::uint32_t ack) const;

private:
    std::vector<std::uint8_t> last_;
    std::uint16_t source_port_ = 0;
    std::uint8_t flags_ = 0;
    std::uint32_t ack_ = 0, seq_next_ = 0;
};

/// The one's complement sum (RFC 1071) over the octets, not inverted; for odd lengths a zero follows.
std::uint32_t internet_sum(std::span<const std::uint8_t> octets, std::uint32_t sum = 0);
void put_u16(std::span<std::uint8_t> octets, std::size_t at, std::uint32_t value);
/// The checksum of the IPv4 header that begins at `at`, set anew.
void seal_ip(std::span<std::uint8_t> frame, std::size_t at = 14);

}  // namespace lfn::interop
