// SPDX-License-Identifier: BSD-3-Clause
#include "tests/interop/segment_view.hpp"

#include <algorithm>

namespace lfn::interop {

namespace {

constexpr std::size_t ip_begin = 14, ip_octets = 20, tcp_octets = 20;
constexpr std::uint8_t end_of_options = 0, nop = 1;

std::uint16_t folded(std::uint32_t sum) {
    while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
    return static_cast<std::uint16_t>(~sum);
}

void put_u32(std::span<std::uint8_t> octets, std::size_t at, std::uint32_t value) {
    put_u16(octets, at, value >> 16);
    put_u16(octets, at + 2, value);
}

}  // namespace

std::uint32_t internet_sum(std::span<const std::uint8_t> octets, std::uint32_t sum) {
    for (std::size_t i = 0; i < octets.size(); ++i) sum += i % 2 == 0 ? std::uint32_t{octets[i]} << 8 : octets[i];
    return sum;
}

void put_u16(std::span<std::uint8_t> octets, std::size_t at, std::uint32_t value) {
    octets[at] = static_cast<std::uint8_t>(value >> 8);
    octets[at + 1] = static_cast<std::uint8_t>(value);
}

void seal_ip(std::span<std::uint8_t> frame, std::size_t at) {
    put_u16(frame, at + 10, 0);
    put_u16(frame, at + 10, folded(internet_sum(frame.subspan(at, ip_octets))));
}

std::optional<SegmentView> SegmentView::of(std::span<std::uint8_t> frame) {
    if (frame.size() < ip_begin + ip_octets + tcp_octets) return std::nullopt;
    if (frame[12] != 0x08 || frame[13] != 0x00 || frame[ip_begin] != 0x45 || frame[ip_begin + 9] != 6)
        return std::nullopt;
    const std::size_t end = ip_begin + static_cast<std::size_t>(frame[ip_begin + 2] << 8 | frame[ip_begin + 3]);
    const std::size_t tcp = ip_begin + ip_octets;
    if (end > frame.size() || tcp + static_cast<std::size_t>(frame[tcp + 12] >> 4) * 4 > end) return std::nullopt;
    return SegmentView(frame, tcp, end);
}

void SegmentView::set_window(std::uint16_t window) {
    put_u16(frame_, tcp_ + 14, window);
}

void SegmentView::for_options(const std::function<void(std::uint8_t, std::span<std::uint8_t>)>& each) {
    std::span<std::uint8_t> options = frame_.subspan(tcp_ + tcp_octets, header() - tcp_octets);
    while (!options.empty() && options[0] != end_of_options) {
        if (options[0] == nop) {
            options = options.subspan(1);
            continue;
        }
        if (options.size() < 2 || options[1] < 2 || options[1] > options.size()) return;
        const std::size_t length = options[1];
        each(options[0], options.first(length));
        options = options.subspan(length);
    }
}

void SegmentView::seal() {
    put_u16(frame_, tcp_ + 16, 0);
    const std::span<const std::uint8_t> addresses = frame_.subspan(ip_begin + 12, 8);
    const std::uint32_t sum = internet_sum(addresses, 6 + static_cast<std::uint32_t>(end_ - tcp_));
    put_u16(frame_, tcp_ + 16, folded(internet_sum(frame_.subspan(tcp_, end_ - tcp_), sum)));
}

bool is_well_known(std::uint8_t option_kind) {
    return option_kind <= 5 || option_kind == 8;  // MSS, window scale, SACK and its permission, timestamps
}

bool strip_unknown_options(SegmentView& segment) {
    bool any = false;
    segment.for_options([&](std::uint8_t kind, std::span<std::uint8_t> option) {
        if (is_well_known(kind)) return;
        std::ranges::fill(option, nop);
        any = true;
    });
    if (any) segment.seal();
    return any;
}

void Wiretap::see(std::span<std::uint8_t> frame) {
    const auto segment = SegmentView::of(frame);
    if (!segment) return;
    last_.assign(frame.begin(), frame.end());
    source_port_ = segment->source_port();
    flags_ = segment->flags();
    ack_ = segment->ack();
    seq_next_ = segment->seq() + segment->length();
}

std::vector<std::uint8_t> Wiretap::rst(std::uint32_t seq, std::uint32_t ack) const {
    std::vector<std::uint8_t> frame(last_.begin(), last_.begin() + ip_begin + ip_octets + tcp_octets);
    put_u16(frame, ip_begin + 2, ip_octets + tcp_octets);
    const std::size_t tcp = ip_begin + ip_octets;
    put_u32(frame, tcp + 4, seq);
    put_u32(frame, tcp + 8, ack);
    frame[tcp + 12] = 0x50;
    frame[tcp + 13] = tcp_rst | tcp_ack;
    seal_ip(frame);
    SegmentView::of(frame)->seal();
    return frame;
}

std::vector<std::uint8_t> Wiretap::rst_in_return(std::uint32_t seq, std::uint32_t ack) const {
    std::vector<std::uint8_t> frame = rst(seq, ack);
    std::swap_ranges(frame.begin(), frame.begin() + 6, frame.begin() + 6);
    std::swap_ranges(frame.begin() + ip_begin + 12, frame.begin() + ip_begin + 16, frame.begin() + ip_begin + 16);
    const std::size_t tcp = ip_begin + ip_octets;
    std::swap_ranges(frame.begin() + tcp, frame.begin() + tcp + 2, frame.begin() + tcp + 2);
    return frame;  // sums do not know the order
}

}  // namespace lfn::interop
