// SPDX-License-Identifier: BSD-3-Clause
#include "arp.h"

#include "octets.hpp"

namespace {

using namespace lfn::octets;

constexpr uint8_t everybody = 0xFF;  // in every octet
constexpr uint8_t ip_octets = 4;
constexpr uint16_t operation_request = 1;
constexpr uint16_t operation_reply = 2;

// Offsets in a packet; the addresses follow, the sender's first.
constexpr size_t protocol_at = 2;
constexpr size_t hardware_octets_at = 4;
constexpr size_t protocol_octets_at = 5;
constexpr size_t operation_at = 6;
constexpr size_t sender_at = 8;

using Neighbour = lfn_arp_neighbour;

size_t place_octets(const lfn_arp_medium& medium) {
    return size_t{medium.hardware_octets} + ip_octets;
}

void copy_hardware(const lfn_arp& arp, const uint8_t* from, uint8_t* to) {
    for (size_t i = 0; i < arp.medium.hardware_octets; ++i) to[i] = from[i];
}

void put_everybody(const lfn_arp& arp, uint8_t* to) {
    for (size_t i = 0; i < arp.medium.hardware_octets; ++i) to[i] = everybody;
}

bool is_everybody(const lfn_arp& arp, const Neighbour& neighbour) {
    for (size_t i = 0; i < arp.medium.hardware_octets; ++i) {
        if (neighbour.hardware[i] != everybody) return false;
    }
    return true;
}

void put_neighbour(const lfn_arp& arp, uint8_t* at, const Neighbour& neighbour) {
    copy_hardware(arp, neighbour.hardware, at);
    put32(at + arp.medium.hardware_octets, neighbour.address);
}

Neighbour get_neighbour(const lfn_arp& arp, const uint8_t* at) {
    Neighbour neighbour{};
    copy_hardware(arp, at, neighbour.hardware);
    neighbour.address = get32(at + arp.medium.hardware_octets);
    return neighbour;
}

size_t put_packet(const lfn_arp& arp, uint8_t* packet, uint16_t operation, const Neighbour& target) {
    put16(packet, arp.medium.hardware_type);
    put16(packet + protocol_at, arp.medium.protocol_type);
    packet[hardware_octets_at] = arp.medium.hardware_octets;
    packet[protocol_octets_at] = ip_octets;
    put16(packet + operation_at, operation);
    put_neighbour(arp, packet + sender_at, arp.self);
    put_neighbour(arp, packet + sender_at + place_octets(arp.medium), target);
    return lfn_arp_packet_octets(&arp.medium);
}

bool is_of(const lfn_arp_medium& medium, const uint8_t* packet) {
    const uint16_t operation = get16(packet + operation_at);
    return get16(packet) == medium.hardware_type && get16(packet + protocol_at) == medium.protocol_type &&
           packet[hardware_octets_at] == medium.hardware_octets && packet[protocol_octets_at] == ip_octets &&
           (operation == operation_request || operation == operation_reply);
}

Neighbour* find(lfn_arp& arp, uint32_t address) {
    for (auto& neighbour : arp.neighbours) {
        if (neighbour.address == address) return &neighbour;
    }
    return nullptr;
}

Neighbour* make_place(lfn_arp& arp) {
    Neighbour* place = find(arp, 0);
    if (place != nullptr) return place;
    place = &arp.neighbours[arp.next_place];
    arp.next_place = static_cast<uint8_t>((arp.next_place + 1) % LFN_ARP_NEIGHBOURS);
    return place;
}

// Who speaks to us, and whom we look for, gets a place; of others we only keep what we know up to date.
void learn(lfn_arp& arp, const Neighbour& heard, bool for_us) {
    if (heard.address == 0) return;
    Neighbour* known = find(arp, heard.address);
    if (known == nullptr && (for_us || heard.address == arp.wanted)) known = make_place(arp);
    if (known != nullptr) *known = heard;
    if (arp.wanted == heard.address) arp.wanted = 0;
}

bool is_broadcast(const lfn_arp& arp, uint32_t address) {
    return address == UINT32_MAX || address == (arp.self.address | ~arp.netmask);
}

uint32_t next_hop(const lfn_arp& arp, uint32_t destination) {
    const bool here = ((destination ^ arp.self.address) & arp.netmask) == 0;
    return here ? destination : arp.gateway;
}

// The request itself goes out with lfn_arp_output.
lfn_arp_reach ask_for(lfn_arp& arp, uint32_t address, uint32_t now_ms) {
    if (arp.wanted != address) {
        arp.wanted = address;
        arp.asks = 0;
        return LFN_ARP_ASKING;
    }
    const bool in_vain = arp.asks >= LFN_ARP_ASKS && now_ms - arp.asked_ms >= LFN_ARP_ASK_MS;
    if (!in_vain) return LFN_ARP_ASKING;
    arp.wanted = 0;
    return LFN_ARP_UNREACHABLE;
}

}  // namespace

