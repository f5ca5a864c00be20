// SPDX-License-Identifier: BSD-3-Clause
// Link profiles: the numbers of a link, each with its source. Adding a link is adding an entry in profile.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "emulators/link/plans.hpp"
#include "emulators/time/time.hpp"

namespace lfn {

/// One number and where it comes from: a document, "arithmetic", "guess" or, of what stands for many, "chosen". What a
/// profile does not have is not given.
template <class Value>
struct Sourced {
    Value value{};
    std::string_view source{};
    bool given() const { return !source.empty(); }
};

/// A duplex link, the same both ways but for what says otherwise. The queue is that of the network interface which
/// feeds it, or of a router if flows compete there.
struct LinkProfile {
    std::string_view name;
    std::string_view description;
    Sourced<std::uint64_t> rate_bps;       ///< each way; 0 is unlimited
    Sourced<Duration> one_way_delay;       ///< propagation, each way
    Sourced<double> bit_error_rate;        ///< independent errors
    Sourced<std::size_t> queue_frames;     ///< the one on the line included; 0 is unlimited
    Sourced<std::size_t> overhead_octets;  ///< per frame on the line, beyond the IP packet
    Sourced<std::size_t> mtu_octets;       ///< the largest IP packet

    Sourced<std::uint64_t> return_rate_bps{};  ///< of the way back, if it is another
    Sourced<GilbertElliottOptions> bursts{};   ///< errors that come together, each way by itself
    Sourced<OutagePlan> outages{};             ///< of both ways at once
    Sourced<RateSchedule> rates{};             ///< in place of rate_bps, which is the highest
    Sourced<DelaySchedule> delays{};           ///< in place of one_way_delay, which is the longest
    Sourced<std::size_t> mark_frames{};        ///< from a queue so long on it marks (RFC 3168); TransmitterOptions
    Sourced<unsigned> competitors{};           ///< flows of NewReno without end that share the queue; `lfn transfer`
};

/// All profiles, in alphabetical order of names.
std::span<const LinkProfile> link_profiles();

/// The profile of that name, or null.
const LinkProfile* find_link_profile(std::string_view name);

/// The profile with a constant rate and a constant round trip in place of its own, where they are given.
LinkProfile with_constants(const LinkProfile& profile, std::optional<std::uint64_t> rate_bps,
                           std::optional<Duration> round_trip);

/// The chance that a frame which carries an IP packet of this size is lost to bit errors.
double packet_error_rate(const LinkProfile& profile, double bit_error_rate, std::size_t packet_octets);

/// Bits per second in the long run: the mean of a schedule, less outages. 0 if unlimited.
double mean_rate_bps(const LinkProfile& profile);

/// The most payload that the link can deliver in the long run, in octets per second: mean rate / 8 x payload / (packet
/// + overhead) x (1 - PER) x (1 - bursts), for packets of `packet_octets` (IP header included) that carry
/// `payload_octets`. 0 if the rate is unlimited.
double ceiling_octets_per_second(const LinkProfile& profile, double bit_error_rate, std::size_t payload_octets,
                                 std::size_t packet_octets);

/// rate x round trip (twice the one-way delay): what a sender must have under way to fill the link, in octets.
std::uint64_t bandwidth_delay_octets(const LinkProfile& profile);

}  // namespace lfn
