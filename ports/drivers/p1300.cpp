// SPDX-License-Identifier: BSD-3-Clause
#include "p1300.h"

namespace {

using Nic = lfn_p1300;

// Ports.
constexpr uint32_t icsr = 0;
constexpr uint32_t ibuf = 1;
constexpr uint32_t input_count = 2;
constexpr uint32_t ocsr = 4;
constexpr uint32_t obuf = 5;
constexpr uint32_t output_count = 6;

// Input control and status. The mode bits go with every write, or the station leaves the ring.
constexpr uint8_t copyen = 0x01;
constexpr uint8_t mode_loopback = 0x02;
constexpr uint8_t mode_network = 0x06;
constexpr uint8_t reset = 0x20;  // INRST and OUTRST
constexpr uint8_t interrupt_enable = 0x40;
constexpr uint8_t interrupt_reset = 0x80;
constexpr uint8_t bad_format = 0x08;
constexpr uint8_t parity = 0x10;
constexpr uint8_t overrun = 0x20;
constexpr uint8_t input_errors = bad_format | parity | overrun;
// Output control and status.
constexpr uint8_t origen = 0x01;
constexpr uint8_t refused = 0x02;
constexpr uint8_t returned_malformed = 0x04;
constexpr uint8_t no_token = 0x08;
constexpr uint8_t initring = 0x10;

constexpr int looks_at_most = 4;  // in a poll, should the card always have something
constexpr unsigned count_mask = 0x7FF;
constexpr uint8_t broadcast = 0xFF;
constexpr unsigned addresses = 2;  // destination and source: the shortest message

uint8_t in(const Nic& nic, uint32_t port) {
    return lfn_io_in8(nic.io, nic.base + port);
}
void out(const Nic& nic, uint32_t port, uint8_t value) {
    lfn_io_out8(nic.io, nic.base + port, value);
}
void set_count(const Nic& nic, uint32_t port, unsigned count) {
    lfn_io_out16(nic.io, nic.base + port, static_cast<uint16_t>(count & count_mask));
}
unsigned get_count(const Nic& nic, uint32_t port) {
    return lfn_io_in16(nic.io, nic.base + port) & count_mask;
}

// The output counter holds minus the length: it runs up to zero, and the message ends where the buffer does.
void set_output(const Nic& nic, unsigned length) {
    set_count(nic, output_count, 0U - length);
}

// Sends itself one octet; the hardware makes it two, the second being our own address.
bool discover(Nic& nic) {
    out(nic, icsr, reset);
    out(nic, ocsr, reset);
    set_count(nic, input_count, 0);
    out(nic, icsr, copyen | mode_loopback);
    set_output(nic, addresses);
    out(nic, obuf, broadcast);
    set_output(nic, addresses);
    out(nic, ocsr, origen | initring);
    int polls = 10000;
    while ((in(nic, icsr) & copyen) != 0) {
        if (--polls == 0) return false;
    }
    if (get_count(nic, input_count) != addresses) return false;
    set_count(nic, input_count, 0);
    const uint8_t destination = in(nic, ibuf);
    nic.station = in(nic, ibuf);
    return destination == broadcast && nic.station != broadcast;
}

void listen(const Nic& nic) {
    set_count(nic, input_count, 0);
    out(nic, icsr, mode_network | copyen | interrupt_enable);
}

void join(const Nic& nic) {
    out(nic, icsr, reset | mode_network);
    out(nic, ocsr, reset);
    out(nic, ocsr, interrupt_enable);
    listen(nic);
}

void originate(Nic& nic, uint32_t now_ms) {
    set_output(nic, nic.length);
    out(nic, ocsr, origen | initring | interrupt_enable);
    nic.started_ms = now_ms;
}

void finish(Nic& nic, uint32_t& counter) {
    ++counter;
    nic.sending = false;
}

void send_again(Nic& nic, uint8_t status, uint32_t now_ms) {
    if ((status & no_token) != 0) {
        ++nic.counters.token_timeouts;
        if (++nic.token_attempts >= LFN_P1300_TOKEN_ATTEMPTS) {
            finish(nic, nic.counters.token_failures);
            return;
        }
    } else {
        ++nic.counters.refusals;
        if (now_ms - nic.first_ms >= LFN_P1300_REFUSAL_LIMIT_MS) {
            finish(nic, nic.counters.abandoned);
            return;
        }
    }
    originate(nic, now_ms);
}

void reset_output(Nic& nic) {
    out(nic, ocsr, reset);
    out(nic, ocsr, interrupt_enable);
    finish(nic, nic.counters.watchdog_resets);
}

// The handler may have announced it while poll looked elsewhere.
void count_if_unannounced(Nic& nic, bool announced) {
    if (!announced && !nic.announced) ++nic.counters.unannounced;
}

// True if there was something to do.
bool look_at_transmitter(Nic& nic, uint32_t now_ms, bool announced) {
    if (!nic.sending) return false;
    const uint8_t status = in(nic, ocsr);
    if ((status & origen) != 0) {
        if (now_ms - nic.started_ms >= LFN_P1300_WATCHDOG_MS) reset_output(nic);
        return false;
    }
    count_if_unannounced(nic, announced);
    out(nic, ocsr, interrupt_reset);
    out(nic, ocsr, interrupt_enable);
    if ((status & (no_token | refused)) != 0) {
        send_again(nic, status, now_ms);
    } else {
        finish(nic, (status & returned_malformed) != 0 ? nic.counters.malformed : nic.counters.sent);
    }
    return true;
}

void count_errors(lfn_p1300_counters& counters, uint8_t status) {
    if ((status & bad_format) != 0) ++counters.bad_formats;
    if ((status & parity) != 0) ++counters.parity_errors;
    if ((status & overrun) != 0) ++counters.overruns;
}

size_t read_message(Nic& nic, uint8_t status, uint8_t* room, size_t room_octets) {
    if ((status & input_errors) != 0) {
        count_errors(nic.counters, status);
        return 0;
    }
    const unsigned length = get_count(nic, input_count);
    if (length < addresses || length > room_octets) {
        ++nic.counters.oversized;
        return 0;
    }
    set_count(nic, input_count, 0);
    for (unsigned i = 0; i < length; ++i) room[i] = in(nic, ibuf);
    ++nic.counters.received;
    return length;
}

// True if there was something to do; `length` is that of the message, or 0. Acknowledge first, then arm: the other way
// round, the acknowledgement would be of the next message.
bool look_at_receiver(Nic& nic, uint8_t* room, size_t room_octets, bool announced, size_t& length) {
    const uint8_t status = in(nic, icsr);
    if ((status & copyen) != 0) return false;
    count_if_unannounced(nic, announced);
    length = read_message(nic, status, room, room_octets);
    out(nic, icsr, interrupt_reset | mode_network);
    listen(nic);
    return true;
}

}  // namespace

