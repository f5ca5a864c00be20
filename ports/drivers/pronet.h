/* SPDX-License-Identifier: BSD-3-Clause */
/* IP over ProNET-10: the header of a message, and ARP, which here finds the 8-bit station of an IP address.
 *
 *   message    destination, source (the hardware's), version 2, type, 0, 0, then the payload
 *   type       1 IP, 3 ARP (RFC 1060)
 *   ARP        hardware type 4 (RFC 990), protocol 1: ProNET's own number for IP, as RFC 1060 says is seen on these
 *              networks; address lengths 1 and 4. guess: PC/IP used hardware type 254, and 4.3BSD no ARP at all
 *   MTU        2040: a message has 2046 octets
 *
 * Pure: octets in, octets out. Addresses in host byte order.
 */
#ifndef LFN_PRONET_H
#define LFN_PRONET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arp.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LFN_PRONET_MTU = 2040,
    LFN_PRONET_HEADER = 6,
    LFN_PRONET_ARP_OCTETS = 24, /* header, and 18 of ARP */
    LFN_PRONET_BROADCAST = 0xFF
};

struct lfn_pronet_counters {
    uint32_t malformed; /* messages too short, or of another version */
    uint32_t alien;     /* of a type that we do not speak */
};

struct lfn_pronet {
    struct lfn_arp arp;
    struct lfn_pronet_counters counters;
};

void lfn_pronet_init(struct lfn_pronet* pronet, uint32_t address, uint32_t netmask, uint32_t gateway, uint8_t station);

/* Where an IPv4 datagram goes, as the header of its message. LFN_ARP_UNREACHABLE also for what is no datagram, or too
 * long. */
enum lfn_arp_reach lfn_pronet_route(struct lfn_pronet* pronet, const uint8_t* datagram, size_t octets, uint32_t now_ms,
                                    uint8_t header[LFN_PRONET_HEADER]);

/* The next ARP message to be sent, if there is one; to be called while the card can take it. */
bool lfn_pronet_arp_output(struct lfn_pronet* pronet, uint32_t now_ms, uint8_t message[LFN_PRONET_ARP_OCTETS]);

/* A message has come. Returns its datagram and sets `datagram_octets`; null if there is none in it for the stack. */
const uint8_t* lfn_pronet_input(struct lfn_pronet* pronet, const uint8_t* message, size_t octets,
                                size_t* datagram_octets);

#ifdef __cplusplus
}
#endif

#endif /* LFN_PRONET_H */
