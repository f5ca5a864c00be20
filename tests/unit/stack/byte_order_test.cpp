// SPDX-License-Identifier: BSD-3-Clause
// The stack as a big-endian machine runs it. The machine here may be a little-endian one: then a header's fields hold
// numbers in its own order (so this file builds the packet with the stack's own macros), but whatever the stack puts
// together octet by octet must give the same number on both.
#include <gtest/gtest.h>
#include <lwip/priv/tcp_priv.h>
#include <lwip/prot/ip4.h>
#include <lwip/prot/tcp.h>
#include <lwip/tcp.h>

#include <cstring>

#include "stack_test.hpp"

namespace lfn::test {
namespace {

using ByteOrder = StackTest;

static_assert(BYTE_ORDER == BIG_ENDIAN);

Octets syn_packet(const Peer& peer, const Octets& options) {
    const std::size_t size = IP_HLEN + TCP_HLEN + options.size();
    ip_hdr ip{};
    IPH_VHL_SET(&ip, 4, IP_HLEN / 4);
    IPH_LEN_SET(&ip, lwip_htons(static_cast<u16_t>(size)));
    IPH_TTL_SET(&ip, 64);
    IPH_PROTO_SET(&ip, IP_PROTO_TCP);
    ip.src.addr = lwip_htonl(kPeerAddress);
    ip.dest.addr = lwip_htonl(kStackAddress);
    tcp_hdr tcp{};
    tcp.src = lwip_htons(peer.port);
    tcp.dest = lwip_htons(peer.stack_port);
    tcp.seqno = lwip_htonl(peer.seq);
    TCPH_HDRLEN_FLAGS_SET(&tcp, (TCP_HLEN + options.size()) / 4, flag::syn);
    tcp.wnd = lwip_htons(peer.window);

    Octets packet(size);
    std::memcpy(packet.data(), &ip, IP_HLEN);
    std::memcpy(packet.data() + IP_HLEN, &tcp, TCP_HLEN);
    std::copy(options.begin(), options.end(), packet.begin() + IP_HLEN + TCP_HLEN);
    return packet;
}

TEST_F(ByteOrder, timestamp_is_read_alike_on_big_endian_machines) {
    wire.busy = true;  // the answer is of no interest
    listen();
    wire.inject_packet(syn_packet(peer, timestamps_option(0x11223344, 0)));
    ASSERT_NE(tcp_active_pcbs, nullptr);
    EXPECT_EQ(tcp_active_pcbs->ts_recent, 0x11223344U);
}

TEST_F(ByteOrder, mss_is_read_alike_on_big_endian_machines) {
    wire.busy = true;
    listen();
    wire.inject_packet(syn_packet(peer, mss_option(700)));
    ASSERT_NE(tcp_active_pcbs, nullptr);
    EXPECT_EQ(tcp_active_pcbs->mss, 700);
}

}  // namespace
}  // namespace lfn::test
