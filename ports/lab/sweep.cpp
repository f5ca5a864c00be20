// SPDX-License-Identifier: BSD-3-Clause
#include "ports/lab/sweep.hpp"

#include <cassert>

namespace lfn::lab {

std::uint64_t SweepGrid::size() const {
    return std::uint64_t{links.size()} * bit_error_rates.size() * windows.size() * loss_policies.size() * seeds;
}

TransferOptions SweepGrid::cell(std::uint64_t number) const {
    assert(number < size());
    const auto next = [&number](std::uint64_t values) {
        const std::uint64_t index = number % values;
        number /= values;
        return static_cast<std::size_t>(index);
    };
    TransferOptions transfer = base;
    transfer.seed = first_seed + next(seeds);
    transfer.tcp.loss_policy = static_cast<std::uint8_t>(loss_policies[next(loss_policies.size())]);
    transfer.window = windows[next(windows.size())];
    transfer.bit_error_rate = bit_error_rates[next(bit_error_rates.size())];
    transfer.link = links[next(links.size())];
    return transfer;
}

}  // namespace lfn::lab
