// SPDX-License-Identifier: BSD-3-Clause
#include "lfn/rto.h"

#include <algorithm>

#include "smoothed_rtt.hpp"

namespace {

constexpr uint32_t clock_granularity_ms = 1;

}  // namespace

void lfn_rto_init(struct lfn_rto* rto) {
    *rto = lfn_rto{};
    rto->rto_ms = LFN_RTO_INITIAL_MS;
    rto->min_ms = LFN_RTO_MIN_MS;
}

void lfn_rto_sample(struct lfn_rto* rto, uint32_t rtt_ms) {
    lfn::smooth_rtt(rto->has_sample, rtt_ms, rto->srtt_x8, rto->rttvar_x4);
    rto->has_sample = true;
    rto->backoff = 0;
    rto->rto_ms = lfn_rto_srtt_ms(rto) + std::max(clock_granularity_ms, rto->rttvar_x4);
}

void lfn_rto_opened(struct lfn_rto* rto, bool syn_timed_out) {
    if (!syn_timed_out || rto->has_sample) return;
    rto->rto_ms = LFN_RTO_AFTER_SYN_TIMEOUT_MS;
    rto->backoff = 0;
}

void lfn_rto_back_off(struct lfn_rto* rto) {
    if (lfn_rto_ms(rto) < LFN_RTO_MAX_MS) ++rto->backoff;
}

void lfn_rto_reset_backoff(struct lfn_rto* rto) {
    rto->backoff = 0;
}

uint32_t lfn_rto_ms(const struct lfn_rto* rto) {
    const uint64_t base_ms = uint64_t{std::max(rto->rto_ms, rto->min_ms)} + rto->margin_ms;
    const uint32_t doublings = std::min<uint32_t>(rto->backoff, 16);  // 1 ms << 16 is beyond the cap
    return static_cast<uint32_t>(std::min<uint64_t>(base_ms << doublings, LFN_RTO_MAX_MS));
}

uint32_t lfn_rto_srtt_ms(const struct lfn_rto* rto) {
    return rto->has_sample ? rto->srtt_x8 / 8 : 0;
}

uint32_t lfn_rto_probe_ms(const struct lfn_rto* rto) {
    const uint32_t srtt_ms = lfn_rto_srtt_ms(rto);
    return srtt_ms + std::min(srtt_ms, std::max({rto->rttvar_x4, srtt_ms / 8, clock_granularity_ms}));
}
