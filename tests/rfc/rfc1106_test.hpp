// SPDX-License-Identifier: BSD-3-Clause
// Fixture: one patched stack with the extension linked in, its peer scripted by the test, which speaks RFC 1106 too.
#pragma once

#include <lwip/priv/tcp_priv.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "lfn/big_window.h"
#include "lfn/loss_policy.h"
#include "lfn/nak_receiver.h"
#include "lfn/tcp.h"
#include "lfn/tcp_options.h"
#include "stack_test.hpp"

namespace lfn::test {

// Option kinds of the wire form rfc1106, as the tests write them down by hand.
namespace kind {
inline constexpr std::uint8_t a = 65;
inline constexpr std::uint8_t b = 66;
inline constexpr std::uint8_t c = 67;
inline constexpr std::uint8_t exid = 253;
}  // namespace kind

Octets a_option(std::uint32_t seq, std::uint8_t segments);
Octets b_option(std::uint32_t window);
Octets c_option(std::uint16_t high);
Octets c_of(std::uint32_t window);
Octets sack_permitted_option();

// One option A that the stack sent.
struct Named {
    std::uint32_t seq;
    std::uint8_t segments;
    bool operator==(const Named&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Named& named);
// All of them in a segment (wire form rfc1106), in order.
std::vector<Named> naks_of(const Segment& segment);
// What option C and the header say together; nothing without C.
std::optional<std::uint32_t> window_of(const Segment& segment);

inline constexpr std::uint16_t kMss = 536;
// RFC 1323's and RFC 2018's options are in the build, and the peer speaks them.
inline constexpr bool kTimestamps = LWIP_TCP_TIMESTAMPS != 0;
// Data octets of a full segment that carries option C in the form rfc1106.
inline constexpr std::uint16_t kFull = kMss - 4 - (kTimestamps ? 12 : 0);
inline constexpr std::uint32_t kBig = 300'000;

class Rfc1106Test : public StackTest {
protected:
    Rfc1106Test();

    // The MSS, and what else the build's peer puts into its SYN.
    static Octets common_syn();
    // Active open with `settings`; the peer answers with these options. The first returns the SYN.
    Segment send_connect();
    void finish_connect(const Octets& syn_ack_options);
    void connect_with(const Octets& syn_ack_options);
    // Passive open: the listener has `settings`, the peer sends these options in its SYN. Returns the SYN-ACK.
    Segment answer_syn(const Octets& syn_options);
    // Passive open with all of it agreed; the peer's window is `peer_window`. `wire.sent` is empty afterwards.
    void agree();
    // The same without option B: A is assumed, the window is RFC 793's.
    void agree_on_nak_alone();

    // A segment of the peer with C (if agreed) and more options. `says` does not move peer.seq.
    void says(std::uint8_t flags, const Octets& options = {}, const Octets& payload = {});
    // An acknowledgement up to this offset of the stream, with more options than C.
    void acks(std::uint32_t offset, const Octets& options = {});
    // Data of the peer's stream at this offset, out of order or not. Content: stream().
    void peer_sends_at(std::uint32_t offset, std::size_t size);
    void names(std::uint32_t offset, std::uint8_t segments) { acks(acked(), a_option(first_data + offset, segments)); }
    std::uint32_t acked() const { return peer.ack - first_data; }

    // Writes this many full segments, all of which leave at once, and forgets them.
    void fly(std::uint32_t segments);
    std::vector<Segment> take_all();
    // Offsets in the stream of the data segments in `wire.sent`, which is empty afterwards.
    std::vector<std::uint32_t> take_offsets();
    lfn_tcp_info info() const;

    lfn_tcp_settings settings{};
    std::uint32_t handshake_ms = 0;  // the round trip that agree() shows
    std::uint32_t peer_window = kBig;
    bool peer_says_c = false;
    std::uint32_t peer_first = 0;  // sequence number of the peer's first data octet

private:
    static err_t on_connected(void* self, tcp_pcb* connection, err_t error);
    static err_t on_receive(void* self, tcp_pcb* connection, pbuf* p, err_t error);
    static void on_error(void* self, err_t error);
};

// Option A, both sides.
class Nak : public Rfc1106Test {};

}  // namespace lfn::test
