// SPDX-License-Identifier: BSD-3-Clause
// The estimator of RFC 6298 2.2 and 2.3 (alpha 1/8, beta 1/4) in scaled integers.
#ifndef LFN_OPTIONS_SMOOTHED_RTT_HPP
#define LFN_OPTIONS_SMOOTHED_RTT_HPP

#include <algorithm>
#include <cstdint>

namespace lfn {

// Keeps every scaled value and sum below 2^32.
constexpr std::uint32_t rtt_max_ms = (std::uint32_t{1} << 28) - 1;

constexpr void smooth_rtt(bool has_sample, std::uint32_t rtt_ms, std::uint32_t& srtt_x8, std::uint32_t& rttvar_x4) {
    const std::uint32_t rtt = std::min(rtt_ms, rtt_max_ms);
    if (!has_sample) {
        srtt_x8 = rtt * 8;
        rttvar_x4 = rtt * 2;
        return;
    }
    const std::uint32_t srtt = srtt_x8 / 8;
    const std::uint32_t deviation = srtt > rtt ? srtt - rtt : rtt - srtt;
    rttvar_x4 = rttvar_x4 - rttvar_x4 / 4 + deviation;
    srtt_x8 = srtt_x8 - srtt + rtt;
}

}  // namespace lfn

#endif
