// SPDX-License-Identifier: BSD-3-Clause
// ProNET input: any message, at any time, from the ring through the card and its driver to the datagram that a stack
// gets, and ARP's share of it; beside it datagrams that are sent, refusals, damaged messages, lost tokens.
//
// However it went, in the end the driver sends and receives as on the first day.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "emulators/nic/p1300.hpp"
#include "ports/drivers/p1300.h"
#include "ports/drivers/pronet.h"
#include "tests/datasheet/isa_io.hpp"
#include "tests/fuzz/nic/script_ring.hpp"

namespace lfn::fuzz {
namespace {

constexpr std::uint8_t own_station = 0x2A;
constexpr std::uint8_t broadcast = LFN_PRONET_BROADCAST;
constexpr std::uint32_t base = 0x300;
constexpr std::uint32_t network = 0x0A000000;
constexpr std::uint32_t own_address = network + 1;
constexpr std::uint32_t gateway = network + 9;
constexpr std::uint32_t start_ms = 0xFFFFFF00;  // the clock wraps
constexpr Duration access_time = std::chrono::microseconds(1);
constexpr std::uint8_t canary = 0xC5;

class Bench {
public:
    explicit Bench(std::span<const std::uint8_t> input)
        : script_(input),
          ring_(loop_, script_, own_station),
          card_(loop_, ring_, {.address = own_station}),
          bus_(card_, base),
          under_(bus_.face()),
          arrival_(loop_, Callback::bind<&Bench::arrive>(*this)) {
        io_ = {in8, out8, in16, out16, this};
        card_.irq.connect(Callback::bind<&Bench::on_line>(*this));
        INVARIANT(lfn_p1300_init(&nic_, &io_, base));
        INVARIANT(nic_.station == own_station);
        lfn_pronet_init(&pronet_, own_address, 0xFFFFFF00, gateway, nic_.station);
    }

    void run() {
        while (!script_.done()) {
            step();
            check();
        }
        expect_alive();
    }

    const NicP1300::State& state() const { return card_.state(); }
    Time now() const { return loop_.now(); }

private:
    // The bus: every access takes its time.
    static Bench& self(void* context) {
        static_cast<Bench*>(context)->loop_.run_for(access_time);
        return *static_cast<Bench*>(context);
    }
    static std::uint8_t in8(void* context, std::uint32_t port) { return lfn_io_in8(&self(context).under_, port); }
    static void out8(void* context, std::uint32_t port, std::uint8_t value) {
        lfn_io_out8(&self(context).under_, port, value);
    }
    static std::uint16_t in16(void* context, std::uint32_t port) { return lfn_io_in16(&self(context).under_, port); }
    static void out16(void* context, std::uint32_t port, std::uint16_t value) {
        lfn_io_out16(&self(context).under_, port, value);
    }

    void on_line() {
        if (card_.irq.level()) lfn_p1300_interrupt(&nic_);
    }
    std::uint32_t now_ms() const {
        return start_ms + static_cast<std::uint32_t>(nanoseconds_of(loop_.now()) / 1'000'000);
    }

    void step() {
        const unsigned action = script_.byte();
        const unsigned low = action & 0x0F;
        switch (action >> 4) {
            case 0:
            case 1:
                return pass(any_message(), low);
            case 2:
            case 3:
            case 4:
                return pass(arp_message(low), 0);
            case 5:
                return pass(ip_message(low), 0);
            case 6:
            case 7:
            case 8:
            case 9:
                poll((low & 1) == 0 ? LFN_P1300_MESSAGE_MAX : script_.word() % (LFN_P1300_MESSAGE_MAX + 1));
                return;
            case 10:
            case 11:
            case 12:
                return send(low);
            case 13:
                return pass_later(ip_message(low));
            default:
                loop_.run_for(script_.delay());
        }
    }

    std::uint8_t destination() {
        const unsigned choice = script_.byte();
        return choice % 4 == 0 ? broadcast : choice % 4 == 1 ? static_cast<std::uint8_t>(choice) : own_station;
    }

