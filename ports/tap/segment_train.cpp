// SPDX-License-Identifier: BSD-3-Clause
#include "ports/tap/segment_train.hpp"

#include <algorithm>
#include <cstring>

#include "ports/tap/tap_device.hpp"

namespace lfn {

namespace {

constexpr std::size_t packet_octets_max = 0xffff;
constexpr std::size_t checksum_offset = 16;  // in TCP's header
constexpr std::uint8_t flags_of_last = tcp_flag_psh | tcp_flag_fin;
constexpr std::uint8_t flags_of_train = tcp_flag_ack | flags_of_last;
constexpr std::size_t pieces_max = 512;  // Linux takes 1024 (UIO_MAXIOV)

bool equal(const TcpView& left, const TcpView& right, std::size_t offset, std::size_t octets) {
    return std::memcmp(left.frame + offset, right.frame + offset, octets) == 0;
}

// All of Ethernet and IP but lengths, IPv4's identification and its checksum.
bool same_network(const TcpView& left, const TcpView& right) {
    constexpr std::size_t ip = ethernet_header_octets;
    if (left.ipv6 != right.ipv6 || !equal(left, right, 0, ethernet_header_octets)) return false;
    if (left.ipv6) return equal(left, right, ip, 4) && equal(left, right, ip + 6, 34);
    return equal(left, right, ip, 2) && equal(left, right, ip + 6, 4) && equal(left, right, ip + 12, 8);
}

// All of TCP but sequence number, flags and checksum.
bool same_transport(const TcpView& left, const TcpView& right) {
    const std::size_t tcp = left.tcp_offset;
    return left.payload_offset == right.payload_offset && equal(left, right, tcp, 4) &&
           equal(left, right, tcp + 8, 5) && equal(left, right, tcp + 14, 2) &&
           equal(left, right, tcp + 18, left.payload_offset - tcp - 18);
}

}  // namespace

bool continues(const TcpView& first, std::size_t octets, const TcpView& next) {
    const bool plain = ((first.flags | next.flags) & ~flags_of_train) == 0 && (next.flags & tcp_flag_ack) != 0;
    const std::size_t headers = first.payload_offset - ethernet_header_octets;
    return plain && first.payload_octets > 0 && octets % first.payload_octets == 0 && next.payload_octets > 0 &&
           next.payload_octets <= first.payload_octets && headers + octets + next.payload_octets <= packet_octets_max &&
           next.seq == first.seq + static_cast<std::uint32_t>(octets) && same_network(first, next) &&
           same_transport(first, next);
}

SegmentTrain::SegmentTrain() {
    pieces_.reserve(pieces_max);
}

void SegmentTrain::add_piece(const std::uint8_t* octets, std::size_t size) {
    pieces_.push_back({const_cast<std::uint8_t*>(octets), size});  // writev() only reads
}

std::size_t SegmentTrain::build(const TransmitQueue& queue, bool offload) {
    pieces_.clear();
    vnet_ = {};
    if (offload) pieces_.push_back({&vnet_, sizeof(vnet_)});
    pieces_before_frame_ = pieces_.size();
    const TransmitQueue::Frame& head = queue[0];
    if (offload && head.tcp) return gather(queue, *head.tcp);
    add_piece(head.room.get(), head.size);
    frame_octets_ = head.size;
    return 1;
}

std::span<const std::uint8_t> SegmentTrain::frame() {
    frame_.clear();
    for (const iovec& piece : std::span(pieces_).subspan(pieces_before_frame_)) {
        const auto* octets = static_cast<const std::uint8_t*>(piece.iov_base);
        frame_.insert(frame_.end(), octets, octets + piece.iov_len);
    }
    return frame_;
}

std::size_t SegmentTrain::gather(const TransmitQueue& queue, const TcpView& first) {
    std::size_t frames = 1;
    std::size_t octets = first.payload_octets;
    std::uint8_t flags = first.flags;
    add_piece(headers_.data(), first.payload_offset);
    add_piece(first.frame + first.payload_offset, first.payload_octets);
    while ((flags & tcp_flag_fin) == 0 && frames < queue.size() && pieces_.size() < pieces_max) {
        const TransmitQueue::Frame& next = queue[frames];
        if (next.superseded || !next.tcp || !continues(first, octets, *next.tcp)) break;
        add_piece(next.tcp->frame + next.tcp->payload_offset, next.tcp->payload_octets);
        octets += next.tcp->payload_octets;
        flags |= next.tcp->flags;
        ++frames;
    }
    write_headers(first, octets, flags);
    frame_octets_ = first.payload_offset + octets;
    if (frames > 1) {
        vnet_.gso_type = first.ipv6 ? vnet_gso_tcpv6 : vnet_gso_tcpv4;
        vnet_.gso_size = static_cast<std::uint16_t>(first.payload_octets);
    }
    return frames;
}

void SegmentTrain::write_headers(const TcpView& first, std::size_t payload_octets, std::uint8_t flags) {
    std::copy_n(first.frame, first.payload_offset, headers_.begin());
    std::uint8_t* ip = headers_.data() + ethernet_header_octets;
    std::uint8_t* tcp = headers_.data() + first.tcp_offset;
    const std::size_t tcp_octets = first.payload_offset - first.tcp_offset + payload_octets;
    if (first.ipv6) {
        store_be16(ip + 4, tcp_octets);
    } else {
        store_be16(ip + 2, tcp_octets + (first.tcp_offset - ethernet_header_octets));
        store_be16(ip + 10, 0);
        store_be16(ip + 10, internet_checksum({ip, first.tcp_offset - ethernet_header_octets}));
    }
    tcp[13] = flags;
    store_be16(tcp + checksum_offset, pseudo_header_sum(first, tcp_octets));
    vnet_.flags = vnet_needs_csum;
    vnet_.hdr_len = static_cast<std::uint16_t>(first.payload_offset);
    vnet_.csum_start = static_cast<std::uint16_t>(first.tcp_offset);
    vnet_.csum_offset = checksum_offset;
}

}  // namespace lfn
