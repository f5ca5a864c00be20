/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * TCP sequence numbers, modulo 2^32 (RFC 9293 3.4). A comparison is meaningful while the two numbers are less than
 * 2^31 apart. C++ code uses lfn/seq.hpp, whose type has no `<`.
 */
#ifndef LFN_SEQ_H
#define LFN_SEQ_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* a comes before b. Two numbers exactly 2^31 apart have no order: then this is false both ways. */
static inline bool lfn_seq_lt(uint32_t a, uint32_t b) {
    return a != b && (uint32_t)(b - a) < UINT32_C(0x80000000);
}

static inline bool lfn_seq_leq(uint32_t a, uint32_t b) {
    return a == b || lfn_seq_lt(a, b);
}

static inline bool lfn_seq_gt(uint32_t a, uint32_t b) {
    return lfn_seq_lt(b, a);
}

static inline bool lfn_seq_geq(uint32_t a, uint32_t b) {
    return lfn_seq_leq(b, a);
}

/* x lies in [low, high). The range may be up to 2^32 - 1 octets wide; it is empty when low equals high. */
static inline bool lfn_seq_between(uint32_t low, uint32_t x, uint32_t high) {
    return (uint32_t)(x - low) < (uint32_t)(high - low);
}

#ifdef __cplusplus
}
#endif

#endif
