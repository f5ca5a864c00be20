// SPDX-License-Identifier: BSD-3-Clause
// Neighbour discovery's messages before lwIP sees them. lwIP 2.2.1 takes an option of length 0 for a link-layer address
// and reads past the packet; RFC 4861 (6.1, 7.1, 8.1) has such messages discarded.
#include "lfn/stack_hooks.h"
#include "lwip/pbuf.h"

namespace {

constexpr u32_t ipv6_octets = 40;
constexpr u8_t hop_by_hop = 0, routing = 43, icmpv6 = 58, destination_options = 60;
constexpr u8_t router_solicitation = 133, redirect = 137;
constexpr u8_t message_octets[] = {8, 16, 24, 24, 40};  // without options, from router_solicitation to redirect

// Where ICMPv6 begins; 0: there is none.
u32_t icmpv6_offset(const u8_t* packet, u32_t size) {
    u8_t next = packet[6];
    u32_t at = ipv6_octets;
    while (next == hop_by_hop || next == routing || next == destination_options) {
        if (at + 2 > size) return 0;
        next = packet[at];
        at += (packet[at + 1] + 1U) * 8;
    }
    return next == icmpv6 && at < size ? at : 0;
}

bool has_bad_options(const u8_t* packet, u32_t at, u32_t size) {
    while (at < size) {
        if (at + 2 > size || packet[at + 1] == 0) return true;
        at += packet[at + 1] * 8U;
    }
    return at != size;
}

bool is_malformed(const u8_t* packet, u32_t size) {
    const u32_t at = icmpv6_offset(packet, size);
    if (at == 0 || packet[at] < router_solicitation || packet[at] > redirect) return false;
    return has_bad_options(packet, at + message_octets[packet[at] - router_solicitation], size);
}

}  // namespace

// The interface hands over packets in one piece. Behind what IPv6's length says there may be padding.
int lfn_stack_ipv6_input(pbuf* p, netif*) {
    const auto* packet = static_cast<const u8_t*>(p->payload);
    if (p->len < ipv6_octets) return 0;
    const u32_t size = ipv6_octets + static_cast<u32_t>(packet[4] << 8 | packet[5]);
    if (size > p->len || !is_malformed(packet, size)) return 0;
    pbuf_free(p);
    return 1;
}
