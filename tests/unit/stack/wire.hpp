// SPDX-License-Identifier: BSD-3-Clause
// The stack's only network interface, with the test at its other end, and the stack's clock.
#pragma once

#include <lwip/err.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>

#include "segment.hpp"

struct netif;
struct pbuf;
struct tcp_pcb;

namespace lfn::test {

inline constexpr std::uint32_t kStackAddress = 0x0a000001;  // 10.0.0.1
inline constexpr std::uint32_t kPeerAddress = 0x0a000002;   // 10.0.0.2

// Milliseconds of virtual time, from 0 at the start of the process. Nothing moves them but these.
std::uint32_t now_ms();
// Lets time pass; the stack's timers run when they are due.
void run_ms(std::uint32_t duration_ms);

// One at a time. The interface is up while the object lives.
class Wire {
public:
    explicit Wire(std::uint16_t mtu = 1500);
    ~Wire();
    Wire(const Wire&) = delete;
    Wire& operator=(const Wire&) = delete;

    // A segment that the stack sent, and when.
    struct Sent {
        std::uint32_t at_ms;
        Segment segment;
    };

    // Everything sent and not yet taken, in order. A packet that is no well-formed segment fails the test.
    std::deque<Sent> sent;
    // While true, the driver answers ERR_MEM and records nothing but the count.
    bool busy = false;
    std::size_t refused = 0;

    // Takes the oldest segment off `sent`; fails the test, and returns an empty segment, if there is none.
    Segment take();

    // Gives the segment to the stack as a packet from the peer, in memory of exactly its size. With
    // 0 < split < size of the TCP segment, the packet is two pbufs, the second of which starts `split` octets behind
    // the start of the TCP header. The stack wants the first 20 octets in one piece.
    void inject(const Segment& segment, std::size_t split = 0);
    // The same with any packet, well-formed or not; the second pbuf starts at octet `split` of the packet.
    void inject_packet(std::span<const std::uint8_t> packet, std::size_t split = 0);

    // What the stack's hooks ask for. The initial sequence number starts just below 2^32.
    std::uint32_t isn = 0xffffff00;
    // Options that the stack adds to every outgoing segment; a multiple of four octets.
    Octets added_options;
    // Called for each incoming segment with its control block and its option octets.
    std::function<err_t(const tcp_pcb* pcb, const Octets& options)> on_input;

    err_t transmit(pbuf* packet);

private:
    netif* interface_;
};

// Blocks that the stack has allocated and not given back, by the stack's own count.
std::size_t stack_blocks_in_use();
// True if a timeout of the stack is booked.
bool stack_timer_is_booked();

}  // namespace lfn::test
