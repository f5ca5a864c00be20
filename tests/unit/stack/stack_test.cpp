// SPDX-License-Identifier: BSD-3-Clause
#include "stack_test.hpp"

#include <lwip/priv/tcp_priv.h>

#include <utility>

extern "C" unsigned lfn_test_pcb_size(void);

namespace lfn::test {
namespace {

ip_addr_t address_of(std::uint32_t host_order) {
    return ip_addr_t{lwip_htonl(host_order)};
}

void check_no_pcb_is_left() {
    EXPECT_EQ(tcp_active_pcbs, nullptr);
    EXPECT_EQ(tcp_tw_pcbs, nullptr);
    EXPECT_EQ(tcp_bound_pcbs, nullptr);
    EXPECT_EQ(tcp_listen_pcbs.pcbs, nullptr);
}

}  // namespace

Segment Peer::segment(std::uint8_t flags, Octets options, Octets payload) const {
    const bool stamped = timestamps && (flags & (flag::syn | flag::rst)) == 0;
    if (stamped) options = join({timestamps_option(now_ms() + 1, 0), options});
    return {port, stack_port, seq, ack, flags, window, std::move(options), std::move(payload)};
}

StackTest::StackTest() {
    EXPECT_EQ(sizeof(tcp_pcb), lfn_test_pcb_size()) << "stack and test are built differently";
}

StackTest::~StackTest() = default;

void StackTest::TearDown() {
    if (pcb != nullptr) tcp_abort(pcb);
    if (listener != nullptr) tcp_close(listener);
    while (tcp_tw_pcbs != nullptr) tcp_abort(tcp_tw_pcbs);
    while (tcp_active_pcbs != nullptr) tcp_abort(tcp_active_pcbs);
    run_ms(2 * TCP_TMR_INTERVAL);  // the timer ends itself once it finds nothing to do
    check_no_pcb_is_left();
    EXPECT_FALSE(stack_timer_is_booked());
    EXPECT_EQ(stack_blocks_in_use(), 0U);
}

void StackTest::adopt(tcp_pcb* connection) {
    pcb = connection;
    tcp_arg(pcb, this);
    tcp_recv(pcb, on_receive);
    tcp_sent(pcb, on_sent);
    tcp_err(pcb, on_error);
    tcp_nagle_disable(pcb);
}

void StackTest::connect(const Octets& syn_ack_options) {
    const ip_addr_t remote = address_of(kPeerAddress);
    adopt(tcp_new());
    ASSERT_EQ(tcp_bind(pcb, IP_ADDR_ANY, peer.stack_port), ERR_OK);
    ASSERT_EQ(tcp_connect(pcb, &remote, peer.port, on_connected), ERR_OK);
    const Segment syn = wire.take();
    ASSERT_EQ(syn.flags, flag::syn) << syn;
    first_data = peer.ack = syn.seq + 1;
    wire.inject(peer.segment(flag::syn | flag::ack, syn_ack_options));
    ++peer.seq;
    ASSERT_TRUE(user.connected);
    ASSERT_EQ(wire.take().flags, flag::ack);
}

void StackTest::listen() {
    tcp_pcb* closed = tcp_new();
    ASSERT_EQ(tcp_bind(closed, IP_ADDR_ANY, peer.stack_port), ERR_OK);
    listener = tcp_listen(closed);
    ASSERT_NE(listener, nullptr);
    tcp_arg(listener, this);
    tcp_accept(listener, on_accept);
}

Segment StackTest::send_syn(const Octets& syn_options) {
    wire.inject(peer.segment(flag::syn, syn_options));
    ++peer.seq;
    Segment syn_ack = wire.take();
    EXPECT_EQ(syn_ack.flags, flag::syn | flag::ack) << syn_ack;
    first_data = peer.ack = syn_ack.seq + 1;
    return syn_ack;
}

void StackTest::accept(const Octets& syn_options) {
    listen();
    send_syn(syn_options);
    wire.inject(peer.segment(flag::ack));
    ASSERT_TRUE(user.connected);
}

Octets StackTest::stream(std::uint32_t offset, std::size_t size) {
    Octets octets(size);
    for (auto& octet : octets) {
        octet = static_cast<std::uint8_t>((offset + 1) * 2654435761U >> 24);  // no period that a segment could share
        ++offset;
    }
    return octets;
}

void StackTest::write(std::size_t size) {
    const Octets octets = stream(written, size);
    ASSERT_EQ(tcp_write(pcb, octets.data(), static_cast<u16_t>(size), TCP_WRITE_FLAG_COPY), ERR_OK);
    written += static_cast<std::uint32_t>(size);
    tcp_output(pcb);
}

void StackTest::peer_acks(std::uint32_t offset, const Octets& options) {
    peer.ack = first_data + offset;
    wire.inject(peer.segment(flag::ack, options));
}

void StackTest::peer_acks(std::uint32_t offset, std::uint16_t window) {
    peer.window = window;
    peer_acks(offset);
}

void StackTest::peer_sends(const Octets& payload) {
    wire.inject(peer.segment(flag::ack | flag::psh, {}, payload));
    peer.seq += static_cast<std::uint32_t>(payload.size());
}

err_t StackTest::on_accept(void* self, tcp_pcb* connection, err_t error) {
    auto& test = *static_cast<StackTest*>(self);
    if (error != ERR_OK || connection == nullptr) return ERR_VAL;
    test.adopt(connection);
    test.user.connected = true;
    return ERR_OK;
}

err_t StackTest::on_connected(void* self, tcp_pcb*, err_t) {
    static_cast<StackTest*>(self)->user.connected = true;
    return ERR_OK;
}

err_t StackTest::on_receive(void* self, tcp_pcb* connection, pbuf* p, err_t) {
    auto& received = static_cast<StackTest*>(self)->user.received;
    if (p == nullptr) return ERR_OK;  // the peer has closed its half
    const std::size_t before = received.size();
    received.resize(before + p->tot_len);
    pbuf_copy_partial(p, received.data() + before, p->tot_len, 0);
    tcp_recved(connection, p->tot_len);
    pbuf_free(p);
    return ERR_OK;
}

err_t StackTest::on_sent(void* self, tcp_pcb*, u16_t length) {
    static_cast<StackTest*>(self)->user.acknowledged += length;
    return ERR_OK;
}

void StackTest::on_error(void* self, err_t error) {
    auto& test = *static_cast<StackTest*>(self);
    test.pcb = nullptr;
    test.user.error = error;
}

}  // namespace lfn::test