    std::vector<std::uint8_t> any_message() {
        std::vector<std::uint8_t> bytes(script_.word() % 2100);
        for (std::size_t i = 0; i < bytes.size(); ++i)
            bytes[i] = i < 32 ? script_.byte() : static_cast<std::uint8_t>(i);
        return bytes;
    }

    /// Sound, but for what the script says of operation, sender and target; a few octets may lack, or be too many.
    std::vector<std::uint8_t> arp_message(unsigned low) {
        std::vector<std::uint8_t> bytes = {destination(), 0, 2, 3, 0, 0, 0, 4, 0, 1, 1, 4, 0, 0};
        bytes[13] = static_cast<std::uint8_t>(1 + low % 2);
        for (int who = 0; who < 2; ++who) {
            const std::uint8_t station = script_.byte();
            const std::uint8_t address = script_.byte() % 16;
            bytes.insert(bytes.end(), {station, 10, 0, 0, address});
        }
        if ((low & 8) != 0) bytes.resize(script_.byte() % 40);
        if ((low & 4) != 0 && !bytes.empty()) bytes[script_.byte() % bytes.size()] = script_.byte();
        return bytes;
    }

    std::vector<std::uint8_t> ip_message(unsigned low) {
        std::vector<std::uint8_t> bytes = {destination(), 0, 2, 1, 0, 0};
        bytes.resize(low == 0 ? 6 : 6 + script_.word() % 2041, 0x45);
        return bytes;
    }

    void pass(const std::vector<std::uint8_t>& bytes, unsigned flags) {
        if (bytes.empty()) return;
        card_.message_started(bytes[0]);
        loop_.run_for(pronet::wire_time(bytes.size()));
        card_.message_ended({.bytes = bytes, .parity_error = (flags & 1) != 0, .bad_format = (flags & 2) != 0});
    }

    /// It comes while the driver is at something else.
    void pass_later(std::vector<std::uint8_t> bytes) {
        later_ = std::move(bytes);
        arrival_.schedule_after(script_.byte() * access_time);
    }
    void arrive() {
        card_.message_started(later_[0]);
        card_.message_ended({.bytes = later_});
    }

    /// As the lab's driver does it: what has come, then what ARP has to say. The datagram's octets.
    std::span<const std::uint8_t> poll(std::size_t room) {
        room_.fill(canary);
        const std::size_t octets = lfn_p1300_poll(&nic_, now_ms(), room_.data(), room);
        INVARIANT(octets <= room);
        INVARIANT(octets == 0 || octets >= 2);
        INVARIANT(std::all_of(room_.begin() + static_cast<std::ptrdiff_t>(room), room_.end(),
                              [](std::uint8_t octet) { return octet == canary; }));
        std::span<const std::uint8_t> datagram;
        if (octets != 0) {
            std::size_t size = 0;
            const std::uint8_t* payload = lfn_pronet_input(&pronet_, room_.data(), octets, &size);
            if (payload != nullptr) {
                INVARIANT(payload == room_.data() + LFN_PRONET_HEADER && size + LFN_PRONET_HEADER == octets);
                datagram = {payload, size};
            }
        }
        ask();
        return datagram;
    }

    void ask() {
        std::array<std::uint8_t, LFN_PRONET_ARP_OCTETS> message;
        if (lfn_p1300_sending(&nic_) || !lfn_pronet_arp_output(&pronet_, now_ms(), message.data())) return;
        const bool is_request = message[13] == 1;
        INVARIANT(message[1] == own_station && message[2] == 2 && message[3] == 3);
        INVARIANT((message[0] == broadcast) == is_request);  // nobody makes us shout an answer
        INVARIANT(lfn_p1300_transmit(&nic_, message.data(), message.size(), nullptr, 0, now_ms()) == LFN_SEND_STARTED);
    }

