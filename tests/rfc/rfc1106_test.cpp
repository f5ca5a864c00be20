// SPDX-License-Identifier: BSD-3-Clause
#include "rfc1106_test.hpp"

#include <lwip/pbuf.h>

namespace lfn::test {
namespace {

void put16(Octets& out, std::uint32_t value) {
    out.push_back(static_cast<std::uint8_t>(value >> 8));
    out.push_back(static_cast<std::uint8_t>(value));
}

void put32(Octets& out, std::uint32_t value) {
    put16(out, value >> 16);
    put16(out, value & 0xffff);
}

std::uint32_t get32(const Octets& in, std::size_t at) {
    return static_cast<std::uint32_t>(in[at] << 24 | in[at + 1] << 16 | in[at + 2] << 8 | in[at + 3]);
}

void init_extension_once() {
    static bool done = false;
    if (!done) lfn_tcp_init();
    done = true;
}

}  // namespace

Octets a_option(std::uint32_t seq, std::uint8_t segments) {
    Octets out{kind::nop, kind::a, 7};
    put32(out, seq);
    out.push_back(segments);
    return out;
}

Octets b_option(std::uint32_t window) {
    Octets out{kind::nop, kind::nop, kind::b, 6};
    put32(out, window);
    return out;
}

Octets c_option(std::uint16_t high) {
    Octets out{kind::c, 4};
    put16(out, high);
    return out;
}

Octets c_of(std::uint32_t window) {
    return c_option(static_cast<std::uint16_t>(window >> 16));
}

Octets sack_permitted_option() {
    return {kind::nop, kind::nop, kind::sack_permitted, 2};
}

std::ostream& operator<<(std::ostream& out, const Named& named) {
    return out << '{' << named.seq << " x " << +named.segments << '}';
}

std::vector<Named> naks_of(const Segment& segment) {
    std::vector<Named> all;
    const Octets& o = segment.options;
    for (std::size_t i = 0; i < o.size() && o[i] != kind::end;) {
        if (o[i] == kind::nop) {
            ++i;
            continue;
        }
        if (o[i] == kind::a) all.push_back({get32(o, i + 2), o[i + 6]});
        i += o[i + 1];
    }
    return all;
}

std::optional<std::uint32_t> window_of(const Segment& segment) {
    const auto c = segment.option(kind::c);
    if (!c || c->size() != 2) return std::nullopt;
    return static_cast<std::uint32_t>((*c)[0] << 24 | (*c)[1] << 16 | segment.window);
}

Rfc1106Test::Rfc1106Test() {
    init_extension_once();
    lfn_tcp_set_budget(LFN_TCP_BUDGET);
    settings.big_window = true;
    settings.receive_window = settings.send_buffer = kBig;
    settings.nak_mode = LFN_NAK_EVERY_GAP;
    settings.wire = LFN_WIRE_RFC1106;
    settings.isolated = true;  // windows as they are agreed; guard_test.cpp has the others
    peer.timestamps = kTimestamps;
    peer_first = peer.iss + 1;
}

Octets Rfc1106Test::common_syn() {
    if (!kTimestamps) return mss_option(kMss);
    return join({mss_option(kMss), sack_permitted_option(), timestamps_option(1, 0)});
}

Segment Rfc1106Test::send_connect() {
    const ip_addr_t remote{lwip_htonl(kPeerAddress)};
    pcb = tcp_new();
    EXPECT_EQ(lfn_tcp_set(pcb, &settings), ERR_OK);
    tcp_arg(pcb, this);
    tcp_recv(pcb, on_receive);
    tcp_err(pcb, on_error);
    tcp_nagle_disable(pcb);
    EXPECT_EQ(tcp_bind(pcb, IP_ADDR_ANY, peer.stack_port), ERR_OK);
    EXPECT_EQ(tcp_connect(pcb, &remote, peer.port, on_connected), ERR_OK);
    Segment syn = wire.take();
    EXPECT_EQ(syn.flags, flag::syn) << syn;
    first_data = peer.ack = syn.seq + 1;
    return syn;
}

void Rfc1106Test::finish_connect(const Octets& syn_ack_options) {
    wire.inject(peer.segment(flag::syn | flag::ack, join({common_syn(), syn_ack_options})));
    ++peer.seq;
    ASSERT_TRUE(user.connected);
}

void Rfc1106Test::connect_with(const Octets& syn_ack_options) {
    send_connect();
    finish_connect(syn_ack_options);
}

Segment Rfc1106Test::answer_syn(const Octets& syn_options) {
    listen();
    EXPECT_EQ(lfn_tcp_set(reinterpret_cast<tcp_pcb*>(listener), &settings), ERR_OK);
    return send_syn(join({common_syn(), syn_options}));
}

void Rfc1106Test::agree() {
    answer_syn(b_option(peer_window));
    run_ms(handshake_ms);
    peer_says_c = true;
    says(flag::ack);
    ASSERT_TRUE(user.connected);
    ASSERT_EQ(info().window_rule, LFN_WINDOW_BC);
    ASSERT_TRUE(wire.sent.empty());
}

void Rfc1106Test::agree_on_nak_alone() {
    settings.big_window = false;
    settings.nak_assumed = true;
    answer_syn({});
    run_ms(handshake_ms);
    says(flag::ack);
    ASSERT_TRUE(user.connected);
    ASSERT_TRUE(info().nak_agreed);
}

void Rfc1106Test::says(std::uint8_t flags, const Octets& options, const Octets& payload) {
    if (peer_says_c) peer.window = static_cast<std::uint16_t>(peer_window);
    const Octets c = peer_says_c ? c_of(peer_window) : Octets{};
    wire.inject(peer.segment(flags, join({c, options}), payload));
}

void Rfc1106Test::acks(std::uint32_t offset, const Octets& options) {
    peer.ack = first_data + offset;
    says(flag::ack, options);
}

void Rfc1106Test::peer_sends_at(std::uint32_t offset, std::size_t size) {
    const std::uint32_t before = peer.seq;
    peer.seq = peer_first + offset;
    says(flag::ack | flag::psh, {}, stream(offset, size));
    peer.seq = before;
}

void Rfc1106Test::fly(std::uint32_t segments) {
    if (pcb->cwnd < segments * kMss + pcb->snd_nxt - pcb->lastack) {
        pcb->cwnd = segments * kMss + pcb->snd_nxt - pcb->lastack;
    }
    for (std::uint32_t i = 0; i < segments; ++i) write(kFull);
    ASSERT_EQ(wire.sent.size(), segments);
    wire.sent.clear();
}

std::vector<Segment> Rfc1106Test::take_all() {
    std::vector<Segment> all;
    while (!wire.sent.empty()) all.push_back(wire.take());
    return all;
}

std::vector<std::uint32_t> Rfc1106Test::take_offsets() {
    std::vector<std::uint32_t> all;
    for (const Segment& segment : take_all()) {
        if (segment.payload.empty()) continue;
        EXPECT_EQ(segment.payload, stream(offset(segment), segment.payload.size())) << segment;
        all.push_back(offset(segment));
    }
    return all;
}

lfn_tcp_info Rfc1106Test::info() const {
    lfn_tcp_info snapshot{};
    EXPECT_EQ(lfn_tcp_get_info(pcb, &snapshot), ERR_OK);
    return snapshot;
}

err_t Rfc1106Test::on_connected(void* self, tcp_pcb*, err_t) {
    static_cast<Rfc1106Test*>(self)->user.connected = true;
    return ERR_OK;
}

err_t Rfc1106Test::on_receive(void* self, tcp_pcb* connection, pbuf* p, err_t) {
    auto& received = static_cast<Rfc1106Test*>(self)->user.received;
    if (p == nullptr) return ERR_OK;  // the peer has closed its half
    const std::size_t before = received.size();
    received.resize(before + p->tot_len);
    pbuf_copy_partial(p, received.data() + before, p->tot_len, 0);
    tcp_recved(connection, p->tot_len);
    pbuf_free(p);
    return ERR_OK;
}

void Rfc1106Test::on_error(void* self, err_t error) {
    auto& test = *static_cast<Rfc1106Test*>(self);
    test.pcb = nullptr;
    test.user.error = error;
}

}  // namespace lfn::test
