/* SPDX-License-Identifier: BSD-3-Clause */
/* Driver for the Proteon P1300, a ProNET-10 token ring interface, by programmed I/O.
 *
 * Two packet buffers, one a direction. A message that its destination did not copy comes back refused and is sent again
 * from the card's buffer, while the receiver is served in between. The interrupt handler only announces; all work is
 * done by poll(), which the caller calls as long as `announced` is true, and at least every clock tick besides.
 *
 * Not reentrant: everything but lfn_p1300_interrupt is called from one context. No heap, no waiting but in init.
 * Sources: Proteon's driver in MIT/CMU PC/IP, 4.3BSD if_vv.c.
 */
#ifndef LFN_P1300_H
#define LFN_P1300_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lfn_io.h"
#include "send_result.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LFN_P1300_MESSAGE_MAX = 2046,     /* octets, the two addresses among them */
    LFN_P1300_REFUSAL_LIMIT_MS = 250, /* guess: the receiver's copy takes 6 ms, that of a busy one some tens */
    LFN_P1300_TOKEN_ATTEMPTS = 3,     /* guess: each waits for the card's own time-out, about 400 ms */
    LFN_P1300_WATCHDOG_MS = 1000      /* guess: twice that time-out and more */
};

struct lfn_p1300_counters {
    uint32_t sent, received;
    uint32_t refusals;        /* repetitions of messages that nobody copied */
    uint32_t abandoned;       /* messages refused for so long that they were given up */
    uint32_t token_timeouts;  /* no token came; tried again with leave to make one */
    uint32_t token_failures;  /* messages given up for it */
    uint32_t malformed;       /* own messages that came back so, and were not repeated */
    uint32_t watchdog_resets; /* the transmitter was stuck; the message is lost */
    uint32_t unannounced;     /* work found that no interrupt had announced */
    uint32_t bad_formats, parity_errors, overruns, oversized;
};

struct lfn_p1300 {
    const struct lfn_io* io;
    uint32_t base;
    uint8_t station; /* the address that is set on the card's switches, after init */
    volatile bool announced;
    bool sending;
    uint16_t length; /* of the message in the output buffer */
    uint8_t token_attempts;
    uint32_t first_ms, started_ms;
    struct lfn_p1300_counters counters;
};

/* Learns the station's address by a message to itself, then joins the ring. `io` must outlive the driver. False if the
 * card does not answer so. */
bool lfn_p1300_init(struct lfn_p1300* nic, const struct lfn_io* io, uint32_t base);

/* Sends a message in two parts: `head`, which begins with the two addresses, and `body`. An odd length is padded by one
 * octet. The card keeps the message, so both parts are free again at once. `now_ms`: any clock, modulo 2^32. */
enum lfn_send_result lfn_p1300_transmit(struct lfn_p1300* nic, const uint8_t* head, size_t head_octets,
                                        const uint8_t* body, size_t body_octets, uint32_t now_ms);
bool lfn_p1300_sending(const struct lfn_p1300* nic);

/* Does what there is to do. Returns the octets of a message that has come and is now in `room`, or 0: none. */
size_t lfn_p1300_poll(struct lfn_p1300* nic, uint32_t now_ms, uint8_t* room, size_t room_octets);

/* From the interrupt handler. Touches no port. */
void lfn_p1300_interrupt(struct lfn_p1300* nic);

#ifdef __cplusplus
}
#endif

#endif /* LFN_P1300_H */
