// SPDX-License-Identifier: BSD-3-Clause
#include "host.hpp"

#include <lwip/init.h>
#include <lwip/memp.h>
#include <lwip/netif.h>
#include <lwip/pbuf.h>
#include <lwip/stats.h>
#include <lwip/sys.h>
#include <lwip/timeouts.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "config/stack_test_hooks.h"
#include "tcp_state.hpp"

namespace lfn::fuzz {
namespace {

constexpr std::uint32_t kWindow = 200'000;
constexpr std::uint32_t kSendBuffer = 60'000;

std::uint32_t clock_ms = 0;
Host* current = nullptr;

struct CustomPbuf {
    pbuf_custom header;  // first: the stack hands back a pointer to it
    std::unique_ptr<std::uint8_t[]> octets;
};

void free_custom(pbuf* p) {
    delete reinterpret_cast<CustomPbuf*>(p);
}

// A pbuf whose memory ends with its last octet.
pbuf* exact_pbuf(std::span<const std::uint8_t> octets) {
    auto* custom = new CustomPbuf{};
    custom->octets = std::make_unique<std::uint8_t[]>(octets.size());
    std::copy(octets.begin(), octets.end(), custom->octets.get());
    custom->header.custom_free_function = free_custom;
    const auto length = static_cast<u16_t>(octets.size());
    return pbuf_alloced_custom(PBUF_RAW, length, PBUF_REF, &custom->header, custom->octets.get(), length);
}

err_t output(netif*, pbuf* packet, const ip4_addr_t*) {
    return current->transmit(packet);
}

err_t set_up(netif* interface) {
    interface->output = output;
    interface->mtu = 1500;
    return ERR_OK;
}

void init_stack_once() {
    static bool done = false;
    if (done) return;
    lwip_init();
    lfn_tcp_init();
    done = true;
}

// With LFN_FUZZ_TRACE in the environment, every segment is printed: for whoever has to understand a finding.
void trace(const char* direction, const Segment& segment) {
    static const bool wanted = std::getenv("LFN_FUZZ_TRACE") != nullptr;
    if (wanted) std::cerr << clock_ms << " ms " << direction << ' ' << segment << '\n';
}

std::uint32_t seq_of(const tcp_seg* segment) {
    return lwip_ntohl(segment->tcphdr->seqno);
}

std::size_t blocks_in_use() {
    std::size_t blocks = lwip_stats.mem.used;
    for (const auto* pool : lwip_stats.memp) blocks += pool->used;
    return blocks;
}

lfn_tcp_settings everything_on() {
    lfn_tcp_settings settings{};
    settings.big_window = settings.renak = true;
    settings.receive_window = kWindow;
    settings.send_buffer = kSendBuffer;
    settings.nak_mode = LFN_NAK_EVERY_GAP;
    settings.slow_start_rate = 2;
    settings.ecn = true;
    settings.wire = LFN_WIRE_RFC1106;
    return settings;
}

Segment from_peer(std::uint32_t seq, std::uint32_t ack, std::uint8_t flags, Octets options) {
    return {kPeerPort, kStackPort, seq, ack, flags, 0x8000, std::move(options), {}};
}

}  // namespace

std::uint8_t stream_octet(std::uint32_t seq) {
    return static_cast<std::uint8_t>((seq + 1) * 2654435761U >> 24);
}

Host::Host() : interface_(new netif{}) {
    init_stack_once();
    current = this;
    lfn_tcp_set_budget(LFN_TCP_BUDGET);
    const ip4_addr_t address{lwip_htonl(kStackAddress)};
    const ip4_addr_t mask{lwip_htonl(0xffffff00)};
    const ip4_addr_t gateway{lwip_htonl(kPeerAddress)};
    netif_add(interface_, &address, &mask, &gateway, nullptr, set_up, netif_input);
    netif_set_default(interface_);
    netif_set_up(interface_);
    netif_set_link_up(interface_);

    tcp_pcb* closed = tcp_new();
    const lfn_tcp_settings settings = everything_on();
    INVARIANT(lfn_tcp_set(closed, &settings) == ERR_OK);
    INVARIANT(tcp_bind(closed, IP_ADDR_ANY, kStackPort) == ERR_OK);
    listener_ = tcp_listen_with_backlog(closed, 4);
    tcp_arg(listener_, this);
    tcp_accept(listener_, [](void* self, tcp_pcb* connection, err_t error) {
        return error == ERR_OK ? static_cast<Host*>(self)->accept(connection) : error;
    });

    peer_first = 0xffffff80;
    const Octets syn{2, 4, kMss >> 8, kMss & 0xff, 1, 1, 4, 2, 1,  1, 8, 10, 0, 0,
                     0, 1, 0,         0,           0, 0, 1, 1, 66, 6, 0, 4,  0, 0};
    inject(from_peer(peer_first - 1, 0, test::flag::syn | test::flag::ece | test::flag::cwr, syn), 0);
    stack_first_ = lfn_test_isn() + 1;
    inject(from_peer(peer_first, stack_first_, test::flag::ack, {67, 4, 0, 4}), 0);
    INVARIANT(pcb != nullptr && state_of(pcb)->rule == LFN_WINDOW_BC && state_of(pcb)->nak_agreed);
    established_ = true;
}

Host::~Host() {
    if (pcb != nullptr) tcp_abort(pcb);
    tcp_close(listener_);
    while (tcp_active_pcbs != nullptr) tcp_abort(tcp_active_pcbs);
    while (tcp_tw_pcbs != nullptr) tcp_abort(tcp_tw_pcbs);
    clock_ms += 2 * TCP_TMR_INTERVAL;
    sys_check_timeouts();
    clock_ms += 2 * TCP_TMR_INTERVAL;
    sys_check_timeouts();
    INVARIANT(sys_timeouts_sleeptime() == SYS_TIMEOUTS_SLEEPTIME_INFINITE);
    INVARIANT(blocks_in_use() == 0);
    netif_remove(interface_);
    delete interface_;
    current = nullptr;
}

void Host::inject(const Segment& segment, std::size_t split) {
    trace("in ", segment);
    inject_packet(test::encode({kPeerAddress, kStackAddress}, segment), split == 0 ? 0 : 20 + split);
}

void Host::inject_packet(std::span<const std::uint8_t> packet, std::size_t split) {
    constexpr std::size_t kIpHeader = 20;
    if (packet.empty()) return;
    const Before before = begin();
    const std::size_t first = split == 0 ? packet.size() : std::min(std::max(split, kIpHeader), packet.size());
    pbuf* p = exact_pbuf(packet.first(first));
    if (first < packet.size()) pbuf_cat(p, exact_pbuf(packet.subspan(first)));
    if (interface_->input(p, interface_) != ERR_OK) pbuf_free(p);
    check(before, 0);
}

void Host::pass(std::uint32_t duration_ms) {
    const Before before = begin();
    for (std::uint32_t left = duration_ms; left > 0;) {
        const std::uint32_t step = std::min(left, std::max<std::uint32_t>(1, sys_timeouts_sleeptime()));
        clock_ms += step;
        left -= step;
        sys_check_timeouts();
    }
    check(before, duration_ms);
}

void Host::set_busy(bool busy) {
    const Before before = begin();
    busy_ = busy;
    if (!busy) lfn_tcp_output_ready();
    check(before, 0);
}

void Host::write(std::uint16_t size) {
    if (pcb == nullptr) return;
    Octets octets(size);
    std::uint32_t seq = pcb->snd_lbb;
    for (auto& octet : octets) octet = stream_octet(seq++);
    tcp_write(pcb, octets.data(), size, TCP_WRITE_FLAG_COPY);  // or it is refused
    const Before before = begin();
    tcp_output(pcb);
    check(before, 0);
}

void Host::set_reading(bool reading) {
    const Before before = begin();
    reading_ = reading;
    while (reading_ && pcb != nullptr && unread_ > 0) {
        const auto size = static_cast<u16_t>(std::min<std::uint32_t>(unread_, 0xffff));
        unread_ -= size;
        tcp_recved(pcb, size);
    }
    check(before, 0);
}

void Host::set_option(int option, int value) {
    if (pcb != nullptr) lfn_tcp_setopt(pcb, option, value);
}

void Host::shut() {
    if (pcb == nullptr) return;
    tcp_shutdown(pcb, 0, 1);
    const Before before = begin();
    check(before, 0);
}

err_t Host::accept(tcp_pcb* connection) {
    if (pcb != nullptr || established_) return ERR_VAL;  // one is enough
    pcb = connection;
    tcp_arg(pcb, this);
    tcp_recv(pcb, [](void* self, tcp_pcb*, pbuf* p, err_t) { return static_cast<Host*>(self)->receive(p); });
    tcp_err(pcb, [](void* self, err_t) { static_cast<Host*>(self)->ended(); });
    return ERR_OK;
}

err_t Host::receive(pbuf* p) {
    if (p == nullptr) return ERR_OK;
    for (u16_t i = 0; trusted_ && i < p->tot_len; ++i) {
        INVARIANT(pbuf_get_at(p, i) == stream_octet(peer_first + received_ + i));
    }
    received_ += p->tot_len;
    if (reading_) {
        tcp_recved(pcb, p->tot_len);
    } else {
        unread_ += p->tot_len;
    }
    pbuf_free(p);
    return ERR_OK;
}

err_t Host::transmit(pbuf* packet) {
    if (busy_) return ERR_MEM;
    Octets octets(packet->tot_len);
    pbuf_copy_partial(packet, octets.data(), packet->tot_len, 0);
    const auto segment = test::decode(octets);
    INVARIANT(segment.has_value());
    trace("out", *segment);
    ++segments_out_;
    if (established_ && segment->destination_port == kPeerPort) check_output(*segment);
    return ERR_OK;
}

// What goes out is the stream, carries C unless it is a reset, and fits the peer's MSS.
void Host::check_output(const Segment& segment) const {
    const_cast<Host*>(this)->octets_out_ += segment.payload.size();
    if (segment.has(test::flag::rst)) return;
    INVARIANT(segment.option(67) && segment.option(67)->size() == 2);
    if (segment.payload.size() <= 1) return;  // a keep-alive or a probe
    INVARIANT(segment.payload.size() + segment.options.size() <= kMss);
    for (std::size_t i = 0; i < segment.payload.size(); ++i) {
        INVARIANT(segment.payload[i] == stream_octet(segment.seq + static_cast<std::uint32_t>(i)));
    }
}

Host::Before Host::begin() {
    octets_out_ = segments_out_ = 0;
    if (pcb == nullptr) return {0, false};
    return {pcb->snd_lbb - pcb->lastack, true};
}

void Host::check(const Before& before, std::uint32_t duration_ms) {
    if (before.alive && duration_ms == 0) {
        // One input sends a segment at most once, and what was not written not at all. The first may be acknowledged in
        // part.
        INVARIANT(octets_out_ <= before.unacknowledged + kMss);
        INVARIANT(segments_out_ <= before.unacknowledged + 8);
    }
    INVARIANT(segments_out_ <= kSendBuffer + 8 + duration_ms);
    if (pcb == nullptr) return;
    check_queues();
    check_state();
}

void Host::check_queues() const {
    unsigned pbufs = 0;
    const auto check_queue = [&](const tcp_seg* segment, const tcp_seg* tail) {
        for (; segment != nullptr; segment = segment->next) {
            pbufs += pbuf_clen(segment->p);
            if (segment->next == nullptr) {
                INVARIANT(segment == tail);
            } else {
                INVARIANT(TCP_SEQ_LT(seq_of(segment), seq_of(segment->next)));
            }
        }
    };
    check_queue(pcb->unsent, pcb->lfn_unsent_tail);
    check_queue(pcb->unacked, pcb->lfn_unacked_tail);
    INVARIANT(pbufs == pcb->snd_queuelen);
}

void Host::check_state() const {
    const TcpState& state = *state_of(pcb);
    INVARIANT(pcb->snd_wnd <= LFN_WINDOW_MAX);
    INVARIANT(pcb->rcv_wnd <= kWindow && pcb->rcv_ann_wnd <= kWindow);
    // A FIN that joined the last segment is not counted in snd_lbb.
    INVARIANT(TCP_SEQ_LEQ(pcb->lastack, pcb->snd_nxt) && TCP_SEQ_LEQ(pcb->snd_nxt, pcb->snd_lbb + 1));
    INVARIANT(pcb->rtime < 0 || lfn_rto_ms(&state.rto) <= LFN_RTO_MAX_MS);
    INVARIANT(pcb->persist_backoff == 0 || (pcb->unsent != nullptr && pcb->unacked == nullptr));
    const lfn_nak_receiver& receiver = state.receiver;
    INVARIANT(receiver.rcv_nxt == pcb->rcv_nxt || pcb->state > ESTABLISHED);
    INVARIANT(receiver.highest - receiver.rcv_nxt <= kWindow + 1);
    for (unsigned i = 0; i < receiver.count; ++i) {
        const lfn_hole& hole = receiver.holes[i];
        const std::uint32_t above = i == 0 ? receiver.rcv_nxt : receiver.holes[i - 1].end;
        INVARIANT(TCP_SEQ_LEQ(above, hole.start) && TCP_SEQ_LT(hole.start, hole.end));
        INVARIANT(TCP_SEQ_LEQ(hole.end, receiver.highest));
    }
}

}  // namespace lfn::fuzz

extern "C" {

u32_t sys_now() {
    return lfn::fuzz::clock_ms;
}

void lfn_test_assertion(const char* message, const char* file, int line) {
    std::fprintf(stderr, "%s:%d: the stack asserts: %s\n", file, line, message);
    std::abort();
}

u32_t lfn_test_isn() {
    return 0xffffff00;
}
u8_t lfn_test_option_length(const tcp_pcb*) {
    return 0;
}
u32_t* lfn_test_add_options(tcp_hdr*, const tcp_pcb*, u32_t* options) {
    return options;
}
}
