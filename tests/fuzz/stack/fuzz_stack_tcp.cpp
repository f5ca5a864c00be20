// SPDX-License-Identifier: BSD-3-Clause
// TCP input of a whole stack. The input is a script: one octet says what happens, the next ones are its operands. Most
// segments are nearly plausible ones of the connection's peer, so that they get past the first checks; some are raw.
#include <lwip/sys.h>

#include <array>
#include <vector>

#include "host.hpp"
#include "lfn/tcp.h"

namespace lfn::fuzz {
namespace {

class Script {
public:
    explicit Script(std::span<const std::uint8_t> input) : input_(input) {}
    bool done() const { return at_ >= input_.size(); }
    std::uint8_t octet() { return done() ? std::uint8_t{0} : input_[at_++]; }
    std::uint16_t word() {
        const unsigned low = octet();
        return static_cast<std::uint16_t>(low | static_cast<unsigned>(octet()) << 8);
    }
    Octets octets(std::size_t size) {
        Octets all(size);
        for (auto& one : all) one = octet();
        return all;
    }

private:
    std::span<const std::uint8_t> input_;
    std::size_t at_ = 0;
};

void put32(Octets& out, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(value >> shift));
}

// Near `base`: at it, or within a few segments, or anywhere.
std::uint32_t near(Script& script, std::uint32_t base) {
    const std::uint8_t how = script.octet();
    switch (how & 3) {
        case 0:
            return base;
        case 1:
            return base + (how >> 2) * 532U;
        case 2:
            return base + script.word();
        default:
            return base - (how >> 2) * 131U;
    }
}

Octets options_of(Script& script, const tcp_pcb& pcb) {
    Octets options;
    const std::uint8_t what = script.octet();
    if ((what & 1) != 0) {
        const std::uint8_t high = script.octet();
        options.insert(options.end(),
                       {67, 4, static_cast<std::uint8_t>(high & 0x80), static_cast<std::uint8_t>(high & 7)});
    }
    for (int i = what >> 1 & 3; i > 0; --i) {
        options.insert(options.end(), {1, 65, 7});
        put32(options, near(script, pcb.lastack));
        options.push_back(script.octet());
    }
    if ((what & 8) != 0) {
        options.insert(options.end(), {1, 1, 8, 10});
        put32(options, sys_now() + script.octet());
        put32(options, sys_now() - script.octet());
    }
    if ((what & 16) != 0) {
        const Octets raw = script.octets(script.octet() % 40);
        options.insert(options.end(), raw.begin(), raw.end());
    }
    if (options.size() > 40) options.resize(40);
    return options;
}

void send_segment(Script& script, Host& host) {
    if (host.pcb == nullptr) return;
    constexpr std::array<std::uint8_t, 8> kFlags{0x10, 0x10, 0x18, 0x10, 0x11, 0x12, 0x14, 0x00};
    Segment segment;
    segment.source_port = kPeerPort;
    segment.destination_port = kStackPort;
    const std::uint8_t flags = script.octet();
    segment.flags = static_cast<std::uint8_t>(kFlags[flags % kFlags.size()] | (flags & 0xc0));  // ECE, CWR
    segment.tos = flags >> 4 & 3;
    segment.seq = near(script, host.pcb->rcv_nxt);
    segment.ack = near(script, (script.octet() & 1) != 0 ? host.pcb->snd_nxt : host.pcb->lastack);
    segment.window = script.word();
    segment.options = options_of(script, *host.pcb);
    const std::uint16_t shape = script.word();
    for (std::uint16_t i = 0; i < shape % 537; ++i) {
        segment.payload.push_back(stream_octet(segment.seq + i));
    }
    host.inject(segment, (shape & 0x8000) != 0 ? 20 + shape / 537 % 41 : 0);
}

// A segment to the listener, or to nobody.
void send_stray(Script& script, Host& host) {
    Segment segment;
    segment.source_port = static_cast<std::uint16_t>(kPeerPort + 1 + script.octet() % 4);
    segment.destination_port = static_cast<std::uint16_t>(kStackPort + (script.octet() & 1));
    segment.flags = (script.octet() & 3) != 0 ? std::uint8_t{0x02} : script.octet();
    segment.seq = script.word();
    segment.ack = 0xffffff01 + (script.octet() & 1);
    segment.window = script.word();
    segment.options = script.octets(script.octet() % 41);
    host.inject(segment, 0);
}

void send_raw(Script& script, Host& host) {
    host.distrust();
    Octets packet = script.octets(script.octet());
    if (packet.size() >= 20 && (script.octet() & 1) != 0) {
        packet[0] = 0x45;
        packet[9] = 6;
    }
    host.inject_packet(packet, script.octet());
}

void set_option(Script& script, Host& host) {
    constexpr std::array<int, 5> kOptions{LFN_TCP_RENAK, LFN_TCP_DUP_ACKS, LFN_TCP_LOSS_POLICY, LFN_TCP_SLOW_START_RATE,
                                          LFN_TCP_RTO_MARGIN};
    const std::uint8_t which = script.octet();
    host.set_option(kOptions[which % kOptions.size()], script.octet());
}

void step(Script& script, Host& host) {
    switch (script.octet() % 12) {
        case 0:
            return host.pass(script.octet());
        case 1:
            return host.pass(script.word() % 8000);
        case 2:
            return host.set_busy((script.octet() & 1) != 0);
        case 3:
        case 4:
            return host.write(static_cast<std::uint16_t>(1 + script.word() % 4000));
        case 5:
            return host.set_reading((script.octet() & 1) != 0);
        case 6:
            return send_stray(script, host);
        case 7:
            return send_raw(script, host);
        case 8:
            if ((script.octet() & 7) == 0) return host.shut();
            return set_option(script, host);
        default:
            return send_segment(script, host);
    }
}

}  // namespace
}  // namespace lfn::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    lfn::fuzz::Script script({data, size});
    lfn::fuzz::Host host;
    for (int i = 0; i < 300 && !script.done(); ++i) lfn::fuzz::step(script, host);
    return 0;
}
