// SPDX-License-Identifier: BSD-3-Clause
// When a hole falls due, and what a fill teaches about the round trip and about reordering. Theory of operation:
// lfn/nak_receiver.h.
#ifndef LFN_OPTIONS_NAK_TIMING_HPP
#define LFN_OPTIONS_NAK_TIMING_HPP

#include <cstdint>

#include "lfn/nak_receiver.h"
#include "lfn/seq.hpp"

namespace lfn {

// A NAK that is known to have been answered: of two, the later one in time, then in sequence, was sent later.
struct Answer {
    bool known = false;
    Seq named_ms;
    Seq at;
};

// How long a hole that is being named waits for its answer; `doublings` is its back-off.
std::uint32_t nak_interval_ms(const lfn_nak_receiver& r, unsigned doublings);

// How long reordering is given before a gap counts as a loss; 0 until reordering has been seen.
std::uint32_t nak_reordering_delay_ms(const lfn_nak_receiver& r);

// An octet of the hole, `at`, has arrived. Learns from it, and returns the NAK that it answers if that is certain.
Answer nak_judge_fill(lfn_nak_receiver& r, lfn_hole& hole, Seq at, Seq now_ms);

// Brings the due times of the other named holes in line with an answer: overtaken ones fall due, later ones are on
// their way.
void nak_apply_order(lfn_nak_receiver& r, const Answer& answer, Seq now_ms);

}  // namespace lfn

#endif
