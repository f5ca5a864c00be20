// SPDX-License-Identifier: BSD-3-Clause
#include "emulators/link/profile.hpp"

#include <algorithm>
#include <array>

#include "emulators/link/loss.hpp"

namespace lfn {

namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr std::string_view interface_queue = "guess: an interface holds two or three frames";

constexpr std::array profiles = {
    LinkProfile{
        .name = "ds3-transcontinental",
        .description = "Cross-country DS3, 44.736 Mb/s, 30 ms",
        .rate_bps = {44'736'000, "ITU-T G.702 (line rate; framing takes a little of it)"},
        .one_way_delay = {milliseconds(30), "RFC 1106 3 (\"30ms delay\"; read as one way, which is a guess)"},
        .bit_error_rate = {0, "guess: a clean fibre"},
        .queue_frames = {3, interface_queue},
        .overhead_octets = {0, "guess"},
        .mtu_octets = {1500, "guess"},
    },
    LinkProfile{
        .name = "ethernet-10m",
        .description = "10 Mb/s Ethernet between two hosts, no collisions",
        .rate_bps = {10'000'000, "IEEE 802.3"},
        .one_way_delay = {microseconds(5), "guess: about 1 km of coaxial cable at 0.77 c, with transceivers"},
        .bit_error_rate = {0, "guess: none worth modelling"},
        .queue_frames = {3, interface_queue},
        .overhead_octets = {38, "IEEE 802.3: preamble and SFD 8, header 14, FCS 4, gap 12"},
        .mtu_octets = {1500, "RFC 894"},
    },
    LinkProfile{
        .name = "geo-10m",
        .description = "Geostationary satellite, 10 Mb/s, 600 ms round trip",
        .rate_bps = {10'000'000, "guess: a round number"},
        .one_way_delay = {milliseconds(300), "RFC 1106 1 (600 ms round trip); RFC 2488 2 has 279 ms of it in the sky"},
        .bit_error_rate = {0, "guess: a coded channel in fair weather"},
        .queue_frames = {3, interface_queue},
        .overhead_octets = {0, "guess"},
        .mtu_octets = {1500, "guess"},
    },
    LinkProfile{
        .name = "ideal",
        .description = "No delay, no limit, no error",
        .rate_bps = {0, "unlimited by definition"},
        .one_way_delay = {Duration::zero(), "by definition"},
        .bit_error_rate = {0, "by definition"},
        .queue_frames = {0, "by definition"},
        .overhead_octets = {0, "by definition"},
        .mtu_octets = {1500, "guess"},
    },
    LinkProfile{
        .name = "t1-satellite",
        .description = "T1 over a geostationary satellite, 1.544 Mb/s, 580 ms round trip",
        .rate_bps = {1'544'000, "RFC 1106 7"},
        .one_way_delay = {milliseconds(290), "RFC 1106 7 (580 ms round trip, halved)"},
        .bit_error_rate = {0, "RFC 1106 7, column \"no error\"; 4.2 saw around 10e-10 on the real channel"},
        .queue_frames = {3, interface_queue},
        .overhead_octets = {0, "guess: RFC 1106 does not name the framing"},
        .mtu_octets = {1500, "guess: RFC 1106 does not name it"},
    },
};

}  // namespace

std::span<const LinkProfile> link_profiles() {
    return profiles;
}

const LinkProfile* find_link_profile(std::string_view name) {
    const auto found = std::find_if(profiles.begin(), profiles.end(),
                                    [name](const LinkProfile& profile) { return profile.name == name; });
    return found == profiles.end() ? nullptr : &*found;
}

double packet_error_rate(const LinkProfile& profile, double bit_error_rate, std::size_t packet_octets) {
    const std::uint64_t octets = packet_octets + profile.overhead_octets.value;
    return 1 - survival_probability(bit_error_rate, 8 * octets);
}

double ceiling_octets_per_second(const LinkProfile& profile, double bit_error_rate, std::size_t payload_octets,
                                 std::size_t packet_octets) {
    const auto line_octets = static_cast<double>(packet_octets + profile.overhead_octets.value);
    const double share = static_cast<double>(payload_octets) / line_octets;
    const double intact = 1 - packet_error_rate(profile, bit_error_rate, packet_octets);
    return static_cast<double>(profile.rate_bps.value) / 8 * share * intact;
}

std::uint64_t bandwidth_delay_octets(const LinkProfile& profile) {
    const auto round_trip_us =
        std::chrono::duration_cast<microseconds>(2 * profile.one_way_delay.value).count();  // keeps the product small
    return profile.rate_bps.value * static_cast<std::uint64_t>(round_trip_us) / 8'000'000;
}

}  // namespace lfn
