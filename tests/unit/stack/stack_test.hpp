// SPDX-License-Identifier: BSD-3-Clause
// Fixture: one stack with one connection, the peer of which is scripted by the test.
#pragma once

#include <gtest/gtest.h>
#include <lwip/tcp.h>

#include <cstdint>

#include "segment.hpp"
#include "wire.hpp"

namespace lfn::test {

// The test's end of the connection: it says what the next segment looks like, and keeps no other state.
struct Peer {
    std::uint16_t port = 2000;
    std::uint16_t stack_port = 1000;
    std::uint32_t iss = 0xffffff80;  // just below 2^32
    std::uint32_t seq = iss;         // of the next octet it sends
    std::uint32_t ack = 0;           // the next octet it waits for
    std::uint16_t window = 0xffff;   // as in the header
    bool timestamps = false;         // whether segments after the SYN bear one, with no echo

    Segment segment(std::uint8_t flags, Octets options = {}, Octets payload = {}) const;
};

// What the stack's user sees of the connection.
struct User {
    Octets received;
    std::uint64_t acknowledged = 0;  // octets that the stack reported as sent
    bool connected = false;
    err_t error = ERR_OK;  // of the call that ended the connection
};

class StackTest : public ::testing::Test {
protected:
    StackTest();
    ~StackTest() override;

    // Active open: SYN out, SYN-ACK with these options in, ACK out. `wire.sent` is empty afterwards.
    void connect(const Octets& syn_ack_options = {});
    // Passive open, the peer's ACK included.
    void accept(const Octets& syn_options = {});
    // The two halves of it.
    void listen();
    Segment send_syn(const Octets& syn_options = {});  // returns the SYN-ACK

    // Queues the next `size` octets of the stream and lets the stack send.
    void write(std::size_t size);
    // Octets [offset, offset + size) of the stream that write() sends.
    static Octets stream(std::uint32_t offset, std::size_t size);

    // The peer acknowledges up to this offset of the stream, and no further on each later segment.
    void peer_acks(std::uint32_t offset, const Octets& options = {});
    // The same with a window of this size in the header, now and later.
    void peer_acks(std::uint32_t offset, std::uint16_t window);
    // In-sequence data of the peer.
    void peer_sends(const Octets& payload);

    // Where in the stream that write() sends a segment of the stack begins.
    std::uint32_t offset(const Segment& segment) const { return segment.seq - first_data; }

    Wire wire;
    Peer peer;
    User user;
    tcp_pcb* pcb = nullptr;  // null once the connection is gone
    tcp_pcb* listener = nullptr;
    std::uint32_t first_data = 0;  // sequence number of the stream's first octet
    std::uint32_t written = 0;

private:
    void TearDown() override;
    void adopt(tcp_pcb* connection);
    static err_t on_accept(void* self, tcp_pcb* connection, err_t error);
    static err_t on_connected(void* self, tcp_pcb* connection, err_t error);
    static err_t on_receive(void* self, tcp_pcb* connection, pbuf* p, err_t error);
    static err_t on_sent(void* self, tcp_pcb* connection, u16_t length);
    static void on_error(void* self, err_t error);
};

}  // namespace lfn::test