bool lfn_p1300_init(lfn_p1300* nic, const lfn_io* io, uint32_t base) {
    *nic = {};
    nic->io = io;
    nic->base = base;
    bool known = false;
    for (int i = 0; i < 10 && !known; ++i) known = discover(*nic);
    if (known) join(*nic);
    return known;
}

lfn_send_result lfn_p1300_transmit(lfn_p1300* nic, const uint8_t* head, size_t head_octets, const uint8_t* body,
                                   size_t body_octets, uint32_t now_ms) {
    const size_t octets = head_octets + body_octets;
    if (octets < addresses || octets > LFN_P1300_MESSAGE_MAX) return LFN_SEND_UNSENDABLE;
    if (nic->sending) return LFN_SEND_BUSY;
    nic->length = static_cast<uint16_t>(octets + octets % 2);
    set_output(*nic, nic->length);
    for (size_t i = 0; i < head_octets; ++i) out(*nic, obuf, head[i]);
    for (size_t i = 0; i < body_octets; ++i) out(*nic, obuf, body[i]);
    if (octets % 2 != 0) out(*nic, obuf, 0);
    nic->sending = true;
    nic->token_attempts = 0;
    nic->first_ms = now_ms;
    originate(*nic, now_ms);
    return LFN_SEND_STARTED;
}

bool lfn_p1300_sending(const lfn_p1300* nic) {
    return nic->sending;
}

// Both directions share one line, and the interrupt controller sees its edges: what becomes ready while the other still
// holds the line up announces nothing. So poll looks until there is nothing, as Proteon's handler does.
size_t lfn_p1300_poll(lfn_p1300* nic, uint32_t now_ms, uint8_t* room, size_t room_octets) {
    size_t length = 0;
    bool announced = false;
    bool found = true;
    for (int looks = 0; looks < looks_at_most && found && length == 0; ++looks) {
        announced |= nic->announced;
        nic->announced = false;
        found = look_at_receiver(*nic, room, room_octets, announced, length);
        found |= look_at_transmitter(*nic, now_ms, announced);
    }
    if (found) nic->announced = true;  // there may be more
    return length;
}

void lfn_p1300_interrupt(lfn_p1300* nic) {
    nic->announced = true;
}
