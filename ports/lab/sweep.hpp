// SPDX-License-Identifier: BSD-3-Clause
// A grid of transfers: links x error rates x windows x loss policies x seeds, each cell a transfer of its own that
// depends on nothing but the cell. So the results are the same however the cells are spread over cores and machines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lfn/loss_policy.h"
#include "ports/lab/transfer.hpp"

namespace lfn::lab {

struct SweepGrid {
    std::vector<const LinkProfile*> links;
    std::vector<std::optional<double>> bit_error_rates;  ///< nothing: the link's own
    std::vector<std::uint32_t> windows;                  ///< octets
    std::vector<lfn_loss_policy> loss_policies;
    std::uint64_t first_seed = 1;
    std::uint64_t seeds = 1;
    TransferOptions base{};  ///< what all cells have in common

    /// Cells in all.
    std::uint64_t size() const;
    /// Cells are numbered from 0; the seed changes fastest, the link slowest.
    TransferOptions cell(std::uint64_t number) const;
};

/// One part of a grid: every `count`-th cell, from `number` - 1 on. Neighbouring cells cost about the same, so parts
/// do.
struct Shard {
    std::uint64_t number = 1;  ///< 1 to count
    std::uint64_t count = 1;

    bool has(std::uint64_t cell) const { return cell % count == number - 1; }
};

}  // namespace lfn::lab
