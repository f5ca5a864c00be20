// SPDX-License-Identifier: BSD-3-Clause
// RFC 1030's packet costs on a PC/AT, copying and header formatting included: 8 ms to send or receive 1990 bytes over
// the P1300, 6.0 ms to send and 6.1 ms to receive 1438 bytes over the 3C500. Driver, card, host and wire together come
// out within 2 %. To send is: from the user's data to the message's end on the wire, noticed. To receive is: from the
// message's begin on the wire to the data with the user. NETBLT's headers make 1500 bytes of 1438 and 2046 of 1990.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "emulators/host/processor.hpp"
#include "emulators/host/profile.hpp"
#include "emulators/link/ethernet_segment.hpp"
#include "emulators/link/pronet_ring.hpp"
#include "emulators/nic/3c500.hpp"
#include "emulators/nic/p1300.hpp"
#include "ports/drivers/3c500.h"
#include "ports/drivers/p1300.h"
#include "ports/lab/card_io.hpp"

namespace lfn::lab {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t ethernet_data = 1438;
constexpr std::size_t ethernet_bytes = 1500;
constexpr std::size_t ring_data = 1990;
constexpr std::size_t ring_bytes = 2046;

// Whoever is at the other end: takes everything, costs nothing.
struct Peer final : EthernetStation, RingStation {
    void frame_started() override {}
    void frame_ended(const EthernetFrame&) override {}
    void transmission_ended(EthernetOutcome) override {}
    void message_started(std::uint8_t) override {}
    bool message_ended(const RingMessage& message) override { return message.bytes[0] == 2; }
    void token_seized() override {}
    void message_returned(RingReturn) override {}
};

struct Mac3c500 {
    explicit Mac3c500(Loop& loop) : segment(loop, {}), card(loop, segment, {}) {
        segment.attach(card);
        segment.attach(peer);
    }
    ~Mac3c500() {
        segment.detach(card);
        segment.detach(peer);
    }
    bool init(const lfn_io* io) { return lfn_3c500_init(&nic, io, 0x300); }
    bool send(std::uint32_t now_ms) {
        return lfn_3c500_transmit(&nic, frame.data(), frame.size(), now_ms) == LFN_SEND_STARTED;
    }
    bool sending() const { return lfn_3c500_sending(&nic); }
    std::size_t poll(std::uint32_t now_ms) { return lfn_3c500_poll(&nic, now_ms, room.data(), room.size()); }
    void interrupt() { lfn_3c500_interrupt(&nic); }
    void peer_sends() {
        std::copy(std::begin(nic.address), std::end(nic.address), frame.begin());
        segment.transmit(peer, {.bytes = frame});
    }

    EthernetSegment segment;
    Nic3c500 card;
    Peer peer;
    lfn_3c500 nic;
    std::vector<std::uint8_t> frame = std::vector<std::uint8_t>(ethernet_bytes, 0x55);
    std::vector<std::uint8_t> room = std::vector<std::uint8_t>(LFN_3C500_FRAME_MAX);
    static constexpr std::uint32_t data_ports = 1U << 0xF;
    static constexpr std::size_t data = ethernet_data;
};

struct MacP1300 {
    explicit MacP1300(Loop& loop) : ring(loop, {.silent_stations = 38}), card(loop, ring, {.address = 1}) {
        ring.attach(card);
        ring.attach(peer);
        ring.set_relay(peer, true);
        const std::uint8_t token_maker[] = {2, 2};
        ring.originate(peer, token_maker, true);
        loop.run_for(milliseconds(10));
    }
    bool init(const lfn_io* io) { return lfn_p1300_init(&nic, io, 0x300); }
    bool send(std::uint32_t now_ms) {
        return lfn_p1300_transmit(&nic, frame.data(), 6, frame.data() + 6, frame.size() - 6, now_ms) ==
               LFN_SEND_STARTED;
    }
    bool sending() const { return lfn_p1300_sending(&nic); }
    std::size_t poll(std::uint32_t now_ms) { return lfn_p1300_poll(&nic, now_ms, room.data(), room.size()); }
    void interrupt() { lfn_p1300_interrupt(&nic); }
    void peer_sends() {
        frame[0] = 1;
        ring.originate(peer, frame, true);
    }