    void send(unsigned low) {
        std::vector<std::uint8_t> datagram(low == 15 ? script_.word() % 2100 : 20 + script_.byte());
        const std::uint32_t to = low == 14 ? 0xC0000200U + script_.byte() : network + script_.byte() % 16;
        for (std::size_t i = 0; i < 4 && datagram.size() >= 20; ++i) {
            datagram[16 + i] = static_cast<std::uint8_t>(to >> (24 - 8 * i));
        }
        std::array<std::uint8_t, LFN_PRONET_HEADER> header;
        const lfn_arp_reach reach =
            lfn_pronet_route(&pronet_, datagram.data(), datagram.size(), now_ms(), header.data());
        if (reach == LFN_ARP_ASKING) ask();
        if (reach != LFN_ARP_KNOWN) return;
        INVARIANT(datagram.size() >= 20 && datagram.size() <= LFN_PRONET_MTU);
        const bool was_sending = lfn_p1300_sending(&nic_);
        const lfn_send_result result =
            lfn_p1300_transmit(&nic_, header.data(), header.size(), datagram.data(), datagram.size(), now_ms());
        INVARIANT(result == (was_sending ? LFN_SEND_BUSY : LFN_SEND_STARTED));
    }

    void check() const {
        const lfn_arp& arp = pronet_.arp;
        for (const lfn_arp_neighbour& neighbour : arp.neighbours) {
            if (neighbour.address == 0) continue;
            INVARIANT(neighbour.hardware[0] != broadcast);
            const auto same = [&](const lfn_arp_neighbour& other) { return other.address == neighbour.address; };
            INVARIANT(std::ranges::count_if(arp.neighbours, same) == 1);
            INVARIANT(neighbour.address != arp.wanted);
        }
        INVARIANT(arp.asks <= LFN_ARP_ASKS && arp.next_place < LFN_ARP_NEIGHBOURS);
        INVARIANT(arp.counters.replies_sent <= arp.counters.requests_heard);
        INVARIANT(card_.irq.level() == false || nic_.announced);  // nothing is left in the card without a word
        INVARIANT(ring_.closed());
        INVARIANT(ring_.last().size() % 2 == 0);
        const lfn_p1300_counters& c = nic_.counters;
        INVARIANT(c.watchdog_resets == 0 && c.token_failures == 0);  // the token comes
        INVARIANT(c.unannounced == 0);
    }

    void settle() {
        for (int i = 0; i < 8000 && (lfn_p1300_sending(&nic_) || i < 100); ++i) {
            loop_.run_for(std::chrono::microseconds(500));
            poll(LFN_P1300_MESSAGE_MAX);
        }
        INVARIANT(!lfn_p1300_sending(&nic_));
    }

    void expect_alive() {
        settle();
        std::array<std::uint8_t, 100> message{0x11, 0, 2, 1};
        const std::uint32_t sent = nic_.counters.sent;
        INVARIANT(lfn_p1300_transmit(&nic_, message.data(), message.size(), nullptr, 0, now_ms()) == LFN_SEND_STARTED);
        settle();
        INVARIANT(nic_.counters.sent > sent);
        message[0] = own_station;
        pass({message.begin(), message.end()}, 0);
        INVARIANT(poll(LFN_P1300_MESSAGE_MAX).size() == message.size() - LFN_PRONET_HEADER);
        check();
    }

    Loop loop_;
    Script script_;
    ScriptRing ring_;
    NicP1300 card_;
    test::IsaIo bus_;
    lfn_io under_;
    Timer arrival_;
    std::vector<std::uint8_t> later_;
    lfn_io io_{};
    lfn_p1300 nic_{};
    lfn_pronet pronet_{};
    std::array<std::uint8_t, LFN_P1300_MESSAGE_MAX + 64> room_{};
};

}  // namespace
}  // namespace lfn::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    lfn::fuzz::Bench first({data, size});
    lfn::fuzz::Bench second({data, size});
    first.run();
    second.run();
    INVARIANT(first.state() == second.state());
    INVARIANT(first.now() == second.now());
    return 0;
}
