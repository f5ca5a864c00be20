// SPDX-License-Identifier: BSD-3-Clause
#include "lfn/guard.h"

#include <algorithm>

#include "lfn/big_window.h"

uint32_t lfn_guard_window(uint32_t rtt_ms) {
    constexpr uint64_t half_of_the_numbers = uint64_t{1} << 31;
    const uint64_t window = half_of_the_numbers * rtt_ms / LFN_MSL_MS;
    return static_cast<uint32_t>(std::clamp<uint64_t>(window, 65535, LFN_WINDOW_MAX));
}

bool lfn_paws_refuses(const struct lfn_paws* paws, uint32_t ts_value, uint32_t now_ms) {
    if (now_ms - paws->seen_ms > LFN_PAWS_IDLE_MS) return false;
    return static_cast<int32_t>(ts_value - paws->recent) < 0;
}

void lfn_paws_accept(struct lfn_paws* paws, uint32_t ts_value, bool in_order, uint32_t now_ms) {
    if (!in_order) return;
    paws->recent = ts_value;
    paws->seen_ms = now_ms;
}

bool lfn_guard_ack(uint32_t ack, uint32_t snd_una, uint32_t snd_nxt, uint32_t max_snd_wnd) {
    return ack - (snd_una - max_snd_wnd) <= snd_nxt - (snd_una - max_snd_wnd);
}

bool lfn_challenge_allowed(struct lfn_challenges* challenges, uint32_t now_ms) {
    const bool over = now_ms - challenges->since_ms >= LFN_CHALLENGES_MS;
    if (challenges->sent == 0 || over) *challenges = {now_ms, 0};
    if (challenges->sent >= LFN_CHALLENGES) return false;
    ++challenges->sent;
    return true;
}
