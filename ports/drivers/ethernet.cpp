// SPDX-License-Identifier: BSD-3-Clause
#include "ethernet.h"

#include "octets.hpp"

namespace {

using namespace lfn::octets;

constexpr uint16_t type_ip = 0x0800;
constexpr uint16_t type_arp = 0x0806;
constexpr lfn_arp_medium medium = {.hardware_type = 1, .protocol_type = type_ip, .hardware_octets = 6};
constexpr size_t type_at = 12;
constexpr size_t ip_header = 20;
constexpr size_t ip_destination_at = 16;

// The destination is there already.
void put_header(const lfn_ethernet& ethernet, uint8_t* header, uint16_t type) {
    for (size_t i = 0; i < LFN_ARP_HARDWARE_MAX; ++i) header[LFN_ARP_HARDWARE_MAX + i] = ethernet.arp.self.hardware[i];
    put16(header + type_at, type);
}

// To us or, by the group bit, to many.
bool is_for_us(const lfn_ethernet& ethernet, const uint8_t* frame) {
    if ((frame[0] & 1) != 0) return true;
    for (size_t i = 0; i < LFN_ARP_HARDWARE_MAX; ++i) {
        if (frame[i] != ethernet.arp.self.hardware[i]) return false;
    }
    return true;
}

}  // namespace

void lfn_ethernet_init(lfn_ethernet* ethernet, uint32_t address, uint32_t netmask, uint32_t gateway,
                       const uint8_t station[LFN_ARP_HARDWARE_MAX]) {
    *ethernet = {};
    lfn_arp_init(&ethernet->arp, &medium, address, netmask, gateway, station);
}

lfn_arp_reach lfn_ethernet_route(lfn_ethernet* ethernet, const uint8_t* datagram, size_t octets, uint32_t now_ms,
                                 uint8_t header[LFN_ETHERNET_HEADER]) {
    if (octets < ip_header || octets > LFN_ETHERNET_MTU) return LFN_ARP_UNREACHABLE;
    const lfn_arp_reach reach = lfn_arp_route(&ethernet->arp, get32(datagram + ip_destination_at), now_ms, header);
    if (reach == LFN_ARP_KNOWN) put_header(*ethernet, header, type_ip);
    return reach;
}

bool lfn_ethernet_arp_output(lfn_ethernet* ethernet, uint32_t now_ms, uint8_t frame[LFN_ETHERNET_ARP_OCTETS]) {
    if (lfn_arp_output(&ethernet->arp, now_ms, frame + LFN_ETHERNET_HEADER, frame) == 0) return false;
    put_header(*ethernet, frame, type_arp);
    return true;
}

const uint8_t* lfn_ethernet_input(lfn_ethernet* ethernet, const uint8_t* frame, size_t octets,
                                  size_t* datagram_octets) {
    if (octets < LFN_ETHERNET_HEADER) {
        ++ethernet->counters.malformed;
        return nullptr;
    }
    const uint16_t type = get16(frame + type_at);
    if (!is_for_us(*ethernet, frame) || (type != type_ip && type != type_arp)) {
        ++ethernet->counters.alien;
        return nullptr;
    }
    const uint8_t* payload = frame + LFN_ETHERNET_HEADER;
    const size_t payload_octets = octets - LFN_ETHERNET_HEADER;
    if (type == type_arp) {
        lfn_arp_input(&ethernet->arp, payload, payload_octets);
        return nullptr;
    }
    *datagram_octets = payload_octets;
    return payload;
}
