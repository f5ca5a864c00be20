/* SPDX-License-Identifier: BSD-3-Clause */
/* ARP (RFC 826) for IPv4 over any medium whose hardware addresses have up to six octets: which station has an address,
 * and who asks for ours.
 *
 * A datagram whose next hop is not known yet is left with the caller (LFN_ARP_ASKING), who keeps it as he keeps one
 * that a busy card does not take. Pure: octets in, octets out. IP addresses in host byte order. No timers but `now_ms`,
 * any clock modulo 2^32.
 */
#ifndef LFN_ARP_H
#define LFN_ARP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LFN_ARP_HARDWARE_MAX = 6,
    LFN_ARP_PACKET_MAX = 28, /* 8, and twice a hardware address and an IP address */
    LFN_ARP_NEIGHBOURS = 8,
    LFN_ARP_ASK_MS = 1000, /* between requests */
    LFN_ARP_ASKS = 4       /* requests without an answer; then the datagram is to be dropped */
};

enum lfn_arp_reach {
    LFN_ARP_KNOWN,      /* the hardware address is filled in */
    LFN_ARP_ASKING,     /* try again later */
    LFN_ARP_UNREACHABLE /* nobody answers, or there is no route: drop it */
};

struct lfn_arp_medium {
    uint16_t hardware_type, protocol_type;
    uint8_t hardware_octets; /* 1 to LFN_ARP_HARDWARE_MAX; the address of all ones is everybody's */
};

/* A neighbour stays known until its place is needed; one that moves says so when it asks or answers. */
struct lfn_arp_neighbour {
    uint32_t address; /* 0: free */
    uint8_t hardware[LFN_ARP_HARDWARE_MAX];
};

struct lfn_arp_counters {
    uint32_t requests_sent, replies_sent, requests_heard, replies_heard;
    uint32_t malformed; /* cut short, or from everybody */
    uint32_t alien;     /* for another medium or protocol, or neither request nor reply */
};

struct lfn_arp {
    struct lfn_arp_medium medium;
    uint32_t netmask, gateway;
    struct lfn_arp_neighbour self;
    struct lfn_arp_neighbour neighbours[LFN_ARP_NEIGHBOURS];
    uint8_t next_place;
    uint32_t wanted; /* whom we ask for; 0: nobody */
    uint32_t asked_ms;
    uint8_t asks;
    struct lfn_arp_neighbour asker; /* whom we owe an answer */
    struct lfn_arp_counters counters;
};

/* `hardware`: our own address, medium.hardware_octets of it. `gateway` 0: none. */
void lfn_arp_init(struct lfn_arp* arp, const struct lfn_arp_medium* medium, uint32_t address, uint32_t netmask,
                  uint32_t gateway, const uint8_t* hardware);

/* The hardware address, of medium.hardware_octets, to which a datagram for `destination` goes. */
enum lfn_arp_reach lfn_arp_route(struct lfn_arp* arp, uint32_t destination, uint32_t now_ms, uint8_t* hardware);

/* The next packet to be sent and the hardware address it goes to; to be called while the card can take it. Returns its
 * octets; 0: none. */
size_t lfn_arp_output(struct lfn_arp* arp, uint32_t now_ms, uint8_t packet[LFN_ARP_PACKET_MAX], uint8_t* hardware);

/* A packet has come; what is behind it, as padding, is ignored. */
void lfn_arp_input(struct lfn_arp* arp, const uint8_t* packet, size_t octets);

/* Octets of a packet on this medium. */
size_t lfn_arp_packet_octets(const struct lfn_arp_medium* medium);

#ifdef __cplusplus
}
#endif

#endif /* LFN_ARP_H */
