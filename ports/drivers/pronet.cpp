// SPDX-License-Identifier: BSD-3-Clause
#include "pronet.h"

#include "octets.hpp"

namespace {

using namespace lfn::octets;

constexpr uint8_t version = 2;
constexpr uint8_t type_ip = 1;
constexpr uint8_t type_arp = 3;
constexpr lfn_arp_medium medium = {.hardware_type = 4, .protocol_type = 1, .hardware_octets = 1};
constexpr size_t ip_header = 20;
constexpr size_t ip_destination_at = 16;

// The destination is there already. The hardware puts the source in, whatever is said here.
void put_header(const lfn_pronet& pronet, uint8_t* header, uint8_t type) {
    header[1] = pronet.arp.self.hardware[0];
    header[2] = version;
    header[3] = type;
    put16(header + 4, 0);
}

}  // namespace

void lfn_pronet_init(lfn_pronet* pronet, uint32_t address, uint32_t netmask, uint32_t gateway, uint8_t station) {
    *pronet = {};
    lfn_arp_init(&pronet->arp, &medium, address, netmask, gateway, &station);
}

lfn_arp_reach lfn_pronet_route(lfn_pronet* pronet, const uint8_t* datagram, size_t octets, uint32_t now_ms,
                               uint8_t header[LFN_PRONET_HEADER]) {
    if (octets < ip_header || octets > LFN_PRONET_MTU) return LFN_ARP_UNREACHABLE;
    const lfn_arp_reach reach = lfn_arp_route(&pronet->arp, get32(datagram + ip_destination_at), now_ms, header);
    if (reach == LFN_ARP_KNOWN) put_header(*pronet, header, type_ip);
    return reach;
}

bool lfn_pronet_arp_output(lfn_pronet* pronet, uint32_t now_ms, uint8_t message[LFN_PRONET_ARP_OCTETS]) {
    uint8_t packet[LFN_ARP_PACKET_MAX];
    const size_t octets = lfn_arp_output(&pronet->arp, now_ms, packet, message);
    if (octets == 0) return false;
    put_header(*pronet, message, type_arp);
    for (size_t i = 0; i < octets; ++i) message[LFN_PRONET_HEADER + i] = packet[i];
    return true;
}

const uint8_t* lfn_pronet_input(lfn_pronet* pronet, const uint8_t* message, size_t octets, size_t* datagram_octets) {
    if (octets < LFN_PRONET_HEADER || message[2] != version) {
        ++pronet->counters.malformed;
        return nullptr;
    }
    const uint8_t* payload = message + LFN_PRONET_HEADER;
    const size_t payload_octets = octets - LFN_PRONET_HEADER;
    if (message[3] == type_arp) {
        lfn_arp_input(&pronet->arp, payload, payload_octets);
        return nullptr;
    }
    if (message[3] != type_ip) {
        ++pronet->counters.alien;
        return nullptr;
    }
    *datagram_octets = payload_octets;
    return payload;
}