size_t lfn_arp_packet_octets(const lfn_arp_medium* medium) {
    return sender_at + 2 * place_octets(*medium);
}

void lfn_arp_init(lfn_arp* arp, const lfn_arp_medium* medium, uint32_t address, uint32_t netmask, uint32_t gateway,
                  const uint8_t* hardware) {
    *arp = {};
    arp->medium = *medium;
    arp->netmask = netmask;
    arp->gateway = gateway;
    arp->self.address = address;
    copy_hardware(*arp, hardware, arp->self.hardware);
}

lfn_arp_reach lfn_arp_route(lfn_arp* arp, uint32_t destination, uint32_t now_ms, uint8_t* hardware) {
    if (is_broadcast(*arp, destination)) {
        put_everybody(*arp, hardware);
        return LFN_ARP_KNOWN;
    }
    const uint32_t hop = next_hop(*arp, destination);
    if (hop == 0) return LFN_ARP_UNREACHABLE;
    const Neighbour* neighbour = find(*arp, hop);
    if (neighbour == nullptr) return ask_for(*arp, hop, now_ms);
    copy_hardware(*arp, neighbour->hardware, hardware);
    return LFN_ARP_KNOWN;
}

size_t lfn_arp_output(lfn_arp* arp, uint32_t now_ms, uint8_t packet[LFN_ARP_PACKET_MAX], uint8_t* hardware) {
    if (arp->asker.address != 0) {
        const Neighbour asker = arp->asker;
        arp->asker = {};
        copy_hardware(*arp, asker.hardware, hardware);
        ++arp->counters.replies_sent;
        return put_packet(*arp, packet, operation_reply, asker);
    }
    const bool due = arp->asks == 0 || now_ms - arp->asked_ms >= LFN_ARP_ASK_MS;
    if (arp->wanted == 0 || !due || arp->asks >= LFN_ARP_ASKS) return 0;
    arp->asked_ms = now_ms;
    ++arp->asks;
    ++arp->counters.requests_sent;
    put_everybody(*arp, hardware);
    return put_packet(*arp, packet, operation_request, {.address = arp->wanted, .hardware = {}});
}

void lfn_arp_input(lfn_arp* arp, const uint8_t* packet, size_t octets) {
    if (octets < lfn_arp_packet_octets(&arp->medium)) {
        ++arp->counters.malformed;
        return;
    }
    if (!is_of(arp->medium, packet)) {
        ++arp->counters.alien;
        return;
    }
    const Neighbour sender = get_neighbour(*arp, packet + sender_at);
    if (is_everybody(*arp, sender)) {  // or our answer, and all our datagrams, would go to everybody
        ++arp->counters.malformed;
        return;
    }
    const bool for_us =
        get_neighbour(*arp, packet + sender_at + place_octets(arp->medium)).address == arp->self.address;
    learn(*arp, sender, for_us);
    if (get16(packet + operation_at) == operation_reply) {
        ++arp->counters.replies_heard;
    } else if (for_us) {
        ++arp->counters.requests_heard;
        arp->asker = sender;
    }
}
