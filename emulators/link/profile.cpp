// SPDX-License-Identifier: BSD-3-Clause
#include "emulators/link/profile.hpp"

#include <algorithm>
#include <array>

#include "emulators/link/loss.hpp"

namespace lfn {

namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::string_view interface_queue = "guess: an interface holds two or three frames";

constexpr std::string_view chosen_satellite = "chosen: that of geo-10m";

// Rain on a satellite channel that changes its modulation with it: clear, three steps down, three steps up.
constexpr std::array<RateSchedule::Step, 7> fade = {{{seconds(0), 100'000'000},
                                                     {seconds(20), 50'000'000},
                                                     {seconds(22), 25'000'000},
                                                     {seconds(24), 10'000'000},
                                                     {seconds(40), 25'000'000},
                                                     {seconds(42), 50'000'000},
                                                     {seconds(44), 100'000'000}}};

// A constellation gives a station another satellite, near or far, every fifteen seconds.
constexpr std::array<DelaySchedule::Step, 4> handovers = {{{seconds(0), milliseconds(20)},
                                                           {seconds(15), milliseconds(28)},
                                                           {seconds(30), milliseconds(16)},
                                                           {seconds(45), milliseconds(35)}}};

constexpr std::array profiles = {
    LinkProfile{
        .name = "asymmetric-12m-3m",
        .description = "Access line, 12 Mb/s there and 3 Mb/s back, 40 ms round trip",
        .rate_bps = {12'000'000, "chosen: an ADSL2+ line of some length"},
        .one_way_delay = {milliseconds(20), "chosen: interleaving, and some way behind the line"},
        .bit_error_rate = {0, "chosen: interleaving mends it"},
        .queue_frames = {3, interface_queue},
        .overhead_octets = {0, "guess"},
        .mtu_octets = {1500, "guess"},
        .return_rate_bps = {3'000'000, "chosen: a quarter"},
    },
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
        .name = "ecn-10m",
        .description = "A router that marks instead of dropping (RFC 3168) before 10 Mb/s, 100 ms",
        .rate_bps = {10'000'000, "chosen: that of shared-10m"},
        .one_way_delay = {milliseconds(50), "chosen: that of shared-10m"},
        .bit_error_rate = {0, "chosen: that of shared-10m"},
        .queue_frames = {332, "chosen: four times where it marks, as slow start is told late"},
        .overhead_octets = {0, "guess"},
        .mtu_octets = {1500, "guess"},
        .mark_frames = {83, "arithmetic: rate x round trip in packets of 1500 bytes"},
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
        .name = "fade-100m",
        .description = "Geostationary satellite in the rain, 100 to 10 to 100 Mb/s within 24 s of each minute, 600 ms",
        .rate_bps = {100'000'000, "chosen: a round number"},
        .one_way_delay = {milliseconds(300), chosen_satellite},
        .bit_error_rate = {0, "chosen: the modulation follows the weather"},
        .queue_frames = {3, interface_queue},
        .overhead_octets = {0, "guess"},
        .mtu_octets = {1500, "guess"},
        .rates = {{seconds(60), fade}, "chosen: 10 dB of rain, which the modulation follows in steps"},
    },
    LinkProfile{
        .name = "geo-100m",
        .description = "Geostationary satellite, 100 Mb/s, 600 ms round trip",
        .rate_bps = {100'000'000, "chosen: a round number"},
        .one_way_delay = {milliseconds(300), chosen_satellite},
        .bit_error_rate = {0, "guess: a coded channel in fair weather"},
        .queue_frames = {3, interface_queue},
        .overhead_octets = {0, "guess"},
        .mtu_octets = {1500, "guess"},
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
        .name = "geo-10m-bursts",
        .description = "Geostationary satellite, 10 Mb/s, 600 ms round trip, losses that come together",
        .rate_bps = {10'000'000, "guess: a round number"},
        .one_way_delay = {milliseconds(300), chosen_satellite},
        .bit_error_rate = {0, "chosen: all errors are in the bursts"},
        .queue_frames = {3, interface_queue},
        .overhead_octets = {0, "guess"},
        .mtu_octets = {1500, "guess"},
        .bursts = {{.good_to_bad = 0.0005, .bad_to_good = 0.1, .loss_when_good = 0, .loss_when_bad = 0.8},
                   "chosen: a burst every 2000 frames, 10 frames long, loses 8 of them: 0.4 % in all"},
    },
    LinkProfile{
        .name = "geo-10m-outages",
        .description = "Geostationary satellite, 10 Mb/s, 600 ms round trip, out for 2 s of each minute",
        .rate_bps = {10'000'000, "guess: a round number"},
        .one_way_delay = {milliseconds(300), chosen_satellite},
        .bit_error_rate = {0, "guess: a coded channel in fair weather"},
        .queue_frames = {3, interface_queue},
        .overhead_octets = {0, "guess"},
        .mtu_octets = {1500, "guess"},
        .outages = {{seconds(10), seconds(60), seconds(2)}, "chosen: something passes through the beam"},
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
        .name = "leo-handover",
        .description = "Low orbit constellation, 50 Mb/s, 32 to 70 ms round trip, another satellite every 15 s",
        .rate_bps = {50'000'000, "chosen: a round number"},
        .one_way_delay = {milliseconds(35), "chosen: the longest of the four"},
        .bit_error_rate = {0, "chosen: all losses are at handovers"},
        .queue_frames = {3, interface_queue},
        .overhead_octets = {0, "guess"},
        .mtu_octets = {1500, "guess"},
        .outages = {{milliseconds(14'950), seconds(15), milliseconds(50)}, "chosen: the last 50 ms of each 15 s"},
        .delays = {{seconds(60), handovers}, "chosen: 20, 28, 16 and 35 ms; 15 s is what is measured on Starlink"},
    },
    LinkProfile{
        .name = "shared-10m",
        .description = "A router's drop-tail queue before 10 Mb/s, 100 ms, with a flow of NewReno in it already",
        .rate_bps = {10'000'000, "chosen: a round number"},
        .one_way_delay = {milliseconds(50), "chosen: across a continent"},
        .bit_error_rate = {0, "chosen: all losses are the queue's"},
        .queue_frames = {83, "arithmetic: rate x round trip in packets of 1500 bytes"},
        .overhead_octets = {0, "guess"},
        .mtu_octets = {1500, "guess"},
        .competitors = {1, "chosen"},
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

LinkProfile with_constants(const LinkProfile& profile, std::optional<std::uint64_t> rate_bps,
                           std::optional<Duration> round_trip) {
    LinkProfile constant = profile;
    if (rate_bps) {
        constant.rate_bps.value = *rate_bps;
        constant.rates = {};
        constant.return_rate_bps = {};
    }
    if (round_trip) {
        constant.one_way_delay.value = *round_trip / 2;
        constant.delays = {};
    }
    return constant;
}

double packet_error_rate(const LinkProfile& profile, double bit_error_rate, std::size_t packet_octets) {
    const std::uint64_t octets = packet_octets + profile.overhead_octets.value;
    return 1 - survival_probability(bit_error_rate, 8 * octets);
}

double mean_rate_bps(const LinkProfile& profile) {
    const double rate =
        profile.rates.given() ? profile.rates.value.mean() : static_cast<double>(profile.rate_bps.value);
    const OutagePlan& outages = profile.outages.value;
    return outages.any() ? rate * (1 - seconds_of(outages.length) / seconds_of(outages.every)) : rate;
}

double ceiling_octets_per_second(const LinkProfile& profile, double bit_error_rate, std::size_t payload_octets,
                                 std::size_t packet_octets) {
    const auto line_octets = static_cast<double>(packet_octets + profile.overhead_octets.value);
    const double share = static_cast<double>(payload_octets) / line_octets;
    const double intact = 1 - packet_error_rate(profile, bit_error_rate, packet_octets);
    const double unburst = 1 - GilbertElliott::expected_loss(profile.bursts.value);
    return mean_rate_bps(profile) / 8 * share * intact * unburst;
}

std::uint64_t bandwidth_delay_octets(const LinkProfile& profile) {
    const auto round_trip_us =
        std::chrono::duration_cast<microseconds>(2 * profile.one_way_delay.value).count();  // keeps the product small
    return profile.rate_bps.value * static_cast<std::uint64_t>(round_trip_us) / 8'000'000;
}

}  // namespace lfn
