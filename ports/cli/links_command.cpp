// SPDX-License-Identifier: BSD-3-Clause
// `lfn links`: the link profiles, their numbers and where each number comes from.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "emulators/link/profile.hpp"
#include "ports/cli/commands.hpp"
#include "ports/cli/units.hpp"

namespace lfn::cli {

namespace {

using Json = nlohmann::ordered_json;

void print_number(std::string_view name, const std::string& value, std::string_view source) {
    fmt::print("  {:<16}{:<14}{}\n", name, value, source);
}

std::string or_unlimited(std::size_t value, std::string_view unit) {
    return value == 0 ? "unlimited" : fmt::format("{} {}", value, unit);
}

void print_text() {
    for (const LinkProfile& link : link_profiles()) {
        fmt::print("{}: {}\n", link.name, link.description);
        print_number("rate", format_rate(link.rate_bps.value), link.rate_bps.source);
        print_number("one-way delay", format_milliseconds(link.one_way_delay.value), link.one_way_delay.source);
        print_number("bit error rate", format_error_rate(link.bit_error_rate.value), link.bit_error_rate.source);
        print_number("queue", or_unlimited(link.queue_frames.value, "frames"), link.queue_frames.source);
        print_number("overhead", fmt::format("{} bytes", link.overhead_octets.value), link.overhead_octets.source);
        print_number("MTU", fmt::format("{} bytes", link.mtu_octets.value), link.mtu_octets.source);
        const std::uint64_t pipe = bandwidth_delay_octets(link);
        if (pipe > 0) print_number("rate x delay", format_count(pipe) + " bytes", "arithmetic: rate x round trip");
        fmt::print("\n");
    }
}

template <class Value>
Json sourced(const Value& value, std::string_view source) {
    return {{"value", value}, {"source", source}};
}

void print_json() {
    Json links = Json::array();
    for (const LinkProfile& link : link_profiles()) {
        const double delay_seconds = seconds_of(link.one_way_delay.value);
        links.push_back({{"name", link.name},
                         {"description", link.description},
                         {"rate_bits_per_second", sourced(link.rate_bps.value, link.rate_bps.source)},
                         {"one_way_delay_seconds", sourced(delay_seconds, link.one_way_delay.source)},
                         {"bit_error_rate", sourced(link.bit_error_rate.value, link.bit_error_rate.source)},
                         {"queue_frames", sourced(link.queue_frames.value, link.queue_frames.source)},
                         {"overhead_bytes", sourced(link.overhead_octets.value, link.overhead_octets.source)},
                         {"mtu_bytes", sourced(link.mtu_octets.value, link.mtu_octets.source)},
                         {"bandwidth_delay_bytes", bandwidth_delay_octets(link)}});
    }
    fmt::print("{}\n", Json{{"links", links}}.dump(2));
}

}  // namespace

std::string link_names() {
    std::string names;
    for (const LinkProfile& link : link_profiles()) names += (names.empty() ? "" : ", ") + std::string(link.name);
    return names;
}

void add_links(CLI::App& program, Run& run) {
    CLI::App* command =
        program.add_subcommand("links", "List the links that --link can name, with the sources of their numbers");
    command->footer(
        "Examples:\n"
        "  lfn links\n"
        "  lfn links --json\n"
        "  lfn transfer --link geo-10m --window 1M\n"
        "\n"
        "Numbers without a published source are marked \"guess\".");
    const auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "Print JSON");
    command->callback([&run, json] {
        run = [json] {
            *json ? print_json() : print_text();
            return exit_ok;
        };
    });
}

}  // namespace lfn::cli
