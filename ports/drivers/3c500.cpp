// SPDX-License-Identifier: BSD-3-Clause
#include "3c500.h"

namespace {

using Nic = lfn_3c500;

// Ports.
constexpr uint32_t receive = 0x6;
constexpr uint32_t transmit = 0x7;
constexpr uint32_t gp_pointer = 0x8;
constexpr uint32_t receive_pointer = 0xA;
constexpr uint32_t address_prom = 0xC;
constexpr uint32_t auxiliary = 0xE;
constexpr uint32_t buffer_window = 0xF;

// Auxiliary command: RIDE always, or there would be no interrupts.
constexpr uint8_t aux_reset = 0x80;
constexpr uint8_t aux_host = 0x40;
constexpr uint8_t aux_transmit = 0x44;
constexpr uint8_t aux_receive = 0x48;
// Auxiliary status.
constexpr uint8_t receive_busy = 0x01;
constexpr uint8_t transmit_busy = 0x80;

// Station and broadcast; every outcome ends in a status. A frame with an error that nobody asked for would move the
// receive pointer, and nothing would tell us to put it back.
constexpr uint8_t receive_all = 0x80 | 0x20 | 0x08 | 0x04 | 0x02 | 0x01;
constexpr uint8_t transmit_all = 0x0F;

// Status bits.
constexpr uint8_t sent_underflow = 0x01;
constexpr uint8_t sent_collision = 0x02;
constexpr uint8_t sent_sixteen = 0x04;
constexpr uint8_t sent_ready = 0x08;
constexpr uint8_t received_overflow = 0x01;
constexpr uint8_t received_fcs = 0x02;
constexpr uint8_t received_dribble = 0x04;
constexpr uint8_t received_short = 0x08;
constexpr uint8_t received_errors = 0x0F;
constexpr uint8_t received_stale = 0x80;

constexpr unsigned buffer_octets = 2048;
constexpr unsigned header_octets = 14;
constexpr unsigned minimum_octets = LFN_3C500_FRAME_MIN;

uint8_t in(const Nic& nic, uint32_t port) {
    return lfn_io_in8(nic.io, nic.base + port);
}
void out(const Nic& nic, uint32_t port, uint8_t value) {
    lfn_io_out8(nic.io, nic.base + port, value);
}
uint16_t in16(const Nic& nic, uint32_t port) {
    return lfn_io_in16(nic.io, nic.base + port);
}
void out16(const Nic& nic, uint32_t port, unsigned value) {
    lfn_io_out16(nic.io, nic.base + port, static_cast<uint16_t>(value));
}

void clear_receive_pointer(const Nic& nic) {
    out(nic, receive_pointer, 0);
}

void listen(Nic& nic) {
    clear_receive_pointer(nic);
    out(nic, auxiliary, aux_receive);
    nic.buffer = LFN_3C500_LISTENING;
}

// A reset leaves buffer, address and pointers; commands and statuses begin anew.
void program(Nic& nic) {
    out(nic, auxiliary, aux_reset);
    for (int i = 0; i < 10; ++i) (void)in(nic, auxiliary);  // 5 us; an access takes one or more on this bus
    out(nic, auxiliary, aux_host);
    for (uint8_t i = 0; i < 6; ++i) out(nic, i, nic.address[i]);
    out(nic, transmit, transmit_all);
    out(nic, receive, receive_all);
    (void)in(nic, transmit);
    (void)in(nic, receive);
    nic.frame = nullptr;
    listen(nic);
}

bool answers(const Nic& nic) {
    out16(nic, gp_pointer, 0x2A5);
    if (in16(nic, gp_pointer) != 0x2A5) return false;
    out16(nic, gp_pointer, 0x55A);
    return in16(nic, gp_pointer) == 0x55A;
}

// The PROM shows the octet that the GP pointer names.
bool read_address(Nic& nic) {
    uint8_t all = 0xFF;
    for (uint8_t i = 0; i < 6; ++i) {
        out16(nic, gp_pointer, i);
        nic.address[i] = in(nic, address_prom);
        all = static_cast<uint8_t>(all & nic.address[i]);
    }
    return all != 0xFF && (nic.address[0] & 1) == 0;
}

unsigned octets_on_wire(const Nic& nic) {
    return nic.length < minimum_octets ? minimum_octets : nic.length;
}
unsigned frame_start(const Nic& nic) {
    return buffer_octets - octets_on_wire(nic);
}

// The frame is loaded, the buffer ours: off it goes. What comes right after it will lie at the bottom of the buffer.
void start(Nic& nic, uint32_t now_ms) {
    out16(nic, gp_pointer, frame_start(nic));
    clear_receive_pointer(nic);
    out(nic, auxiliary, aux_transmit);
    nic.buffer = LFN_3C500_TRANSMITTING;
    nic.started_ms = now_ms;
}

// Right-justified, so that it ends where the buffer does.
void load(const Nic& nic) {
    out16(nic, gp_pointer, frame_start(nic));
    for (unsigned i = 0; i < nic.length; ++i) out(nic, buffer_window, nic.frame[i]);
    for (unsigned i = nic.length; i < octets_on_wire(nic); ++i) out(nic, buffer_window, 0);
}

// The buffer is ours and nothing is left in it to be read. A frame that is still to be sent has lain above one that
// came: if that one reached it, it is damaged.
void resume(Nic& nic, uint32_t now_ms) {
    if (nic.frame == nullptr) {
        listen(nic);
        return;
    }
    if (in16(nic, receive_pointer) > frame_start(nic)) {
        ++nic.counters.reloaded;
        load(nic);
    }
    start(nic, now_ms);
}

// True if a frame has come, whose status we now have. The buffer must be ours.
bool frame_has_come(Nic& nic) {
    nic.receive_status = in(nic, receive);
    if ((nic.receive_status & received_stale) != 0) return false;
    nic.buffer = LFN_3C500_HOLDING;
    return true;
}

// After a collision the card listens, in the same buffer. A frame that has come since is taken first.
void start_again(Nic& nic, uint32_t now_ms) {
    out(nic, auxiliary, aux_host);
    if (!frame_has_come(nic)) resume(nic, now_ms);
}

void finish(Nic& nic, uint32_t& counter) {
    ++counter;
    nic.frame = nullptr;
    nic.buffer = LFN_3C500_LISTENING;  // the card does so by itself; aux_transmit stays until the next change
}

// The handler may have announced it while poll looked elsewhere.
void count_if_unannounced(Nic& nic, bool announced) {
    if (!announced && !nic.announced) ++nic.counters.unannounced;
}

void look_at_transmitter(Nic& nic, uint32_t now_ms, bool announced) {
    if ((in(nic, auxiliary) & transmit_busy) != 0) {
        if (now_ms - nic.started_ms < LFN_3C500_WATCHDOG_MS) return;
        ++nic.counters.watchdog_resets;
        program(nic);
        return;
    }
    count_if_unannounced(nic, announced);
    const uint8_t status = in(nic, transmit);
    if ((status & sent_sixteen) != 0) {
        finish(nic, nic.counters.abandoned);
    } else if ((status & sent_collision) != 0) {
        ++nic.counters.collisions;
        start_again(nic, now_ms);
    } else if ((status & sent_ready) != 0) {
        finish(nic, nic.counters.sent);
    } else {
        finish(nic, (status & sent_underflow) != 0 ? nic.counters.underflows : nic.counters.refused);
    }
}

// True if the buffer is ours and holds a frame with its status.
bool take_buffer(Nic& nic, bool announced) {
    if (nic.buffer == LFN_3C500_HOLDING) return true;
    if ((in(nic, auxiliary) & receive_busy) != 0) return false;
    out(nic, auxiliary, aux_host);  // before the status is read, which would let the next frame in
    if (!frame_has_come(nic)) {
        ++nic.counters.restarts;
        listen(nic);
        return false;
    }
    count_if_unannounced(nic, announced);
    return true;
}

void count_errors(lfn_3c500_counters& counters, uint8_t status) {
    if ((status & received_short) != 0) ++counters.short_frames;
    if ((status & received_overflow) != 0) ++counters.overflows;
    if ((status & received_fcs) != 0) ++counters.fcs_errors;
    if ((status & received_dribble) != 0) ++counters.dribbles;
}

// The frame in the buffer, or 0 if it is worth nothing.
size_t read_frame(Nic& nic, uint8_t* room, size_t room_octets) {
    if ((nic.receive_status & received_errors) != 0) {
        count_errors(nic.counters, nic.receive_status);
        return 0;
    }
    const unsigned length = in16(nic, receive_pointer);
    if (length < header_octets || length > room_octets || length > buffer_octets) {
        ++nic.counters.oversized;
        return 0;
    }
    out16(nic, gp_pointer, 0);
    for (unsigned i = 0; i < length; ++i) room[i] = in(nic, buffer_window);
    ++nic.counters.received;
    return length;
}

}  // namespace

