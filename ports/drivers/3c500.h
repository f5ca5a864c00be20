/* SPDX-License-Identifier: BSD-3-Clause */
/* Driver for the 3Com 3C500/3C501 EtherLink, by programmed I/O.
 *
 * The card has one packet buffer for both directions, and the driver one state for it. The interrupt handler only
 * announces; all work is done by poll(), which the caller calls after an interrupt until it returns 0, and at least
 * every clock tick besides: then a lost interrupt costs a tick and no more, and a transmitter that is stuck is reset.
 *
 * Not reentrant: everything but lfn_3c500_interrupt is called from one context. No heap, no waiting but in init.
 * Sources: the sequences of the MIT/CMU PC/IP, Linux and NetBSD drivers, and what they say about the card.
 */
#ifndef LFN_3C500_H
#define LFN_3C500_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lfn_io.h"
#include "send_result.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LFN_3C500_FRAME_MAX = 1514, /* octets without FCS */
    LFN_3C500_FRAME_MIN = 60,   /* shorter ones are padded with zeros */
    LFN_3C500_WATCHDOG_MS = 275 /* five ticks of the PC's clock, as PC/IP waits */
};

struct lfn_3c500_counters {
    uint32_t sent, received;
    uint32_t collisions;      /* restarts by us: the card cannot */
    uint32_t abandoned;       /* frames given up after sixteen collisions */
    uint32_t underflows;      /* frames given up because the card starved */
    uint32_t refused;         /* frames that the card did not send, without a reason */
    uint32_t reloaded;        /* after a collision another frame had come over the one that waited */
    uint32_t drained;         /* a frame had come just before we took the buffer to send */
    uint32_t watchdog_resets; /* the transmitter was stuck; the frame is lost */
    uint32_t unannounced;     /* work found that no interrupt had announced */
    uint32_t restarts;        /* the receiver was neither waiting nor done */
    uint32_t short_frames, overflows, fcs_errors, dribbles, oversized;
};

enum lfn_3c500_buffer {
    LFN_3C500_LISTENING,    /* the card has it, for a frame to come */
    LFN_3C500_TRANSMITTING, /* the card has it, a frame is to leave */
    LFN_3C500_HOLDING       /* we have it: a frame has come whose status is read */
};

struct lfn_3c500 {
    const struct lfn_io* io;
    uint32_t base;
    uint8_t address[6]; /* from the card's PROM, after init */
    volatile bool announced;
    uint8_t receive_status; /* while holding */
    enum lfn_3c500_buffer buffer;
    const uint8_t* frame; /* to be sent; null: none */
    uint16_t length;
    uint32_t started_ms;
    struct lfn_3c500_counters counters;
};

/* Resets the card at I/O address `base`, reads its address and starts to listen. `io` must outlive the driver. False if
 * nothing answers like a 3C500. */
bool lfn_3c500_init(struct lfn_3c500* nic, const struct lfn_io* io, uint32_t base);

/* Sends an Ethernet frame, destination to data, without FCS. If LFN_SEND_STARTED, `frame` must stay as it is until
 * lfn_3c500_sending is false: a frame may have to be loaded again after a collision. `now_ms`: any clock, modulo 2^32.
 */
enum lfn_send_result lfn_3c500_transmit(struct lfn_3c500* nic, const uint8_t* frame, size_t length, uint32_t now_ms);
bool lfn_3c500_sending(const struct lfn_3c500* nic);

/* Does what there is to do. Returns the octets of a frame that has come and is now in `room`, or 0: none. */
size_t lfn_3c500_poll(struct lfn_3c500* nic, uint32_t now_ms, uint8_t* room, size_t room_octets);

/* From the interrupt handler. Touches no port. */
void lfn_3c500_interrupt(struct lfn_3c500* nic);

#ifdef __cplusplus
}
#endif

#endif /* LFN_3C500_H */
