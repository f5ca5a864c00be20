// SPDX-License-Identifier: BSD-3-Clause
#include "lfn/nak_sender.h"

#include <algorithm>

#include "contract.hpp"

// Offsets from snd_una instead of comparisons: right for every nak->seq, also for one that lies 2^31 away.
enum lfn_nak_verdict lfn_nak_clip(const struct lfn_nak* nak, uint32_t snd_una, uint32_t snd_nxt, uint16_t mss,
                                  uint32_t* from, uint32_t* to) {
    lfn::require(mss != 0);
    if (nak->segments == 0) return LFN_NAK_REFUSE_EMPTY;
    const uint32_t flight = snd_nxt - snd_una;
    const uint32_t octets = uint32_t{nak->segments} * mss;
    const uint32_t ahead = nak->seq - snd_una;
    const uint32_t behind = snd_una - nak->seq;
    if (ahead < flight) {
        *from = nak->seq;
        *to = nak->seq + std::min(octets, flight - ahead);
        return LFN_NAK_HONOUR;
    }
    if (behind >= octets || flight == 0) return LFN_NAK_REFUSE_ALIEN;
    *from = snd_una;
    *to = snd_una + std::min(octets - behind, flight);
    return LFN_NAK_HONOUR;
}

bool lfn_nak_may_resend(bool resent_before, uint32_t resent_ms, uint32_t now_ms, uint32_t srtt_ms) {
    if (!resent_before) return true;
    const uint32_t wait_ms = srtt_ms == 0 ? LFN_NAK_RESEND_UNKNOWN_MS : srtt_ms - srtt_ms / 4;
    return now_ms - resent_ms >= wait_ms;
}
