// SPDX-License-Identifier: BSD-3-Clause
#include "emulators/link/path.hpp"

#include <utility>

namespace lfn {

namespace {

TransmitterOptions transmitter_options(const LinkProfile& profile, const PathOptions& options) {
    return {.rate_bps = options.rate_bps.value_or(profile.rate_bps.value),
            .rates = options.rate_bps ? RateSchedule{} : profile.rates.value,
            .queue_frames = options.queue_frames.value_or(profile.queue_frames.value),
            .queue_octets = 0,
            .overhead_octets = profile.overhead_octets.value,
            .mark_frames = options.mark_frames.value_or(profile.mark_frames.value),
            .link_header_octets = options.link_header_octets};
}

}  // namespace

Path::Path(Loop& loop, const LinkProfile& profile, const PathOptions& options, std::string_view name)
    : loop_(loop), seed_(options.seed), name_(name) {
    auto transmitter = std::make_unique<Transmitter>(loop, transmitter_options(profile, options));
    transmitter_ = transmitter.get();
    stages_.push_back(std::move(transmitter));
    stages_.push_back(make_delay(profile, options));
    reconnect();
    add_impairments(profile, options);
}

std::unique_ptr<Stage> Path::make_delay(const LinkProfile& profile, const PathOptions& options) const {
    const Duration delay = options.one_way_delay.value_or(profile.one_way_delay.value);
    if (options.jitter > Duration::zero()) {
        return std::make_unique<Jitter>(loop_, delay, options.jitter, options.jitter_order, random("jitter"));
    }
    if (profile.delays.given() && !options.one_way_delay) {
        return std::make_unique<SteppedDelay>(loop_, profile.delays.value);
    }
    return std::make_unique<Delay>(loop_, delay);
}

void Path::add_impairments(const LinkProfile& profile, const PathOptions& options) {
    const double bit_error_rate = options.bit_error_rate.value_or(profile.bit_error_rate.value);
    if (bit_error_rate > 0) add<BitErrors>(bit_error_rate, profile.overhead_octets.value, random("bit-errors"));
    if (profile.bursts.value.loses_any()) add<GilbertElliott>(profile.bursts.value, random("bursts"));
    if (profile.outages.value.any()) add<RecurringOutage>(loop_, profile.outages.value);
}

void Path::connect(FrameSink& receiver) {
    receiver_ = &receiver;
    reconnect();
}

Tap& Path::tap_sent(FrameObserver& observer) {
    auto tap = std::make_unique<Tap>(loop_, observer);
    Tap& added = *tap;
    insert_at(1, std::move(tap));
    ++delay_index_;
    return added;
}

Tap& Path::tap_received(FrameObserver& observer) {
    auto tap = std::make_unique<Tap>(loop_, observer);
    Tap& added = *tap;
    insert_at(stages_.size(), std::move(tap));
    return added;
}

Random Path::random(std::string_view consumer) const {
    return Random(seed_, name_ + "/" + std::string(consumer));
}

Counters Path::counters() const {
    Counters sum;
    for (const auto& stage : stages_) {
        const Counters& counters = stage->counters();
        sum.queued += counters.queued;
        sum.duplicated += counters.duplicated;
        sum.marked += counters.marked;
        for (std::size_t cause = 0; cause < drop_cause_count; ++cause) {
            sum.dropped_by_cause[cause] += counters.dropped_by_cause[cause];
        }
    }
    sum.in = stages_.front()->counters().in;
    sum.out = stages_.back()->counters().out;
    sum.refused = stages_.front()->counters().refused;
    return sum;
}

void Path::insert(std::unique_ptr<Stage> stage) {
    insert_at(delay_index_, std::move(stage));
    ++delay_index_;
}

void Path::insert_at(std::size_t index, std::unique_ptr<Stage> stage) {
    stages_.insert(stages_.begin() + static_cast<std::ptrdiff_t>(index), std::move(stage));
    reconnect();
}

void Path::reconnect() {
    for (std::size_t index = 1; index < stages_.size(); ++index) stages_[index - 1]->connect(*stages_[index]);
    if (receiver_ != nullptr) stages_.back()->connect(*receiver_);
}

LinkProfile return_profile(const LinkProfile& profile) {
    LinkProfile back = profile;
    if (back.return_rate_bps.given()) back.rate_bps = back.return_rate_bps;
    return back;
}

}  // namespace lfn
