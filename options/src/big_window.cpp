// SPDX-License-Identifier: BSD-3-Clause
#include "lfn/big_window.h"

#include <algorithm>

#include "contract.hpp"

uint32_t lfn_window_join(uint16_t c_high, uint16_t header_low) {
    return std::min<uint32_t>(uint32_t{c_high} << 16 | header_low, LFN_WINDOW_MAX);
}

uint16_t lfn_window_high(uint32_t window) {
    return static_cast<uint16_t>(std::min<uint32_t>(window, LFN_WINDOW_MAX) >> 16);
}

uint16_t lfn_window_low(uint32_t window) {
    return static_cast<uint16_t>(std::min<uint32_t>(window, LFN_WINDOW_MAX) & 0xFFFF);
}

uint8_t lfn_window_scale_for(uint32_t window) {
    uint8_t shift = 0;
    while (shift < LFN_WINDOW_SCALE_MAX && LFN_WINDOW_FLOOR << shift < window) ++shift;
    return shift;
}

enum lfn_window_rule lfn_window_negotiate(bool we_offered_b, bool peer_sent_b, bool we_offered_scale,
                                          bool peer_sent_scale) {
    if (we_offered_b && peer_sent_b) return LFN_WINDOW_BC;
    if (we_offered_scale && peer_sent_scale) return LFN_WINDOW_RFC7323;
    return LFN_WINDOW_16BIT;
}

bool lfn_syn_carries_options(unsigned unanswered_syns) {
    return unanswered_syns < LFN_SYNS_WITH_OPTIONS;
}

uint32_t lfn_budget_grant(struct lfn_budget* budget, uint32_t wanted) {
    if (wanted <= LFN_WINDOW_FLOOR) return wanted;
    const uint64_t left = budget->limit > budget->used ? budget->limit - budget->used : 0;
    const uint32_t above = std::min<uint32_t>(wanted, LFN_WINDOW_MAX) - LFN_WINDOW_FLOOR;
    const uint32_t charged = static_cast<uint32_t>(std::min<uint64_t>(above, left));
    budget->used += charged;
    return LFN_WINDOW_FLOOR + charged;
}

void lfn_budget_release(struct lfn_budget* budget, uint32_t granted) {
    if (granted <= LFN_WINDOW_FLOOR) return;
    const uint32_t charged = granted - LFN_WINDOW_FLOOR;
    lfn::require(charged <= budget->used);
    budget->used -= charged;
}
