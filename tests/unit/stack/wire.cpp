// SPDX-License-Identifier: BSD-3-Clause
#include "wire.hpp"

#include <gtest/gtest.h>
#include <lwip/init.h>
#include <lwip/memp.h>
#include <lwip/netif.h>
#include <lwip/pbuf.h>
#include <lwip/prot/tcp.h>
#include <lwip/stats.h>
#include <lwip/sys.h>
#include <lwip/timeouts.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "config/stack_test_hooks.h"

namespace lfn::test {
namespace {

std::uint32_t clock_ms = 0;
Wire* current = nullptr;

struct CustomPbuf {
    pbuf_custom header;  // first: the stack hands back a pointer to it
    std::unique_ptr<std::uint8_t[]> octets;
};

void free_custom(pbuf* p) {
    delete reinterpret_cast<CustomPbuf*>(p);
}

// A pbuf whose memory ends with its last octet, so that a sanitizer sees the first octet read too much.
pbuf* exact_pbuf(std::span<const std::uint8_t> octets) {
    auto* custom = new CustomPbuf{};
    custom->octets = std::make_unique<std::uint8_t[]>(octets.size());
    std::copy(octets.begin(), octets.end(), custom->octets.get());
    custom->header.custom_free_function = free_custom;
    const auto length = static_cast<u16_t>(octets.size());
    return pbuf_alloced_custom(PBUF_RAW, length, PBUF_REF, &custom->header, custom->octets.get(), length);
}

err_t output(netif*, pbuf* packet, const ip4_addr_t*) {
    return current->transmit(packet);
}

err_t set_up(netif* interface) {
    interface->output = output;
    interface->name[0] = 't';
    interface->name[1] = 't';
    return ERR_OK;
}

void init_stack_once() {
    static bool done = false;
    if (!done) lwip_init();
    done = true;
}

}  // namespace

std::uint32_t now_ms() {
    return clock_ms;
}

void run_ms(std::uint32_t duration_ms) {
    while (duration_ms > 0) {
        const std::uint32_t step = std::min(duration_ms, std::max<std::uint32_t>(1, sys_timeouts_sleeptime()));
        clock_ms += step;
        duration_ms -= step;
        sys_check_timeouts();
    }
}

Wire::Wire(std::uint16_t mtu) : interface_(new netif{}) {
    init_stack_once();
    current = this;
    const ip4_addr_t address{lwip_htonl(kStackAddress)};
    const ip4_addr_t mask{lwip_htonl(0xffffff00)};
    const ip4_addr_t gateway{lwip_htonl(kPeerAddress)};
    netif_add(interface_, &address, &mask, &gateway, nullptr, set_up, netif_input);
    interface_->mtu = mtu;
    netif_set_default(interface_);
    netif_set_up(interface_);
    netif_set_link_up(interface_);
}

Wire::~Wire() {
    netif_remove(interface_);
    delete interface_;
    current = nullptr;
}

Segment Wire::take() {
    if (sent.empty()) {
        ADD_FAILURE() << "the stack has sent nothing";
        return {};
    }
    Segment segment = std::move(sent.front().segment);
    sent.pop_front();
    return segment;
}

void Wire::inject(const Segment& segment, std::size_t split) {
    constexpr std::size_t ip_header = 20;
    inject_packet(encode({kPeerAddress, kStackAddress}, segment), split == 0 ? 0 : ip_header + split);
}

void Wire::inject_packet(std::span<const std::uint8_t> packet, std::size_t split) {
    const std::size_t first = split == 0 ? packet.size() : std::min(packet.size(), split);
    pbuf* p = exact_pbuf(packet.first(first));
    if (first < packet.size()) pbuf_cat(p, exact_pbuf(packet.subspan(first)));
    if (interface_->input(p, interface_) != ERR_OK) pbuf_free(p);
}

err_t Wire::transmit(pbuf* packet) {
    if (busy) {
        ++refused;
        return ERR_MEM;
    }
    Octets octets(packet->tot_len);
    pbuf_copy_partial(packet, octets.data(), packet->tot_len, 0);
    const auto segment = decode(octets);
    EXPECT_TRUE(segment.has_value()) << "a packet that is no TCP segment, or with a wrong checksum";
    if (segment) sent.push_back({clock_ms, *segment});
    return ERR_OK;
}

std::size_t stack_blocks_in_use() {
    std::size_t blocks = 0;
    for (const auto* pool : lwip_stats.memp) blocks += pool->used;
    return blocks + lwip_stats.mem.used;
}

bool stack_timer_is_booked() {
    return sys_timeouts_sleeptime() != SYS_TIMEOUTS_SLEEPTIME_INFINITE;
}

}  // namespace lfn::test

extern "C" {

u32_t sys_now() {
    return lfn::test::clock_ms;
}

void lfn_test_assertion(const char* message, const char* file, int line) {
    ADD_FAILURE_AT(file, line) << "the stack asserts: " << message;
    std::abort();
}

u32_t lfn_test_isn() {
    return lfn::test::current->isn;
}

u8_t lfn_test_option_length(const tcp_pcb*) {
    return static_cast<u8_t>(lfn::test::current == nullptr ? 0 : lfn::test::current->added_options.size());
}

u32_t* lfn_test_add_options(tcp_hdr*, const tcp_pcb*, u32_t* options) {
    const auto& added = lfn::test::current->added_options;
    if (!added.empty()) std::memcpy(options, added.data(), added.size());
    return options + added.size() / sizeof *options;
}

err_t lfn_test_input(const tcp_pcb* pcb, const tcp_hdr* header, u16_t optlen, u16_t opt1len, const u8_t* opt2) {
    const auto& on_input = lfn::test::current->on_input;
    if (!on_input) return ERR_OK;
    const u8_t* first = reinterpret_cast<const u8_t*>(header) + TCP_HLEN;
    const u16_t first_length = opt2 == nullptr ? optlen : opt1len;
    lfn::test::Octets options(first, first + first_length);
    if (opt2 != nullptr) options.insert(options.end(), opt2, opt2 + (optlen - opt1len));
    return on_input(pcb, options);
}
}
