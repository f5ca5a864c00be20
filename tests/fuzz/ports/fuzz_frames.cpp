// SPDX-License-Identifier: BSD-3-Clause
// Ethernet frames of both families into a whole stack with a listener, as a TAP interface would deliver them. The input
// is a script: one octet says what comes, the next ones are its operands. What would be thrown away for a wrong length
// or checksum has them right, so that it gets further.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "lfn/stack.h"
#include "ports/tap/tcp_view.hpp"

namespace {

using Octets = std::vector<std::uint8_t>;

constexpr std::uint16_t mtu = 1500;
constexpr std::array<std::uint8_t, 6> stack_hardware = {2, 0, 0, 0, 0, 2}, peer_hardware = {2, 0, 0, 0, 0, 1};
constexpr std::array<std::uint8_t, 16> stack_ipv6 = {0xfd, 0x77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2},
                                       peer_ipv6 = {0xfd, 0x77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
constexpr std::uint32_t stack_ipv4 = 0x0a4d0002, peer_ipv4 = 0x0a4d0001;

void expect(bool claim) {
    if (!claim) std::abort();
}

class Script {
public:
    Script(const std::uint8_t* data, std::size_t size) : input_(data, size) {}
    bool done() const { return at_ >= input_.size(); }
    std::uint8_t octet() { return done() ? std::uint8_t{0} : input_[at_++]; }
    Octets octets(std::size_t size) {
        Octets all(size);
        for (auto& one : all) one = octet();
        return all;
    }

private:
    std::span<const std::uint8_t> input_;
    std::size_t at_ = 0;
};

void append(Octets& to, std::span<const std::uint8_t> more) {
    to.insert(to.end(), more.begin(), more.end());
}

Octets ipv6_frame(std::uint8_t next_header, std::span<const std::uint8_t> source, const Octets& payload) {
    Octets frame;
    append(frame, stack_hardware);
    append(frame, peer_hardware);
    append(frame, Octets{0x86, 0xdd, 0x60, 0, 0, 0, 0, 0, next_header, 255});
    lfn::store_be16(&frame[18], payload.size());
    append(frame, source);
    append(frame, stack_ipv6);
    append(frame, payload);
    return frame;
}

Octets ipv4_frame(const Octets& payload) {
    Octets frame;
    append(frame, stack_hardware);
    append(frame, peer_hardware);
    append(frame, Octets{8, 0, 0x45, 0, 0, 0, 0, 0, 0, 0, 64, 6, 0, 0, 10, 77, 0, 1, 10, 77, 0, 2});
    lfn::store_be16(&frame[16], 20 + payload.size());
    lfn::store_be16(&frame[24], lfn::internet_checksum({&frame[14], 20}));
    append(frame, payload);
    return frame;
}

// ICMPv6's checksum is over a pseudo-header, too (RFC 4443 2.3).
void fill_icmpv6_checksum(Octets& frame) {
    Octets summed(frame.begin() + 22, frame.end());
    append(summed, Octets{0, 0, 0, 0, 0, 0, 0, 58});
    lfn::store_be16(&summed[summed.size() - 6], frame.size() - 54);
    if (summed.size() % 2 != 0) summed.insert(summed.end() - 8, 0);
    lfn::store_be16(&frame[56], 0);
    lfn::store_be16(&summed[34], 0);
    lfn::store_be16(&frame[56], lfn::internet_checksum(summed));
}

class Host {
public:
    Host() : image_((stack_.image_size() + 7) / 8) {
        stack_.image_init(image_.data());
        stack_.enter(image_.data());
        lfn_stack_env env{};
        env.context = this;
        env.now_ms = [](void* self) { return static_cast<Host*>(self)->now_ms_; };
        env.random = [](void* self) {
            return static_cast<Host*>(self)->random_ = static_cast<Host*>(self)->random_ * 1664525U + 1013904223U;
        };
        env.transmit_begin = [](void* self, std::size_t length) { return static_cast<Host*>(self)->begin(length); };
        env.transmit_end = [](void*) {};
        lfn_interface interface {};
        interface.kind = LFN_LINK_ETHERNET;
        interface.address = stack_ipv4;
        interface.netmask = 0xffffff00;
        interface.gateway = peer_ipv4;
        interface.mtu = mtu;
        std::ranges::copy(stack_hardware, interface.hardware_address);
        interface.has_ipv6 = true;
        std::ranges::copy(stack_ipv6, interface.ipv6_address);
        stack_.init(&env, &interface, nullptr);
        lfn_tcp_settings settings{};
        settings.big_window = true;
        settings.nak_mode = 2;
        expect(stack_.listen(7, &settings, &listener_events, this) != nullptr);
    }
    ~Host() {
        if (conn_ != nullptr) stack_.abort(conn_);
        stack_.shutdown();
        expect(stack_.memory_held() == 0);
        stack_.enter(nullptr);
    }
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

    void input(const Octets& frame) { stack_.input_verified(frame.data(), frame.size()); }
    void pass(std::uint32_t milliseconds) {
        now_ms_ += milliseconds;
        stack_.run_timers();
    }
    void connect() {
        if (conn_ == nullptr) conn_ = stack_.connect_ipv6(peer_ipv6.data(), 9, nullptr, &events, this);
    }
    const Octets& sent_last() const { return sent_last_; }

private:
    static const lfn_conn_events events;
    static const lfn_listener_events listener_events;

    std::uint8_t* begin(std::size_t length) {
        expect(length >= 14 && length <= mtu + 14U);
        sent_last_.resize(length);
        return sent_last_.data();
    }
    void echo(const std::uint8_t* octets, std::size_t length) {
        received_ += length;
        expect(received_ < 10'000'000);
        if (conn_ != nullptr) stack_.write(conn_, octets, length);
    }

    const lfn_stack& stack_ = *lfn_stack_lfn();
    std::vector<std::uint64_t> image_;
    std::uint32_t now_ms_ = 0xfffff000;
    std::uint32_t random_ = 1;
    Octets sent_last_;
    lfn_conn* conn_ = nullptr;
    std::size_t received_ = 0;
};

const lfn_conn_events Host::events = {
    .connected = nullptr,
    .received = [](void* self, const std::uint8_t* octets,
                   std::size_t length) { static_cast<Host*>(self)->echo(octets, length); },
    .says_what_it_consumed = false,
    .acknowledged = nullptr,
    .peer_closed = nullptr,
    .gone = [](void* self, const char*) { static_cast<Host*>(self)->conn_ = nullptr; },
};
const lfn_listener_events Host::listener_events = {
    .accepted =
        [](void* self, lfn_conn* conn, const lfn_conn_events** conn_events, void** context) {
            auto& host = *static_cast<Host*>(self);
            if (host.conn_ != nullptr) return false;
            host.conn_ = conn;
            *conn_events = &events;
            *context = self;
            return true;
        },
};

Octets tcp_segment(std::uint16_t source, std::uint16_t destination, std::uint32_t seq, std::uint32_t ack,
                   Script& script) {
    constexpr std::array<std::uint8_t, 8> usual_flags = {0x02, 0x10, 0x10, 0x18, 0x11, 0x12, 0x04, 0x14};
    const std::uint8_t how = script.octet();
    Octets options = script.octets(how / 8 % 11 * 4U);
    Octets segment(20);
    lfn::store_be16(&segment[0], source);
    lfn::store_be16(&segment[2], destination);
    lfn::store_be16(&segment[4], seq >> 16);
    lfn::store_be16(&segment[6], seq & 0xffff);
    lfn::store_be16(&segment[8], ack >> 16);
    lfn::store_be16(&segment[10], ack & 0xffff);
    segment[12] = static_cast<std::uint8_t>((20 + options.size()) / 4 << 4);
    segment[13] = usual_flags[how % 8];
    segment[14] = script.octet();
    append(segment, options);
    append(segment, script.octets(script.octet()));
    return segment;
}

// What the stack said last, answered by its peer: the next sequence numbers, or near them.
void answer(Host& host, Script& script) {
    const auto view = lfn::view_tcp(host.sent_last());
    if (!view) return;
    const bool opens = (view->flags & lfn::tcp_flag_syn) != 0;
    const std::uint32_t next = view->seq + static_cast<std::uint32_t>(view->payload_octets) + (opens ? 1 : 0);
    const std::uint32_t off = script.octet() % 4 == 0 ? script.octet() * 37U : 0;
    const auto ports = view->ports();
    const Octets segment =
        tcp_segment(static_cast<std::uint16_t>(lfn::load_be16(&ports[2])),
                    static_cast<std::uint16_t>(lfn::load_be16(&ports[0])), view->ack + off, next, script);
    host.input(view->ipv6 ? ipv6_frame(6, peer_ipv6, segment) : ipv4_frame(segment));
}

void icmpv6(Host& host, Script& script) {
    Octets body{script.octet(), script.octet(), 0, 0};
    if ((body[0] & 1) != 0) body[0] = static_cast<std::uint8_t>(133 + body[0] / 2 % 5);  // neighbour discovery's
    append(body, script.octets(script.octet()));
    Octets frame = ipv6_frame(58, peer_ipv6, body);
    fill_icmpv6_checksum(frame);
    host.input(frame);
}

void step(Host& host, Script& script) {
    switch (script.octet() % 8) {
        case 0:
            return host.input(script.octets(script.octet()));
        case 1:
            return host.input(ipv6_frame(script.octet(), script.octets(16), script.octets(script.octet())));
        case 2:
            return icmpv6(host, script);
        case 3:
            return host.pass(script.octet() * 20U);
        case 4:
            return host.input(ipv6_frame(6, peer_ipv6, tcp_segment(1000, 7, script.octet(), 0, script)));
        case 5:
            return host.input(ipv4_frame(tcp_segment(1001, 7, script.octet(), 0, script)));
        case 6:
            return host.connect();
        default:
            return answer(host, script);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Script script(data, size);
    Host host;
    for (int steps = 0; steps < 200 && !script.done(); ++steps) step(host, script);
    return 0;
}
