// SPDX-License-Identifier: BSD-3-Clause
// Time spent on the octets of packets, counted for whoever asks (lfn_stack_costs).
#pragma once

#include <cstddef>
#include <cstdint>

#include "environment.hpp"

namespace lfn {

// Adds the time for which it lives, and `octets`, to an account.
class Metered {
public:
    Metered(lfn_stack_cost lfn_stack_costs::*account, std::size_t octets)
        : account_(env.costs != nullptr ? &(env.costs->*account) : nullptr),
          begin_(account_ != nullptr ? env.costs->ticks() : 0) {
        if (account_ != nullptr) account_->octets += octets;
    }
    ~Metered() {
        if (account_ != nullptr) account_->ticks += env.costs->ticks() - begin_;
    }
    Metered(const Metered&) = delete;
    Metered& operator=(const Metered&) = delete;

private:
    lfn_stack_cost* account_;
    std::uint64_t begin_;
};

}  // namespace lfn
