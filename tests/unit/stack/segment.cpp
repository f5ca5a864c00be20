// SPDX-License-Identifier: BSD-3-Clause
#include "segment.hpp"

#include <iomanip>

namespace lfn::test {
namespace {

constexpr std::size_t kIpHeader = 20;
constexpr std::size_t kTcpHeader = 20;
constexpr std::uint8_t kProtocolTcp = 6;

void put16(Octets& out, std::uint32_t value) {
    out.push_back(static_cast<std::uint8_t>(value >> 8));
    out.push_back(static_cast<std::uint8_t>(value));
}

void put32(Octets& out, std::uint32_t value) {
    put16(out, value >> 16);
    put16(out, value & 0xffff);
}

std::uint16_t get16(std::span<const std::uint8_t> in, std::size_t at) {
    return static_cast<std::uint16_t>(in[at] << 8 | in[at + 1]);
}

std::uint32_t get32(std::span<const std::uint8_t> in, std::size_t at) {
    return static_cast<std::uint32_t>(get16(in, at)) << 16 | get16(in, at + 2);
}

// RFC 1071, not yet complemented.
std::uint32_t sum(std::span<const std::uint8_t> octets, std::uint32_t start = 0) {
    std::uint32_t total = start;
    for (std::size_t i = 0; i < octets.size(); ++i) {
        total += static_cast<std::uint32_t>(octets[i]) << (i % 2 == 0 ? 8 : 0);
        total = (total & 0xffff) + (total >> 16);
    }
    return total;
}

std::uint32_t pseudo_header_sum(const Path& path, std::size_t length) {
    Octets pseudo;
    put32(pseudo, path.source);
    put32(pseudo, path.destination);
    put16(pseudo, kProtocolTcp);
    put16(pseudo, static_cast<std::uint32_t>(length));
    return sum(pseudo);
}

void set_checksum(std::span<std::uint8_t> octets, std::size_t at, std::uint32_t total) {
    octets[at] = static_cast<std::uint8_t>(~total >> 8);
    octets[at + 1] = static_cast<std::uint8_t>(~total);
}

Octets encode_tcp(const Segment& segment) {
    const std::size_t header = kTcpHeader + (segment.options.size() + 3) / 4 * 4;
    Octets out;
    put16(out, segment.source_port);
    put16(out, segment.destination_port);
    put32(out, segment.seq);
    put32(out, segment.ack);
    out.push_back(static_cast<std::uint8_t>(header / 4 << 4));
    out.push_back(segment.flags);
    put16(out, segment.window);
    put32(out, 0);  // checksum, urgent pointer
    out.insert(out.end(), segment.options.begin(), segment.options.end());
    out.resize(header);
    out.insert(out.end(), segment.payload.begin(), segment.payload.end());
    return out;
}

Segment decode_tcp(std::span<const std::uint8_t> tcp, std::size_t header) {
    Segment segment;
    segment.source_port = get16(tcp, 0);
    segment.destination_port = get16(tcp, 2);
    segment.seq = get32(tcp, 4);
    segment.ack = get32(tcp, 8);
    segment.flags = tcp[13];
    segment.window = get16(tcp, 14);
    segment.options.assign(tcp.begin() + kTcpHeader, tcp.begin() + static_cast<std::ptrdiff_t>(header));
    segment.payload.assign(tcp.begin() + static_cast<std::ptrdiff_t>(header), tcp.end());
    return segment;
}

}  // namespace

std::uint32_t Segment::sequence_length() const {
    return static_cast<std::uint32_t>(payload.size()) + (has(flag::syn) ? 1 : 0) + (has(flag::fin) ? 1 : 0);
}

std::optional<Octets> Segment::option(std::uint8_t option_kind) const {
    for (std::size_t i = 0; i < options.size() && options[i] != kind::end;) {
        if (options[i] == kind::nop) {
            ++i;
            continue;
        }
        if (i + 1 >= options.size() || options[i + 1] < 2 || i + options[i + 1] > options.size()) return std::nullopt;
        if (options[i] == option_kind) {
            const auto at = options.begin() + static_cast<std::ptrdiff_t>(i);
            return Octets(at + 2, at + options[i + 1]);
        }
        i += options[i + 1];
    }
    return std::nullopt;
}

std::ostream& operator<<(std::ostream& out, const Segment& segment) {
    out << "seq " << segment.seq << " len " << segment.payload.size() << " ack " << segment.ack << " window "
        << segment.window << " flags ";
    const char* names = "FSRPAUEC";
    for (int bit = 0; bit < 8; ++bit) out << ((segment.flags >> bit & 1) != 0 ? names[bit] : '.');
    out << " tos " << +segment.tos << " options" << std::hex << std::setfill('0');
    for (const auto octet : segment.options) out << ' ' << std::setw(2) << +octet;
    return out << std::dec << std::setfill(' ');
}

Octets encode(const Path& path, const Segment& segment) {
    Octets tcp = encode_tcp(segment);
    set_checksum(tcp, 16, sum(tcp, pseudo_header_sum(path, tcp.size())));
    Octets packet{0x45, segment.tos};
    put16(packet, static_cast<std::uint32_t>(kIpHeader + tcp.size()));
    put32(packet, 0x00004000);  // identification 0, don't fragment
    packet.insert(packet.end(), {64, kProtocolTcp, 0, 0});
    put32(packet, path.source);
    put32(packet, path.destination);
    set_checksum(packet, 10, sum(packet));
    packet.insert(packet.end(), tcp.begin(), tcp.end());
    return packet;
}

std::optional<Segment> decode(std::span<const std::uint8_t> packet) {
    if (packet.size() < kIpHeader + kTcpHeader || packet[0] != 0x45 || packet[9] != kProtocolTcp) return std::nullopt;
    if (get16(packet, 2) != packet.size() || sum(packet.first(kIpHeader)) != 0xffff) return std::nullopt;
    const auto tcp = packet.subspan(kIpHeader);
    const std::size_t header = static_cast<std::size_t>(tcp[12] >> 4) * 4;
    if (header < kTcpHeader || header > tcp.size()) return std::nullopt;
    const Path path{get32(packet, 12), get32(packet, 16)};
    if (sum(tcp, pseudo_header_sum(path, tcp.size())) != 0xffff) return std::nullopt;
    Segment segment = decode_tcp(tcp, header);
    segment.tos = packet[1];
    return segment;
}

Octets mss_option(std::uint16_t mss) {
    Octets out{kind::mss, 4};
    put16(out, mss);
    return out;
}

Octets window_scale_option(std::uint8_t shift) {
    return {kind::nop, kind::window_scale, 3, shift};
}

Octets timestamps_option(std::uint32_t value, std::uint32_t echo) {
    Octets out{kind::nop, kind::nop, kind::timestamps, 10};
    put32(out, value);
    put32(out, echo);
    return out;
}

Octets join(std::initializer_list<Octets> parts) {
    Octets all;
    for (const Octets& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

}  // namespace lfn::test
