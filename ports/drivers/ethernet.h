/* SPDX-License-Identifier: BSD-3-Clause */
/* IP over Ethernet (RFC 894) with ARP (RFC 826), for who has no stack that does it: a gateway.
 *
 * Pure: octets in, octets out. Addresses in host byte order.
 */
#ifndef LFN_ETHERNET_H
#define LFN_ETHERNET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arp.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LFN_ETHERNET_MTU = 1500,
    LFN_ETHERNET_HEADER = 14,
    LFN_ETHERNET_ARP_OCTETS = 42 /* header, and 28 of ARP; padding is the card's */
};

struct lfn_ethernet_counters {
    uint32_t malformed; /* frames too short */
    uint32_t alien;     /* of a type that we do not speak, or for another station */
};

struct lfn_ethernet {
    struct lfn_arp arp;
    struct lfn_ethernet_counters counters;
};

void lfn_ethernet_init(struct lfn_ethernet* ethernet, uint32_t address, uint32_t netmask, uint32_t gateway,
                       const uint8_t station[LFN_ARP_HARDWARE_MAX]);

/* Where an IPv4 datagram goes, as the header of its frame. LFN_ARP_UNREACHABLE also for what is no datagram, or too
 * long. */
enum lfn_arp_reach lfn_ethernet_route(struct lfn_ethernet* ethernet, const uint8_t* datagram, size_t octets,
                                      uint32_t now_ms, uint8_t header[LFN_ETHERNET_HEADER]);

/* The next ARP frame to be sent, if there is one; to be called while the card can take it. */
bool lfn_ethernet_arp_output(struct lfn_ethernet* ethernet, uint32_t now_ms, uint8_t frame[LFN_ETHERNET_ARP_OCTETS]);

/* A frame has come. Returns its datagram and sets `datagram_octets`, padding included; null if there is none in it. */
const uint8_t* lfn_ethernet_input(struct lfn_ethernet* ethernet, const uint8_t* frame, size_t octets,
                                  size_t* datagram_octets);

#ifdef __cplusplus
}
#endif

#endif /* LFN_ETHERNET_H */
