// SPDX-License-Identifier: BSD-3-Clause
#include "lfn/loss_policy.h"

#include <algorithm>
#include <cstdint>

#include "lfn/seq.hpp"

namespace {

uint32_t half_of_flight(uint32_t flight, uint16_t mss) {
    return std::max<uint32_t>(flight / 2, 2U * mss);
}

}  // namespace

bool lfn_loss_reduce(struct lfn_congestion* congestion, uint32_t window, uint16_t mss, uint32_t snd_una,
                     uint32_t snd_nxt, uint32_t* recover, bool* in_recovery) {
    lfn_loss_on_ack(snd_una, *recover, in_recovery);
    if (*in_recovery) return false;
    congestion->ssthresh = std::max<uint32_t>(window, 2U * mss);
    congestion->cwnd = std::min(congestion->cwnd, congestion->ssthresh);  // a loss never opens the window
    *recover = snd_nxt;
    *in_recovery = true;
    return true;
}

void lfn_loss_on_ack(uint32_t snd_una, uint32_t recover, bool* in_recovery) {
    if (!lfn::Seq(snd_una).before(lfn::Seq(recover))) *in_recovery = false;
}

void lfn_loss_on_rto(enum lfn_loss_policy policy, struct lfn_congestion* congestion, uint32_t flight, uint16_t mss,
                     uint32_t snd_nxt, bool first, uint32_t* recover, bool* in_recovery) {
    if (policy == LFN_LOSS_NOISE) {
        congestion->ssthresh = std::max(congestion->ssthresh, congestion->cwnd);
    } else if (first) {
        congestion->ssthresh = half_of_flight(flight, mss);
    }
    congestion->cwnd = mss;
    *recover = snd_nxt;
    *in_recovery = true;
}

uint32_t lfn_slow_start_increase(uint32_t rate, uint32_t acked, uint16_t mss, bool after_rto) {
    if (rate <= 1) return std::min<uint32_t>(acked, after_rto ? mss : 2U * mss);
    return static_cast<uint32_t>(std::min<uint64_t>(uint64_t{rate} * acked, UINT32_MAX));
}

uint32_t lfn_cwnd_add(uint32_t cwnd, uint32_t increase) {
    return cwnd > UINT32_MAX - increase ? UINT32_MAX : cwnd + increase;
}
