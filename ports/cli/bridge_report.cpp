// SPDX-License-Identifier: BSD-3-Clause
#include "ports/cli/bridge_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "ports/cli/units.hpp"

namespace lfn::cli {

namespace {

using Json = nlohmann::ordered_json;

double milliseconds_in(Duration duration) {
    return seconds_of(duration) * 1e3;
}

std::string drops_text(const Counters& counters) {
    if (counters.dropped().frames == 0) return "none dropped";
    std::string text = "dropped";
    const char* separator = " ";
    for (std::size_t i = 0; i < drop_cause_count; ++i) {
        if (counters.dropped_by_cause[i].frames == 0) continue;
        text += fmt::format("{}{} ({})", separator, format_count(counters.dropped_by_cause[i].frames),
                            name_of(static_cast<DropCause>(i)));
        separator = ", ";
    }
    return text;
}

std::string delay_text(const BridgeReport& report) {
    if (report.delay.count == 0) return "nothing was delivered";
    return fmt::format("{:.3f} ms at the median, p1 {:.3f}, p99 {:.3f}, max {:.3f}; the profile has {}",
                       milliseconds_in(report.delay.p50), milliseconds_in(report.delay.p1),
                       milliseconds_in(report.delay.p99), milliseconds_in(report.delay.max),
                       format_milliseconds(report.profile_delay));
}

std::string rate_text(const BridgeReport& report) {
    if (report.profile_rate_bps == 0) return "no limit";
    if (report.busy_seconds < 1) return "the line was busy frame upon frame for less than a second: too short to tell";
    const auto profile = static_cast<double>(report.profile_rate_bps);
    return fmt::format("{:.4f} Mb/s over {:.1f} s of busy line; the profile has {} ({:+.2f} %)", report.rate_bps / 1e6,
                       report.busy_seconds, format_rate(report.profile_rate_bps),
                       100 * (report.rate_bps - profile) / profile);
}

std::string direction_text(const Bridge& bridge, Bridge::Side from, Bridge::Side to) {
    const BridgeReport report = bridge.report(from);
    const Counters& counters = report.counters;
    const std::string not_taken =
        report.not_taken == 0
            ? std::string()
            : fmt::format(", {} not taken by {}", format_count(report.not_taken), bridge.device(to).name());
    const std::string marked =
        counters.marked.frames == 0 ? std::string() : fmt::format(", {} marked", format_count(counters.marked.frames));
    return fmt::format("{} to {}: {} frames in, {} out, {} under way, {}{}{}\n  delay kept  {}\n  rate kept   {}\n",
                       bridge.device(from).name(), bridge.device(to).name(), format_count(counters.in.frames),
                       format_count(counters.out.frames), format_count(counters.queued.frames), drops_text(counters),
                       marked, not_taken, delay_text(report), rate_text(report));
}

Json direction_json(const Bridge& bridge, Bridge::Side from) {
    const BridgeReport report = bridge.report(from);
    const auto count = [](const FrameCount& frames) {
        return Json{{"frames", frames.frames}, {"bytes", frames.octets}};
    };
    Json dropped = Json::object();
    for (std::size_t i = 0; i < drop_cause_count; ++i) {
        dropped[std::string(name_of(static_cast<DropCause>(i)))] = count(report.counters.dropped_by_cause[i]);
    }
    return {{"in", count(report.counters.in)},
            {"out", count(report.counters.out)},
            {"under_way", count(report.counters.queued)},
            {"dropped_by_cause", dropped},
            {"marked", count(report.counters.marked)},
            {"not_taken_frames", report.not_taken},
            {"delay_seconds",
             {{"profile", seconds_of(report.profile_delay)},
              {"p1", seconds_of(report.delay.p1)},
              {"p50", seconds_of(report.delay.p50)},
              {"p99", seconds_of(report.delay.p99)},
              {"max", seconds_of(report.delay.max)}}},
            {"profile_rate_bits_per_second", report.profile_rate_bps},
            {"rate_bits_per_second", report.rate_bps > 0 ? Json(report.rate_bps) : Json(nullptr)},
            {"busy_seconds", report.busy_seconds}};
}

}  // namespace

std::string bridge_text(const Bridge& bridge) {
    return direction_text(bridge, Bridge::left, Bridge::right) + direction_text(bridge, Bridge::right, Bridge::left);
}

std::string bridge_json(const Bridge& bridge) {
    return Json{{"left_to_right", direction_json(bridge, Bridge::left)},
                {"right_to_left", direction_json(bridge, Bridge::right)}}
        .dump(2);
}

}  // namespace lfn::cli
