/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * RFC 1106's TCP options on the wire: A (NAK), B (big window, in the SYN) and C (upper half of the window).
 *
 *                   rfc1106 form (RFC 1106 2.1, 3, 3.1)        exid form (RFC 6994: kind 253, length, 16-bit ExID)
 *   A               kind, 7, first octet missing 32, count 8   253, 9, ExID, first octet missing 32, count 8
 *   B               kind, 6, window 32                         253, 8, ExID, window 32
 *   C               kind, 4, upper half of the window 16       253, 6, ExID, upper half of the window 16
 *   A permitted     (RFC 1106 negotiates nothing)              253, 4, ExID                     (SYN only)
 *
 * One ExID serves all four; they differ by length. Everything is in network order. RFC 1106 never numbered its kinds:
 * 65, 66 and 67 are ours (guess), and unassigned.
 */
#ifndef LFN_TCP_OPTIONS_H
#define LFN_TCP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LFN_OPTION_AREA_MAX 40 /* octets; RFC 9293 3.1: data offset 15 less the 20-octet header */
#define LFN_OPTION_KIND_A 65   /* defaults of the rfc1106 form */
#define LFN_OPTION_KIND_B 66
#define LFN_OPTION_KIND_C 67
#define LFN_OPTION_KIND_EXID 253 /* RFC 4727 7.3, RFC 6994 */
#define LFN_OPTION_EXID 0x1106   /* not registered with IANA (guess) */

enum lfn_wire { LFN_WIRE_EXID = 0, LFN_WIRE_RFC1106 = 1 };

/* How the options are spelt on one connection. The kinds serve the rfc1106 form: they must differ from each other and
 * from every option that the connection uses otherwise. The exid serves the exid form. */
struct lfn_wire_form {
    uint8_t wire; /* an enum lfn_wire */
    uint8_t kind_a, kind_b, kind_c;
    uint16_t exid;
};

/* The defaults above, for the given form. */
void lfn_wire_form_init(struct lfn_wire_form* form, enum lfn_wire wire);

/* Option A: `segments` segments of the current MSS are missing from the octet `seq` on. */
struct lfn_nak {
    uint32_t seq;
    uint8_t segments; /* 0 means nothing; lfn_nak_clip refuses it */
};

#define LFN_NAK_SEGMENTS_MAX 255 /* the field has 8 bits */
#define LFN_NAKS_PER_SEGMENT 5   /* 5 x 7 octets and a NOP is the most that leaves room for C: 36 + 4 = 40 */

/* What one segment carried. */
struct lfn_options {
    bool has_b;         /* only from a SYN */
    bool has_c;         /* never from a SYN */
    bool nak_permitted; /* only from a SYN in exid form */
    uint32_t b_window;  /* octets, clamped to 2^30; 0 without B */
    uint16_t c_high;    /* as sent, see lfn_window_join; 0 without C */
    uint8_t nak_count;  /* entries of naks in use; never from a SYN */
    struct lfn_nak naks[LFN_NAKS_PER_SEGMENT];
};

/*
 * Reads our options out of a whole option area, gathered in one piece (0 to 40 octets; `octets` may be NULL for 0).
 * `syn` says whether the segment has SYN set. The walk stops at End of Option List, and at an option without its
 * length, shorter than 2 or longer than what is left; what came before stays valid. An option of ours with a wrong
 * length, or in the wrong kind of segment, is skipped like an unknown one. Repeated A's are all kept, up to
 * LFN_NAKS_PER_SEGMENT; of repeated B's or C's the first counts. Returns false only for length > 40, and then leaves
 * `out` alone; otherwise every field of `out` is set.
 */
bool lfn_options_parse(const struct lfn_wire_form* form, const uint8_t* octets, size_t length, bool syn,
                       struct lfn_options* out);

/*
 * The same for the segment that most are: the area of one without SYN is C as lfn_option_c_write puts it, and nothing
 * else. Returns false if it is anything else, and then leaves `out` alone.
 */
bool lfn_options_only_c(const struct lfn_wire_form* form, const uint8_t* octets, size_t length,
                        struct lfn_options* out);

/*
 * Writers. Each option is preceded by as many NOPs as make it a multiple of 4 octets; the length functions include
 * them. A write function puts exactly that many octets at `at` and returns the end of them.
 */
size_t lfn_option_b_length(const struct lfn_wire_form* form);             /* 8, 8 (rfc1106, exid) */
size_t lfn_option_c_length(const struct lfn_wire_form* form);             /* 4, 8 */
size_t lfn_option_nak_length(const struct lfn_wire_form* form);           /* 8, 12 */
size_t lfn_option_nak_permitted_length(const struct lfn_wire_form* form); /* 0, 4 */

uint8_t* lfn_option_b_write(const struct lfn_wire_form* form, uint8_t* at, uint32_t window); /* clamps to 2^30 */
uint8_t* lfn_option_c_write(const struct lfn_wire_form* form, uint8_t* at, uint16_t c_high); /* see lfn_window_high */
uint8_t* lfn_option_nak_write(const struct lfn_wire_form* form, uint8_t* at, const struct lfn_nak* nak);
uint8_t* lfn_option_nak_permitted_write(const struct lfn_wire_form* form, uint8_t* at);

/* Several A's back to back, with NOPs only before the first: denser than one by one (two in 20 octets of the exid form,
 * five in 36 of the rfc1106 form). */
size_t lfn_option_naks_length(const struct lfn_wire_form* form, size_t count); /* octets, 0 for none */
size_t lfn_option_naks_fit(const struct lfn_wire_form* form, size_t room);     /* A's, at most LFN_NAKS_PER_SEGMENT */
uint8_t* lfn_option_naks_write(const struct lfn_wire_form* form, uint8_t* at, const struct lfn_nak* naks, size_t count);

/* Puts n NOPs at `at` and returns the end of them. */
uint8_t* lfn_option_nop_fill(uint8_t* at, size_t n);

#ifdef __cplusplus
}
#endif

#endif
