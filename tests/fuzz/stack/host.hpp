// SPDX-License-Identifier: BSD-3-Clause
// One patched stack with everything on, between a scripted wire and a scripted application: a listener and one
// connection that was accepted from it. What must hold after every input is checked here.
#pragma once

#include <lwip/priv/tcp_priv.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>

#include "segment.hpp"

// Like assert, but also in a release build.
#define INVARIANT(condition)                                                             \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            std::abort();                                                                \
        }                                                                                \
    } while (false)

struct netif;

namespace lfn::fuzz {

using test::Octets;
using test::Segment;

inline constexpr std::uint32_t kStackAddress = 0x0a000001;
inline constexpr std::uint32_t kPeerAddress = 0x0a000002;
inline constexpr std::uint16_t kStackPort = 1000;
inline constexpr std::uint16_t kPeerPort = 2000;
inline constexpr std::uint16_t kMss = 536;

// Octet of either direction's stream at this sequence number.
std::uint8_t stream_octet(std::uint32_t seq);

class Host {
public:
    Host();
    // Ends everything, and checks that nothing is left.
    ~Host();
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

    // The connection; null once it has ended.
    tcp_pcb* pcb = nullptr;
    // The first peer's sequence number behind its SYN, and ours.
    std::uint32_t peer_first = 0;

    // Inputs. Each ends with a check of what must hold.
    void inject(const Segment& segment, std::size_t split);
    void inject_packet(std::span<const std::uint8_t> packet, std::size_t split);
    void pass(std::uint32_t duration_ms);
    void set_busy(bool busy);
    void write(std::uint16_t size);
    void set_reading(bool reading);
    void set_option(int option, int value);
    void shut();
    // From now on what arrives need not be the stream.
    void distrust() { trusted_ = false; }

    // For the stack.
    err_t transmit(pbuf* packet);
    err_t accept(tcp_pcb* connection);
    err_t receive(pbuf* p);
    void ended() { pcb = nullptr; }

private:
    struct Before {
        std::uint32_t unacknowledged;  // octets written and not acknowledged
        bool alive;
    };
    Before begin();
    void check(const Before& before, std::uint32_t duration_ms);
    void check_queues() const;
    void check_state() const;
    void check_output(const Segment& segment) const;
    void input(pbuf* p);

    netif* interface_;
    tcp_pcb* listener_ = nullptr;
    std::uint32_t stack_first_ = 0;
    bool established_ = false;
    bool busy_ = false;
    bool reading_ = true;
    bool trusted_ = true;
    std::uint32_t unread_ = 0;
    std::uint32_t received_ = 0;
    std::size_t octets_out_ = 0;
    std::size_t segments_out_ = 0;
};

}  // namespace lfn::fuzz