bool lfn_3c500_init(lfn_3c500* nic, const lfn_io* io, uint32_t base) {
    *nic = {};
    nic->io = io;
    nic->base = base;
    out(*nic, auxiliary, aux_host);
    if (!answers(*nic) || !read_address(*nic)) return false;
    program(*nic);
    return true;
}

lfn_send_result lfn_3c500_transmit(lfn_3c500* nic, const uint8_t* frame, size_t length, uint32_t now_ms) {
    if (length > LFN_3C500_FRAME_MAX) return LFN_SEND_UNSENDABLE;
    if (nic->buffer != LFN_3C500_LISTENING) return LFN_SEND_BUSY;
    if ((in(*nic, auxiliary) & receive_busy) == 0) return LFN_SEND_BUSY;  // a frame has come: poll
    out(*nic, auxiliary, aux_host);
    if (frame_has_come(*nic)) {
        ++nic->counters.drained;
        return LFN_SEND_BUSY;
    }
    nic->frame = frame;
    nic->length = static_cast<uint16_t>(length);
    load(*nic);
    start(*nic, now_ms);
    return LFN_SEND_STARTED;
}

bool lfn_3c500_sending(const lfn_3c500* nic) {
    return nic->frame != nullptr;
}

size_t lfn_3c500_poll(lfn_3c500* nic, uint32_t now_ms, uint8_t* room, size_t room_octets) {
    const bool announced = nic->announced;
    nic->announced = false;
    if (nic->buffer == LFN_3C500_TRANSMITTING) look_at_transmitter(*nic, now_ms, announced);
    if (nic->buffer == LFN_3C500_TRANSMITTING || !take_buffer(*nic, announced)) return 0;
    const size_t length = read_frame(*nic, room, room_octets);
    resume(*nic, now_ms);
    return length;
}

void lfn_3c500_interrupt(lfn_3c500* nic) {
    nic->announced = true;
}
