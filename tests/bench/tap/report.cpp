// SPDX-License-Identifier: BSD-3-Clause
#include "tests/bench/tap/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ports/cli/units.hpp"

namespace lfn::bench {

namespace {

using Json = nlohmann::ordered_json;

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

struct Part {
    const char* name;
    double Costs::*seconds;
};
constexpr Part parts[] = {
    {"read", &Costs::reads},    {"write", &Costs::writes},  {"poll", &Costs::polls}, {"copy", &Costs::copies},
    {"sum", &Costs::checksums}, {"digest", &Costs::digest}, {"stack", &Costs::rest},
};

double packets(const Cell& cell) {
    return static_cast<double>(std::max<std::uint64_t>(cell.metered.data_packets, 1));
}

double calls_per_packet(const Cell& cell) {
    const Costs& costs = cell.metered.costs;
    return static_cast<double>(costs.read_calls + costs.write_calls + costs.poll_calls) / packets(cell);
}

// How many times as fast as the table's first; by the processor time of our process, too, which others disturb less.
double ratio(const Table& table, const Cell& cell) {
    return cell.bits_per_second / table.cells.front().bits_per_second;
}
double processor_ratio(const Table& table, const Cell& cell) {
    return table.cells.front().processor_packet_seconds / cell.processor_packet_seconds;
}

std::string row(const Table& table, const Cell& cell) {
    std::string line = fmt::format("{:<13}{:<33}", cell.step->name, cell.step->what);
    if (!cell.failure.empty()) return line + "failed: " + cell.failure + "\n";
    line +=
        fmt::format("{:>6.2f} {:>5.2f} {:>6.0f} {:>5.2f} {:>6.2f} |", cell.bits_per_second / 1e9, ratio(table, cell),
                    cell.processor_packet_seconds * 1e9, processor_ratio(table, cell), calls_per_packet(cell));
    for (const Part& part : parts) {
        line += fmt::format(" {:>6.0f}", cell.metered.costs.*part.seconds / packets(cell) * 1e9);
    }
    return line + "\n";
}

Json json_of(const Table& table, const Cell& cell) {
    Json json = {{"step", cell.step->name}, {"what", cell.step->what}, {"intact", cell.failure.empty()}};
    if (!cell.failure.empty()) {
        json["failure"] = cell.failure;
        return json;
    }
    Json costs = Json::object();
    for (const Part& part : parts) costs[part.name] = cell.metered.costs.*part.seconds / packets(cell) * 1e9;
    json.update({{"bits_per_second", cell.bits_per_second},
                 {"times", ratio(table, cell)},
                 {"nanoseconds_per_packet", cell.packet_seconds * 1e9},
                 {"processor_nanoseconds_per_packet", cell.processor_packet_seconds * 1e9},
                 {"processor_times", processor_ratio(table, cell)},
                 {"calls_per_packet", calls_per_packet(cell)},
                 {"metered_nanoseconds_per_packet", costs},
                 {"frames_in", cell.metered.port.frames_in},
                 {"packets_in", cell.metered.port.packets_in},
                 {"frames_out", cell.metered.port.frames_out},
                 {"packets_out", cell.metered.port.packets_out},
                 {"acks_thinned", cell.metered.port.acks_thinned}});
    return json;
}

}  // namespace

std::string title_of(const Conditions& conditions) {
    return fmt::format("{}, MTU {}", conditions.direction == Direction::to_kernel ? "to the kernel" : "from the kernel",
                       conditions.mtu);
}

Cell summarize(const Step& step, const Conditions& conditions, const std::vector<Result>& rounds,
               const Result& metered) {
    Cell cell{.step = &step, .failure = metered.failure, .metered = metered};
    std::vector<double> rates, times, processor_times;
    for (const Result& result : rounds) {
        if (!result.failure.empty()) {
            cell.failure = result.failure;
            return cell;
        }
        const auto data_packets = static_cast<double>(result.data_packets);
        rates.push_back(static_cast<double>(conditions.octets) * 8 / result.seconds);
        times.push_back(result.seconds / data_packets);
        processor_times.push_back(result.processor_seconds / data_packets);
    }
    cell.bits_per_second = median(rates);
    cell.packet_seconds = median(times);
    cell.processor_packet_seconds = median(processor_times);
    return cell;
}

std::string text_of(const Table& table) {
    std::string text = fmt::format("{}: {} a run, window {}, median of {}\n{:<46}{:>6} {:>5} {:>6} {:>5} {:>6} |",
                                   title_of(table.conditions), cli::format_bytes(table.conditions.octets),
                                   cli::format_window(table.conditions.window), table.rounds, "", "Gb/s", "times",
                                   "cpu ns", "times", "calls");
    for (const Part& part : parts) text += fmt::format(" {:>6}", part.name);
    text += "\n";
    for (const Cell& cell : table.cells) text += row(table, cell);
    return text;
}

std::string json_of(const std::vector<Table>& tables) {
    Json json = Json::array();
    for (const Table& table : tables) {
        Json steps = Json::array();
        for (const Cell& cell : table.cells) steps.push_back(json_of(table, cell));
        json.push_back({{"direction", table.conditions.direction == Direction::to_kernel ? "to_kernel" : "from_kernel"},
                        {"mtu", table.conditions.mtu},
                        {"bytes", table.conditions.octets},
                        {"window", table.conditions.window},
                        {"rounds", table.rounds},
                        {"steps", steps}});
    }
    return json.dump(2);
}

}  // namespace lfn::bench
