// SPDX-License-Identifier: BSD-3-Clause
#include "ports/tap/vnet_header.hpp"

#include <cstring>

#include "ports/tap/tap_device.hpp"

namespace lfn {

namespace {

constexpr std::size_t frame_octets_max = 0xffff;  // what the stack's buffers count to

bool is_known_train(const VnetHeader& header) {
    const int type = header.gso_type & ~vnet_gso_ecn;
    if (type == vnet_gso_none) return true;
    const bool tcp = type == vnet_gso_tcpv4 || type == vnet_gso_tcpv6;
    return tcp && header.gso_size > 0 && (header.flags & vnet_needs_csum) != 0;
}

bool checksum_is_inside(const VnetHeader& header, std::size_t frame_octets) {
    if ((header.flags & vnet_needs_csum) == 0) return true;
    return std::size_t{header.csum_start} + header.csum_offset + sizeof(std::uint16_t) <= frame_octets;
}

}  // namespace

std::optional<VnetFrame> parse_vnet(std::span<const std::uint8_t> message) {
    if (message.size() < vnet_header_octets + ethernet_header_octets) return std::nullopt;
    VnetHeader header;
    std::memcpy(&header, message.data(), sizeof(header));
    const std::span<const std::uint8_t> frame = message.subspan(vnet_header_octets);
    if (frame.size() > frame_octets_max || !is_known_train(header) || !checksum_is_inside(header, frame.size())) {
        return std::nullopt;
    }
    const bool train = (header.gso_type & ~vnet_gso_ecn) != vnet_gso_none;
    constexpr int trusted = vnet_needs_csum | vnet_data_valid;
    return VnetFrame{frame, (header.flags & trusted) != 0, train ? header.gso_size : std::uint16_t{0}};
}

}  // namespace lfn
