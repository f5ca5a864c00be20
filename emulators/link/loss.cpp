// SPDX-License-Identifier: BSD-3-Clause
#include "emulators/link/loss.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lfn {

double survival_probability(double bit_error_rate, std::uint64_t bits) {
    double result = 1;
    double power = 1 - bit_error_rate;
    for (; bits != 0; bits >>= 1) {
        if ((bits & 1) != 0) result *= power;
        power *= power;
    }
    return result;
}

BitErrors::BitErrors(double bit_error_rate, std::size_t overhead_octets, Random random)
    : LossStage(DropCause::bit_error),
      bit_error_rate_(bit_error_rate),
      overhead_octets_(overhead_octets),
      random_(random) {
    assert(bit_error_rate >= 0 && bit_error_rate <= 1);
}

double BitErrors::survival(std::size_t size) {
    if (size >= survival_by_size_.size()) survival_by_size_.resize(size + 1, -1);
    double& cached = survival_by_size_[size];
    if (cached < 0) cached = survival_probability(bit_error_rate_, 8 * (std::uint64_t{size} + overhead_octets_));
    return cached;
}

bool BitErrors::loses(const Frame& frame) {
    return !random_.chance(survival(frame.size()));
}

GilbertElliott::GilbertElliott(const GilbertElliottOptions& options, Random random)
    : LossStage(DropCause::burst_error), options_(options), random_(random) {}

double GilbertElliott::expected_loss(const GilbertElliottOptions& options) {
    const double both = options.good_to_bad + options.bad_to_good;
    if (both <= 0) return options.loss_when_good;  // never leaves the state that it starts in
    const double bad_share = options.good_to_bad / both;
    return bad_share * options.loss_when_bad + (1 - bad_share) * options.loss_when_good;
}

bool GilbertElliott::loses(const Frame&) {
    const bool changes = random_.chance(bad_ ? options_.bad_to_good : options_.good_to_bad);
    bad_ = bad_ != changes;
    return random_.chance(bad_ ? options_.loss_when_bad : options_.loss_when_good);
}

Outage::Outage(Loop& loop, std::vector<Interval> calendar)
    : LossStage(DropCause::outage), loop_(loop), calendar_(std::move(calendar)) {
    std::stable_sort(calendar_.begin(), calendar_.end(),
                     [](const Interval& left, const Interval& right) { return left.from < right.from; });
}

bool Outage::loses(const Frame&) {
    const Time now = loop_.now();
    while (next_ < calendar_.size() && calendar_[next_].to <= now) ++next_;
    for (std::size_t index = next_; index < calendar_.size() && calendar_[index].from <= now; ++index) {
        if (now < calendar_[index].to) return true;
    }
    return false;
}

DropList::DropList(Predicate predicate) : LossStage(DropCause::chosen), predicate_(std::move(predicate)) {}

DropList::DropList(std::vector<std::uint64_t> numbers) : LossStage(DropCause::chosen) {
    std::sort(numbers.begin(), numbers.end());
    predicate_ = [numbers = std::move(numbers)](std::uint64_t number, const Frame&) {
        return std::binary_search(numbers.begin(), numbers.end(), number);
    };
}

bool DropList::loses(const Frame& frame) {
    return predicate_(++seen_, frame);
}

void Duplicate::accept(FramePtr frame) {
    count_in(*frame);
    FramePtr copy = random_.chance(probability_) ? FramePool::clone(*frame) : nullptr;
    forward(std::move(frame));
    if (copy == nullptr) return;
    mutable_counters().duplicated.add(copy->size());
    forward(std::move(copy));
}

}  // namespace lfn
