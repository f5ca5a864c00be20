// SPDX-License-Identifier: BSD-3-Clause
#include "ports/cli/link_options.hpp"

#include <limits>
#include <string>

#include "ports/cli/commands.hpp"
#include "ports/cli/options.hpp"
#include "ports/cli/units.hpp"

namespace lfn::cli {

namespace {

constexpr double bit_error_rate_max = 1 - std::numeric_limits<double>::epsilon() / 2;  // below 1, however little
constexpr std::uint64_t rate_max_bps = 10'000'000'000;

}  // namespace

void add_link_options(Command& command, const std::shared_ptr<const LinkProfile*>& link,
                      const std::shared_ptr<PathOptions>& path) {
    *link = find_link_profile("t1-satellite");
    add_parsed<const LinkProfile*>(
        command,
        {"--link", "NAME", "t1-satellite", "Link profile; `lfn links` lists them",
         "unknown link; there are " + link_names()},
        [](std::string_view name) -> std::optional<const LinkProfile*> {
            const LinkProfile* found = find_link_profile(name);
            return found != nullptr ? std::optional(found) : std::nullopt;
        },
        [link](const LinkProfile* chosen) {
            const std::string named = "--link " + std::string(chosen->name);
            if (chosen->competitors.given()) complain(named + ": competitors are the laboratory's; give another link");
            *link = chosen;
        });
    add_parsed<double>(command,
                       {"--ber", "RATE", "", "Bit error rate of both directions, 0 <= RATE < 1 (default: the link's)",
                        "give a number from 0 up to but not 1, as in 1e-6"},
                       within<double>(parse_number, 0, bit_error_rate_max),
                       [path](double rate) { path->bit_error_rate = rate; });
    add_parsed<std::uint64_t>(command,
                              {"--rate", "BITS", "", "Line rate in bits per second (default: the link's)",
                               "give bits per second from 1 to 10G, as in 1.544M"},
                              within<std::uint64_t>(parse_rate, 1, rate_max_bps),
                              [path](std::uint64_t rate) { path->rate_bps = rate; });
    add_parsed<Duration>(command,
                         {"--rtt", "MS", "", "Round trip of the link in milliseconds (default: the link's)",
                          "give milliseconds from 0 to 86400000, as in 580, or a time, as in 0.58s"},
                         parse_milliseconds, [path](Duration duration) { path->one_way_delay = duration / 2; });
    add_parsed<std::uint64_t>(command,
                              {"--queue", "FRAMES", "",
                               "Frames that wait in front of the line (default: one bandwidth-delay product, or "
                               "what\nthe link's interface has if it holds the sender up)",
                               "give frames from 1 to 1000000"},
                              within<std::uint64_t>(parse_count, 1, 1'000'000),
                              [path](std::uint64_t frames) { path->queue_frames = static_cast<std::size_t>(frames); });
    add_parsed<std::uint64_t>(command,
                              {"--ecn-mark", "FRAMES", "",
                               "From so many frames in the queue on, mark a part of what knows ECN (RFC 3168), and\n"
                               "drop as much of what does not; all at twice as many (default: the link's)",
                               "give frames from 1 to 1000000"},
                              within<std::uint64_t>(parse_count, 1, 1'000'000),
                              [path](std::uint64_t frames) { path->mark_frames = static_cast<std::size_t>(frames); });
    add_parsed<std::uint64_t>(command,
                              {"--seed", "N", "1", "Seed of the errors", "give a whole number from 0 to 2^64-1"},
                              parse_count, [path](std::uint64_t seed) { path->seed = seed; });
}

void add_when_full(Command& command, const std::shared_ptr<WhenFull>& when_full) {
    using Choice = std::pair<std::string_view, WhenFull>;
    const Choice drop{"drop", WhenFull::drop};
    const Choice hold{"hold", WhenFull::hold};
    const bool holds = *when_full == WhenFull::hold;
    add_choice<WhenFull>(
        command, "--when-full", "What a full queue does: drop as a router, or hold the sender up as its own interface",
        {holds ? hold : drop, holds ? drop : hold}, [when_full](WhenFull chosen) { *when_full = chosen; });
}

}  // namespace lfn::cli
