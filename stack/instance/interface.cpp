// SPDX-License-Identifier: BSD-3-Clause
#include "interface.hpp"

#include "environment.hpp"
#include "lfn/stack_hooks.h"
#include "lwip/etharp.h"
#include "lwip/ethip6.h"
#include "lwip/netif.h"
#include "netif/ethernet.h"

namespace lfn::interface {
namespace {

netif nif;
ip6_addr_t ipv6_gateway;  // the unspecified address: none

err_t transmit(netif*, pbuf* p) {
    u8_t* frame = env.transmit_begin(env.context, p->tot_len);
    if (frame == nullptr) return ERR_MEM;
    pbuf_copy_partial(p, frame, p->tot_len, 0);
    env.transmit_end(env.context);
    return ERR_OK;
}

err_t transmit_ip(netif* out, pbuf* p, const ip4_addr_t*) {
    return transmit(out, p);
}

err_t transmit_ipv6(netif* out, pbuf* p, const ip6_addr_t*) {
    return transmit(out, p);
}

err_t init(netif* added) {
    const auto& config = *static_cast<const lfn_interface*>(added->state);
    added->name[0] = 'l';
    added->name[1] = 'f';
    added->mtu = config.mtu;
    added->linkoutput = transmit;
    added->output = transmit_ip;
    added->output_ip6 = transmit_ipv6;
    if (config.kind == LFN_LINK_ETHERNET) {
        added->output = etharp_output;
        added->output_ip6 = ethip6_output;
        added->flags = NETIF_FLAG_BROADCAST | NETIF_FLAG_ETHARP | NETIF_FLAG_ETHERNET;
        added->hwaddr_len = sizeof(config.hardware_address);
        for (u8_t i = 0; i < added->hwaddr_len; ++i) added->hwaddr[i] = config.hardware_address[i];
    }
    if (config.checksum_offload) added->chksum_flags &= static_cast<u16_t>(~NETIF_CHECKSUM_GEN_TCP);
    return ERR_OK;
}

ip4_addr_t ip4(uint32_t host_order) {
    ip4_addr_t address;
    address.addr = lwip_htonl(host_order);
    return address;
}

ip6_addr_t ip6(const uint8_t* octets) {
    ip6_addr_t address{};
    __builtin_memcpy(address.addr, octets, sizeof(address.addr));
    ip6_addr_assign_zone(&address, IP6_UNICAST, &nif);
    return address;
}

void add_ipv6(const lfn_interface& config) {
    if (!config.has_ipv6) return;
    if (config.kind == LFN_LINK_ETHERNET) netif_create_ip6_linklocal_address(&nif, 1);
    const ip6_addr_t address = ip6(config.ipv6_address);
    ipv6_gateway = ip6(config.ipv6_gateway);
    if (ip6_addr_isany(&address)) return;
    netif_ip6_addr_set(&nif, 1, &address);
    netif_ip6_addr_set_state(&nif, 1, IP6_ADDR_PREFERRED);
}

}  // namespace

void add(const lfn_interface& config) {
    const ip4_addr_t address = ip4(config.address);
    const ip4_addr_t netmask = ip4(config.netmask);
    const ip4_addr_t gateway = ip4(config.gateway);
    lfn_interface copy = config;
    netif_add(&nif, &address, &netmask, &gateway, &copy, init,
              config.kind == LFN_LINK_ETHERNET ? ethernet_input : netif_input);
    nif.state = nullptr;
    netif_set_default(&nif);
    netif_set_up(&nif);
    netif_set_link_up(&nif);
    add_ipv6(config);
}

void remove() {
    netif_remove(&nif);
}

void input(const uint8_t* frame, size_t length) {
    if (length == 0 || length > 0xffff) return;
    pbuf* p = pbuf_alloc(PBUF_RAW, static_cast<u16_t>(length), PBUF_RAM);
    if (p == nullptr) return;
    pbuf_take(p, frame, static_cast<u16_t>(length));
    if (nif.input(p, &nif) != ERR_OK) pbuf_free(p);
}

void input_verified(const uint8_t* frame, size_t length) {
    const u16_t flags = nif.chksum_flags;
    nif.chksum_flags &= static_cast<u16_t>(~NETIF_CHECKSUM_CHECK_TCP);
    input(frame, length);
    nif.chksum_flags = flags;
}

}  // namespace lfn::interface

const ip6_addr_t* lfn_stack_ipv6_gateway(const netif*, const ip6_addr_t*) {
    return ip6_addr_isany_val(lfn::interface::ipv6_gateway) ? nullptr : &lfn::interface::ipv6_gateway;
}