    PronetRing ring;
    NicP1300 card;
    Peer peer;
    lfn_p1300 nic;
    std::vector<std::uint8_t> frame = std::vector<std::uint8_t>(ring_bytes, 2);
    std::vector<std::uint8_t> room = std::vector<std::uint8_t>(LFN_P1300_MESSAGE_MAX);
    static constexpr std::uint32_t data_ports = 1U << 1 | 1U << 5;
    static constexpr std::size_t data = ring_data;
};

// A PC/AT that sends one packet and receives one.
template <class Mac>
class Machine {
public:
    Machine()
        : mac(loop),
          processor(loop, Callback::bind<&Machine::program>(*this)),
          io(mac.card, processor, {.access_cost = profile.port_access.value, .data_ports = Mac::data_ports}) {
        mac.card.irq.connect(Callback::bind<&Machine::on_line>(*this));
        processor.start();
        loop.run_for(milliseconds(100));
        received_from = loop.now();
        mac.peer_sends();
        loop.run_for(milliseconds(100));
    }
    ~Machine() {
        mac.card.irq.connect({});
        processor.finish();
    }

    Duration to_send{}, to_receive{};

private:
    void on_line() {
        if (!mac.card.irq.level()) return;
        mac.interrupt();
        processor.interrupt(profile.interrupt.value);
    }
    std::uint32_t now_ms() const { return static_cast<std::uint32_t>(nanoseconds_of(processor.now()) / 1'000'000); }
    void spend_on(const Sourced<Duration>& packet) {
        processor.spend(Work::protocol, packet.value);
        processor.spend(Work::copying, profile.copy_octet.value * static_cast<Duration::rep>(Mac::data));
        processor.settle();
    }
    void program() {
        if (!mac.init(io.face())) return;
        const Time begin = processor.now();
        spend_on(profile.send_packet);
        if (!mac.send(now_ms())) return;
        while (mac.sending() && !processor.stopping()) {
            processor.wait();
            mac.poll(now_ms());
        }
        processor.settle();
        to_send = processor.now() - begin;
        while (mac.poll(now_ms()) == 0 && !processor.stopping()) processor.wait();
        spend_on(profile.receive_packet);
        to_receive = processor.now() - received_from;
    }

    const HostProfile& profile = *find_host_profile("pc-at-8");
    Loop loop;
    Mac mac;
    Time received_from{};
    Processor processor;
    CardIo io;
};

// Within 2 % of what was published.
void expect_near(const char* what, double published_ms, Duration measured) {
    const double measured_ms = seconds_of(measured) * 1e3;
    std::printf("%-28s RFC 1030 %4.1f ms, here %5.2f ms\n", what, published_ms, measured_ms);
    EXPECT_NEAR(measured_ms, published_ms, 0.02 * published_ms);
}

TEST(Calibration, sending_1438_bytes_over_the_3c500_takes_6_0_ms) {
    expect_near("3C500, sending 1438 bytes", 6.0, Machine<Mac3c500>().to_send);
}
TEST(Calibration, receiving_1438_bytes_over_the_3c500_takes_6_1_ms) {
    expect_near("3C500, receiving 1438 bytes", 6.1, Machine<Mac3c500>().to_receive);
}
TEST(Calibration, sending_1990_bytes_over_the_p1300_takes_8_ms) {
    expect_near("P1300, sending 1990 bytes", 8.0, Machine<MacP1300>().to_send);
}
TEST(Calibration, receiving_1990_bytes_over_the_p1300_takes_8_ms) {
    expect_near("P1300, receiving 1990 bytes", 8.0, Machine<MacP1300>().to_receive);
}

}  // namespace
}  // namespace lfn::lab
