// SPDX-License-Identifier: BSD-3-Clause
// A path is one direction of a link, put together from stages; a duplex link is two paths.
//
//   transmitter -> impairments, in the order they were added -> delay -> the receiving end
//
// The first impairments are the profile's bit errors, bursts and outages, as far as it has any.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulators/link/delay.hpp"
#include "emulators/link/loss.hpp"
#include "emulators/link/profile.hpp"
#include "emulators/link/transmitter.hpp"

namespace lfn {

/// What differs from the profile in one run.
struct PathOptions {
    std::uint64_t seed = 1;
    std::optional<double> bit_error_rate{};
    std::optional<std::uint64_t> rate_bps{};  ///< constant, both ways
    std::optional<Duration> one_way_delay{};  ///< constant
    std::optional<std::size_t> queue_frames{};
    std::optional<std::size_t> mark_frames{};
    std::size_t link_header_octets = 0;  ///< in front of the IP packet, in each frame; for marks
    /// If set, the delay is one_way_delay +/- jitter; at most one_way_delay.
    Duration jitter{};
    Jitter::Order jitter_order = Jitter::Order::kept;
};

class Path {
public:
    /// `name` names the direction in the random streams: "NAME/bit-errors", "NAME/bursts", "NAME/jitter".
    Path(Loop& loop, const LinkProfile& profile, const PathOptions& options, std::string_view name);

    /// Where the sending side offers its frames.
    Transmitter& transmitter() { return *transmitter_; }
    const Transmitter& transmitter() const { return *transmitter_; }
    /// The receiving end; to be connected before the first frame.
    void connect(FrameSink& receiver);

    /// Adds an impairment in front of the delay and returns it: `path.add<Duplicate>(0.01, path.random("duplicate"))`.
    template <class StageType, class... Arguments>
    StageType& add(Arguments&&... arguments) {
        auto stage = std::make_unique<StageType>(std::forward<Arguments>(arguments)...);
        StageType& added = *stage;
        insert(std::move(stage));
        return added;
    }
    /// Adds a tap in front of the transmitter's line: sees each frame when its last bit has been sent, errors to come.
    Tap& tap_sent(FrameObserver& observer);
    /// Adds a tap behind the delay: sees each frame when it reaches the receiver.
    Tap& tap_received(FrameObserver& observer);

    /// The random stream "NAME/consumer" of this path's seed.
    Random random(std::string_view consumer) const;

    /// The whole path as one stage: in at the transmitter, out at the receiver, the rest summed over all stages.
    Counters counters() const;
    /// The stages in order, the transmitter first.
    const std::vector<std::unique_ptr<Stage>>& stages() const { return stages_; }

private:
    std::unique_ptr<Stage> make_delay(const LinkProfile& profile, const PathOptions& options) const;
    void add_impairments(const LinkProfile& profile, const PathOptions& options);
    void insert(std::unique_ptr<Stage> stage);
    void insert_at(std::size_t index, std::unique_ptr<Stage> stage);
    void reconnect();

    Loop& loop_;
    std::uint64_t seed_;
    std::string name_;
    std::vector<std::unique_ptr<Stage>> stages_;
    Transmitter* transmitter_ = nullptr;
    std::size_t delay_index_ = 1;  // behind the transmitter, until something is put between them
    FrameSink* receiver_ = nullptr;
};

/// The profile as the way back has it.
LinkProfile return_profile(const LinkProfile& profile);

/// Two paths over one profile; their random streams are "a-to-b/..." and "b-to-a/...".
struct DuplexLink {
    DuplexLink(Loop& loop, const LinkProfile& profile, const PathOptions& options)
        : DuplexLink(loop, profile, options, return_profile(profile), options) {}
    /// Two ways that differ.
    DuplexLink(Loop& loop, const LinkProfile& forward_profile, const PathOptions& forward_options,
               const LinkProfile& return_profile, const PathOptions& return_options)
        : a_to_b(loop, forward_profile, forward_options, "a-to-b"),
          b_to_a(loop, return_profile, return_options, "b-to-a") {}

    Path a_to_b;
    Path b_to_a;
};

}  // namespace lfn
