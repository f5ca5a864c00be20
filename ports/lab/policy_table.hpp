// SPDX-License-Identifier: BSD-3-Clause
// How the loss policies do where losses are noise, where they are congestion, and where they are both.
//
// A bulk flow of lfn's (NAK with renak) runs alone on a noisy link whose queue holds its whole window; beside a flow of
// NewReno (lwIP 2.2.1's, as lfn has it with everything off) on a link without errors; and beside it on a noisy one. In
// the first every reduction is wrong, in the second every loss that is taken for noise is.
//
// `auto` runs once more with ECN, through a router that marks lfn's packets where it drops NewReno's, which know none:
// from the drop-tail queue's length on, or alone on the noisy link from a quarter of the queue. A reduction for a mark
// is right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lfn::lab {

enum class LossCause : std::uint8_t { noise, congestion, both };

struct PolicyTableOptions {
    unsigned seconds = 240;         ///< virtual, measured
    unsigned warm_up_seconds = 60;  ///< before that
    double bit_error_rate = 1e-6;
    std::uint64_t seed = 1;
    unsigned jobs = 1;  ///< processes at a time; no influence on the results
    std::function<void(std::size_t done, std::size_t total)> on_progress{};
};

struct PolicyCell {
    LossCause cause;
    int policy;  ///< enum lfn_loss_policy
    bool marks;  ///< lfn's flow speaks ECN, and the router marks what it would drop, with room to spare
    std::uint64_t rate_bps;
    unsigned round_trip_ms;
    double queue_share;        ///< of rate x round trip
    bool intact;               ///< what arrived, of each flow, is what was sent
    double utilisation;        ///< of the link's rate, by payload
    double goodput;            ///< of lfn's flow, octets per second
    double other_goodput;      ///< of NewReno beside it; 0: it was alone
    double other_undisturbed;  ///< of NewReno beside NewReno, the same link: its fair half
    unsigned reductions, losses_kept, timeouts;
    unsigned reductions_for_marks;  ///< among reductions
    /// Losses judged wrongly, of round trips with losses; by `auto` alone and where one cause is at work, else
    /// negative.
    double error() const;
    /// What NewReno has of its fair half.
    double other_share() const { return other_undisturbed > 0 ? other_goodput / other_undisturbed : 0; }
};

struct PolicyTable {
    std::vector<PolicyCell> cells;
    std::string failure;  ///< as a phrase; empty if all went well
};

PolicyTable measure_policies(const PolicyTableOptions& options);

}  // namespace lfn::lab
