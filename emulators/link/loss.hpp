// SPDX-License-Identifier: BSD-3-Clause
// Stages that lose frames, and one that doubles them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "emulators/link/plans.hpp"
#include "emulators/link/stage.hpp"
#include "emulators/time/random.hpp"

namespace lfn {

/// (1 - ber)^bits: the chance that `bits` bits in a row are all right. Repeated squaring in doubles, no libm, so that
/// the last bit is the same on every IEEE 754 machine.
double survival_probability(double bit_error_rate, std::uint64_t bits);

/// Independent bit errors. A frame with one or more wrong bits fails the link's checksum and is dropped, so it is lost
/// with probability 1 - (1 - ber)^(8 (size + overhead)). One random number a frame, whatever its size.
class BitErrors final : public LossStage {
public:
    /// `overhead_octets`: what the line adds to a frame; it can be hit as well.
    BitErrors(double bit_error_rate, std::size_t overhead_octets, Random random);
    double bit_error_rate() const { return bit_error_rate_; }

private:
    bool loses(const Frame& frame) override;
    double survival(std::size_t size);

    double bit_error_rate_;
    std::size_t overhead_octets_;
    Random random_;
    std::vector<double> survival_by_size_;  // negative: not computed yet
};

/// See GilbertElliottOptions.
class GilbertElliott final : public LossStage {
public:
    GilbertElliott(const GilbertElliottOptions& options, Random random);
    /// The long-run share of frames lost.
    static double expected_loss(const GilbertElliottOptions& options);

private:
    bool loses(const Frame& frame) override;

    GilbertElliottOptions options_;
    Random random_;
    bool bad_ = false;
};

/// Loses everything that arrives in [from, to) of any entry of a calendar.
class Outage final : public LossStage {
public:
    struct Interval {
        Time from;
        Time to;
    };
    /// In any order; they may overlap.
    Outage(Loop& loop, std::vector<Interval> calendar);

private:
    bool loses(const Frame& frame) override;

    Loop& loop_;
    std::vector<Interval> calendar_;  // by `from`; those that are over are passed for good
    std::size_t next_ = 0;
};

/// Loses everything that arrives during an outage of a plan without end.
class RecurringOutage final : public LossStage {
public:
    RecurringOutage(Loop& loop, const OutagePlan& plan) : LossStage(DropCause::outage), loop_(loop), plan_(plan) {}

private:
    bool loses(const Frame&) override { return plan_.is_out(loop_.now()); }

    Loop& loop_;
    OutagePlan plan_;
};

/// Loses the frames that a test names, by position or by content.
class DropList final : public LossStage {
public:
    /// `number` counts the frames that the stage has seen, the first is 1.
    using Predicate = std::function<bool(std::uint64_t number, const Frame& frame)>;
    explicit DropList(Predicate predicate);
    /// Loses the frames with these numbers, in any order.
    explicit DropList(std::vector<std::uint64_t> numbers);

private:
    bool loses(const Frame& frame) override;

    Predicate predicate_;
    std::uint64_t seen_ = 0;
};

/// Sends a frame twice with the given probability, the copy right behind it.
class Duplicate final : public Stage {
public:
    Duplicate(double probability, Random random) : probability_(probability), random_(random) {}
    void accept(FramePtr frame) override;

private:
    double probability_;
    Random random_;
};

}  // namespace lfn
