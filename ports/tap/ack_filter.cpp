// SPDX-License-Identifier: BSD-3-Clause
#include "ports/tap/ack_filter.hpp"

#include <algorithm>

namespace lfn {

bool is_pure_ack(const TcpView& segment) {
    return segment.flags == tcp_flag_ack && segment.payload_octets == 0;
}

bool supersedes(const TcpView& later, const TcpView& earlier) {
    const std::uint32_t advance = later.ack - earlier.ack;
    return is_pure_ack(earlier) && (later.flags & tcp_flag_ack) != 0 && advance != 0 && advance < 0x80000000U &&
           std::ranges::equal(later.ports(), earlier.ports()) &&
           std::ranges::equal(later.addresses(), earlier.addresses()) &&
           std::ranges::equal(later.options(), earlier.options());
}

}  // namespace lfn
