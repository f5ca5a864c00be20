// SPDX-License-Identifier: BSD-3-Clause
#include "pronet.h"

namespace {

constexpr uint8_t version = 2;
constexpr uint8_t type_ip = 1;
constexpr uint8_t type_arp = 3;

constexpr uint16_t hardware_pronet = 4;
constexpr uint16_t protocol_ip = 1;
constexpr uint16_t operation_request = 1;
constexpr uint16_t operation_reply = 2;

constexpr size_t ip_header = 20;

struct Arp {
    uint16_t operation;
    lfn_pronet_neighbour sender, target;
};

uint16_t get16(const uint8_t* at) {
    return static_cast<uint16_t>(at[0] << 8 | at[1]);
}
uint32_t get32(const uint8_t* at) {
    return static_cast<uint32_t>(get16(at)) << 16 | get16(at + 2);
}
void put16(uint8_t* at, unsigned value) {
    at[0] = static_cast<uint8_t>(value >> 8);
    at[1] = static_cast<uint8_t>(value & 0xFF);
}
void put32(uint8_t* at, uint32_t value) {
    put16(at, value >> 16);
    put16(at + 2, value & 0xFFFF);
}

void put_header(uint8_t* header, uint8_t destination, uint8_t source, uint8_t type) {
    header[0] = destination;
    header[1] = source;
    header[2] = version;
    header[3] = type;
    put16(header + 4, 0);
}

void put_neighbour(uint8_t* at, const lfn_pronet_neighbour& neighbour) {
    at[0] = neighbour.station;
    put32(at + 1, neighbour.address);
}
lfn_pronet_neighbour get_neighbour(const uint8_t* at) {
    return {get32(at + 1), at[0]};
}

void put_arp(uint8_t* message, uint8_t destination, const Arp& arp) {
    put_header(message, destination, arp.sender.station, type_arp);
    uint8_t* packet = message + LFN_PRONET_HEADER;
    put16(packet, hardware_pronet);
    put16(packet + 2, protocol_ip);
    packet[4] = 1;
    packet[5] = 4;
    put16(packet + 6, arp.operation);
    put_neighbour(packet + 8, arp.sender);
    put_neighbour(packet + 13, arp.target);
}

lfn_pronet_neighbour ourselves(const lfn_pronet& pronet) {
    return {pronet.address, pronet.station};
}

lfn_pronet_neighbour* find(lfn_pronet& pronet, uint32_t address) {
    for (auto& neighbour : pronet.neighbours) {
        if (neighbour.address == address) return &neighbour;
    }
    return nullptr;
}

// Who speaks to us gets a place; of others we only keep what we know up to date.
void learn(lfn_pronet& pronet, const lfn_pronet_neighbour& heard, bool for_us) {
    if (heard.address == 0 || heard.station == LFN_PRONET_BROADCAST) return;
    lfn_pronet_neighbour* known = find(pronet, heard.address);
    if (known == nullptr && for_us) {
        known = find(pronet, 0);  // a free place
        if (known == nullptr) {
            known = &pronet.neighbours[pronet.next_place];
            pronet.next_place = static_cast<uint8_t>((pronet.next_place + 1) % LFN_PRONET_NEIGHBOURS);
        }
    }
    if (known != nullptr) *known = heard;
    if (pronet.wanted == heard.address) pronet.wanted = 0;
}

void take_arp(lfn_pronet& pronet, const uint8_t* packet, size_t octets) {
    if (octets < LFN_PRONET_ARP_OCTETS - LFN_PRONET_HEADER) {
        ++pronet.counters.malformed;
        return;
    }
    const bool ours =
        get16(packet) == hardware_pronet && get16(packet + 2) == protocol_ip && packet[4] == 1 && packet[5] == 4;
    const Arp arp = {get16(packet + 6), get_neighbour(packet + 8), get_neighbour(packet + 13)};
    if (!ours || (arp.operation != operation_request && arp.operation != operation_reply)) {
        ++pronet.counters.alien;
        return;
    }
    const bool for_us = arp.target.address == pronet.address;
    learn(pronet, arp.sender, for_us);
    if (arp.operation == operation_reply) {
        ++pronet.counters.replies_heard;
    } else if (for_us) {
        ++pronet.counters.requests_heard;
        pronet.asker = arp.sender;
    }
}

bool is_broadcast(const lfn_pronet& pronet, uint32_t address) {
    return address == UINT32_MAX || address == (pronet.address | ~pronet.netmask);
}

uint32_t next_hop(const lfn_pronet& pronet, uint32_t destination) {
    const bool here = ((destination ^ pronet.address) & pronet.netmask) == 0;
    return here ? destination : pronet.gateway;
}

// The request itself goes out with arp_output.
lfn_pronet_reach ask_for(lfn_pronet& pronet, uint32_t address, uint32_t now_ms) {
    if (pronet.wanted != address) {
        pronet.wanted = address;
        pronet.asks = 0;
        return LFN_PRONET_ASKING;
    }
    const bool in_vain = pronet.asks >= LFN_PRONET_ASKS && now_ms - pronet.asked_ms >= LFN_PRONET_ASK_MS;
    if (!in_vain) return LFN_PRONET_ASKING;
    pronet.wanted = 0;
    return LFN_PRONET_UNREACHABLE;
}

}  // namespace

void lfn_pronet_init(lfn_pronet* pronet, uint32_t address, uint32_t netmask, uint32_t gateway, uint8_t station) {
    *pronet = {};
    pronet->address = address;
    pronet->netmask = netmask;
    pronet->gateway = gateway;
    pronet->station = station;
}

lfn_pronet_reach lfn_pronet_route(lfn_pronet* pronet, const uint8_t* datagram, size_t octets, uint32_t now_ms,
                                  uint8_t header[LFN_PRONET_HEADER]) {
    if (octets < ip_header || octets > LFN_PRONET_MTU) return LFN_PRONET_UNREACHABLE;
    const uint32_t destination = get32(datagram + 16);
    uint8_t station = LFN_PRONET_BROADCAST;
    if (!is_broadcast(*pronet, destination)) {
        const uint32_t hop = next_hop(*pronet, destination);
        if (hop == 0) return LFN_PRONET_UNREACHABLE;
        const lfn_pronet_neighbour* neighbour = find(*pronet, hop);
        if (neighbour == nullptr) return ask_for(*pronet, hop, now_ms);
        station = neighbour->station;
    }
    put_header(header, station, pronet->station, type_ip);
    return LFN_PRONET_KNOWN;
}

bool lfn_pronet_arp_output(lfn_pronet* pronet, uint32_t now_ms, uint8_t message[LFN_PRONET_ARP_OCTETS]) {
    if (pronet->asker.address != 0) {
        put_arp(message, pronet->asker.station, {operation_reply, ourselves(*pronet), pronet->asker});
        pronet->asker = {};
        ++pronet->counters.replies_sent;
        return true;
    }
    const bool due = pronet->asks == 0 || now_ms - pronet->asked_ms >= LFN_PRONET_ASK_MS;
    if (pronet->wanted == 0 || !due || pronet->asks >= LFN_PRONET_ASKS) return false;
    put_arp(message, LFN_PRONET_BROADCAST, {operation_request, ourselves(*pronet), {pronet->wanted, 0}});
    pronet->asked_ms = now_ms;
    ++pronet->asks;
    ++pronet->counters.requests_sent;
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
        take_arp(*pronet, payload, payload_octets);
        return nullptr;
    }
    if (message[3] != type_ip) {
        ++pronet->counters.alien;
        return nullptr;
    }
    *datagram_octets = payload_octets;
    return payload;
}
