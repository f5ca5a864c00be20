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
    fmt::print("  {:<16}{:<13} {}\n", name, value, source);
}

std::string or_unlimited(std::size_t value, std::string_view unit) {
    return value == 0 ? "unlimited" : fmt::format("{} {}", value, unit);
}

std::string seconds_text(Duration duration) {
    return fmt::format("{:g} s", seconds_of(duration));
}

// "100 Mb/s from 0 s, 50 Mb/s from 20 s; anew every 60 s"
template <class Value, class Format>
std::string schedule_text(const Schedule<Value>& schedule, Format format) {
    std::string text;
    for (const auto& step : schedule.steps) {
        text += fmt::format("{}{} from {}", text.empty() ? "" : ", ", format(step.value), seconds_text(step.from));
    }
    return text + "; anew every " + seconds_text(schedule.period);
}

std::string bursts_text(const GilbertElliottOptions& bursts) {
    return fmt::format("good to bad {:g}, bad to good {:g}, loss when good {:g}, when bad {:g}", bursts.good_to_bad,
                       bursts.bad_to_good, bursts.loss_when_good, bursts.loss_when_bad);
}

std::string outages_text(const OutagePlan& outages) {
    return fmt::format("{} at {}, then every {}", seconds_text(outages.length), seconds_text(outages.first),
                       seconds_text(outages.every));
}

void print_changes(const LinkProfile& link) {
    if (link.return_rate_bps.given()) {
        print_number("rate back", format_rate(link.return_rate_bps.value), link.return_rate_bps.source);
    }
    if (link.bursts.given()) print_number("bursts", bursts_text(link.bursts.value) + ";", link.bursts.source);
    if (link.outages.given()) print_number("outages", outages_text(link.outages.value) + ";", link.outages.source);
    if (link.rates.given()) {
        print_number("rates", schedule_text(link.rates.value, format_rate) + ";", link.rates.source);
    }
    if (link.delays.given()) {
        print_number("delays", schedule_text(link.delays.value, format_milliseconds) + ";", link.delays.source);
    }
    if (link.mark_frames.given()) {
        print_number("marks from", or_unlimited(link.mark_frames.value, "frames"), link.mark_frames.source);
    }
    if (link.competitors.given()) {
        print_number("competitors", fmt::format("{}", link.competitors.value), link.competitors.source);
    }
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
        print_changes(link);
        const std::uint64_t pipe = bandwidth_delay_octets(link);
        if (pipe > 0) print_number("rate x delay", format_count(pipe) + " bytes", "arithmetic: rate x round trip");
        fmt::print("\n");
    }
}

template <class Value>
Json sourced(const Value& value, std::string_view source) {
    return {{"value", value}, {"source", source}};
}

template <class Value, class Number>
Json schedule_json(const Sourced<Schedule<Value>>& schedule, const char* name, Number number) {
    if (!schedule.given()) return nullptr;
    Json steps = Json::array();
    for (const auto& step : schedule.value.steps) {
        steps.push_back({{"from_seconds", seconds_of(step.from)}, {name, number(step.value)}});
    }
    return sourced(Json{{"period_seconds", seconds_of(schedule.value.period)}, {"steps", steps}}, schedule.source);
}

Json bursts_json(const Sourced<GilbertElliottOptions>& bursts) {
    if (!bursts.given()) return nullptr;
    return sourced(Json{{"good_to_bad", bursts.value.good_to_bad},
                        {"bad_to_good", bursts.value.bad_to_good},
                        {"loss_when_good", bursts.value.loss_when_good},
                        {"loss_when_bad", bursts.value.loss_when_bad}},
                   bursts.source);
}

Json outages_json(const Sourced<OutagePlan>& outages) {
    if (!outages.given()) return nullptr;
    return sourced(Json{{"first_seconds", seconds_of(outages.value.first)},
                        {"every_seconds", seconds_of(outages.value.every)},
                        {"length_seconds", seconds_of(outages.value.length)}},
                   outages.source);
}

// What does not change, or does not come in bursts, is null.
void add_changes(Json& json, const LinkProfile& link) {
    const auto& back = link.return_rate_bps;
    json["return_rate_bits_per_second"] = back.given() ? sourced(back.value, back.source) : Json(nullptr);
    json["bursts"] = bursts_json(link.bursts);
    json["outages"] = outages_json(link.outages);
    json["rates"] = schedule_json(link.rates, "bits_per_second", [](std::uint64_t rate) { return rate; });
    json["delays"] = schedule_json(link.delays, "one_way_seconds", [](Duration delay) { return seconds_of(delay); });
    const auto& marks = link.mark_frames;
    json["mark_frames"] = marks.given() ? sourced(marks.value, marks.source) : Json(nullptr);
    const auto& competitors = link.competitors;
    json["competitors"] = competitors.given() ? sourced(competitors.value, competitors.source) : Json(nullptr);
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
        add_changes(links.back(), link);
    }
    fmt::print("{}\n", Json{{"links", links}}.dump(2));
}

}  // namespace

std::string link_names() {
    std::string names;
    for (const LinkProfile& link : link_profiles()) names += (names.empty() ? "" : ", ") + std::string(link.name);
    return names;
}

void add_links(Command& program, Run& run) {
    Command command =
        program.add_subcommand("links", "List the links that --link can name, with the sources of their numbers");
    command.footer(
        "Examples:\n"
        "  lfn links\n"
        "  lfn links --json\n"
        "  lfn transfer --link geo-10m --window 1M\n"
        "\n"
        "Numbers without a published source are marked \"guess\"; those that stand for many links, \"chosen\".");
    const auto json = std::make_shared<bool>(false);
    command.add_flag("--json", *json, "Print JSON");
    command.callback([&run, json] {
        run = [json] {
            *json ? print_json() : print_text();
            return exit_ok;
        };
    });
}

}  // namespace lfn::cli
