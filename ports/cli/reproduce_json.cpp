// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "ports/cli/reproduce_report.hpp"

namespace lfn::cli {

namespace {

using Json = nlohmann::ordered_json;

void add_tally(Json& json, const lab::Tally& tally) {
    json["lowest_bytes_per_second"] = report_rate(tally.lowest);
    json["highest_bytes_per_second"] = report_rate(tally.highest);
    json["ceiling_bytes_per_second"] = report_rate(tally.ceiling);
    json["seeds"] = tally.seeds;
    json["intact"] = tally.intact == tally.seeds;
}

Json cell_json(const lab::Rfc1106Cell& cell) {
    Json json = {{"figure", cell.figure},
                 {"window_kilobytes", cell.window_kilobytes},
                 {"bit_error_rate", cell.bit_error_rate},
                 {"published_bytes_per_second", cell.published},
                 {"measured_bytes_per_second", report_rate(cell.measured.goodput())},
                 {"ratio", report_ratio(cell.ratio())}};
    add_tally(json, cell.measured);
    const std::string reason = cell.reason();
    json["reason"] = reason.empty() ? Json(nullptr) : Json(reason);
    return json;
}

std::string_view sender_name(const lab::TodayCell& cell) {
    return cell.lwip_sends ? "lwip-2.2.1" : "lfn";
}

Json today_json(const lab::TodayCell& cell) {
    Json json = {{"sender", sender_name(cell)},
                 {"window_kilobytes", lab::today_window_kilobytes},
                 {"bit_error_rate", cell.bit_error_rate},
                 {"measured_bytes_per_second", report_rate(cell.measured.goodput())},
                 {"share_of_ceiling", report_ratio(cell.share())}};
    add_tally(json, cell.measured);
    return json;
}

Json rms_json(const lab::Rfc1106Results& results, int figure) {
    return {{"figure", figure},
            {"without_errors", report_ratio(rms_factor(results.cells, figure, false))},
            {"with_errors", report_ratio(rms_factor(results.cells, figure, true))}};
}

std::string csv_row(std::string_view table, std::string_view sender, unsigned window, double bit_error_rate,
                    const std::string& published, const lab::Tally& tally) {
    return fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", table, sender, window, bit_error_rate, published,
                       report_rate(tally.goodput()), report_rate(tally.lowest), report_rate(tally.highest),
                       report_rate(tally.ceiling), tally.seeds, tally.intact);
}

}  // namespace

double report_rate(double octets_per_second) {
    return std::round(octets_per_second * 10) / 10;
}

double report_ratio(double ratio) {
    return std::round(ratio * 1e4) / 1e4;
}

std::string reproduce_json(const lab::Rfc1106Options& options, const lab::Rfc1106Results& results) {
    Json json;
    json["link"] = "t1-satellite";
    json["mss"] = lab::rfc1106_mss;
    json["bytes"] = options.octets;
    json["today_bytes"] = options.today_octets;
    json["seeds"] = options.seeds;
    json["first_seed"] = options.first_seed;
    json["transfers"] = results.transfers;
    json["intact_transfers"] = results.intact;
    json["rms_factors"] = {rms_json(results, 1), rms_json(results, 2)};
    json["cells"] = Json::array();
    for (const lab::Rfc1106Cell& cell : results.cells) json["cells"].push_back(cell_json(cell));
    json["today"] = Json::array();
    for (const lab::TodayCell& cell : results.today) json["today"].push_back(today_json(cell));
    return json.dump(2) + "\n";
}

std::string reproduce_csv(const lab::Rfc1106Results& results) {
    std::string text =
        "table,sender,window_kilobytes,bit_error_rate,published_bytes_per_second,measured_bytes_per_second,"
        "lowest_bytes_per_second,highest_bytes_per_second,ceiling_bytes_per_second,seeds,intact_transfers\n";
    for (const lab::Rfc1106Cell& cell : results.cells) {
        text += csv_row(cell.figure == 1 ? "figure1" : "figure2", "lfn", cell.window_kilobytes, cell.bit_error_rate,
                        fmt::format("{}", cell.published), cell.measured);
    }
    for (const lab::TodayCell& cell : results.today) {
        text +=
            csv_row("today", sender_name(cell), lab::today_window_kilobytes, cell.bit_error_rate, "", cell.measured);
    }
    return text;
}

}  // namespace lfn::cli
