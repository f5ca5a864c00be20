// SPDX-License-Identifier: BSD-3-Clause
#include "tests/bench/tap/stack_end.hpp"

#include <algorithm>

namespace lfn::bench {

void Sender::on_room() {
    while (left_ > 0) {
        const std::span<const std::uint8_t> piece = block().subspan(at_);
        const std::size_t taken = write(piece.first(std::min<std::uint64_t>(piece.size(), left_)));
        if (taken == 0) return;
        left_ -= taken;
        at_ = (at_ + taken) % block().size();
    }
    finish();
}

void Receiver::on_received(std::span<const std::uint8_t> octets) {
    metered(digesting_, [&] {
        digest_.add(octets);
        return 0;
    });
}

}  // namespace lfn::bench
