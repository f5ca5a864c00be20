// SPDX-License-Identifier: BSD-3-Clause
// What a link that is not the same all the time does, as data: for profiles, and for the stages that do it.
#pragma once

#include <cstdint>
#include <span>

#include "emulators/time/time.hpp"

namespace lfn {

/// The Gilbert-Elliott model: a Markov chain of two states, one step a frame, each with its own chance of loss (Gilbert
/// 1960, Elliott 1963; names as in RFC-era literature: p good to bad, r bad to good). Starts in the good state.
struct GilbertElliottOptions {
    double good_to_bad = 0;  ///< p, per frame
    double bad_to_good = 1;  ///< r, per frame
    double loss_when_good = 0;
    double loss_when_bad = 1;

    bool loses_any() const { return (good_to_bad > 0 && loss_when_bad > 0) || loss_when_good > 0; }
};

/// Outages that come again and again: from `first` on one every `every`, each of `length`. No length: none.
struct OutagePlan {
    Duration first{}, every{}, length{};

    bool any() const { return length > Duration::zero(); }
    bool is_out(Time now) const {
        const Duration since = now - Time{} - first;
        return any() && since >= Duration::zero() && since % every < length;
    }
};

/// A value that takes one step after the other and begins anew after each `period`. No period: there is none.
template <class Value>
struct Schedule {
    struct Step {
        Duration from;  ///< since the period began; the first step's is zero, and they ascend
        Value value;
    };
    Duration period{};
    std::span<const Step> steps{};

    bool any() const { return period > Duration::zero(); }
    /// Only if any().
    Value at(Time now) const {
        const Duration since = (now - Time{}) % period;
        Value value = steps.front().value;
        for (const Step& step : steps) {
            if (step.from <= since) value = step.value;
        }
        return value;
    }
    /// The mean over a period of a value that is a number. Only if any().
    double mean() const {
        double sum = 0;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const Duration until = i + 1 < steps.size() ? steps[i + 1].from : period;
            sum += static_cast<double>(steps[i].value) * seconds_of(until - steps[i].from);
        }
        return sum / seconds_of(period);
    }
};

using RateSchedule = Schedule<std::uint64_t>;  ///< bits per second
using DelaySchedule = Schedule<Duration>;      ///< one way

}  // namespace lfn
