// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <nlohmann/json.hpp>

#include "ports/cli/sweep.hpp"
#include "ports/cli/tcp_options.hpp"

namespace lfn::cli {

namespace {

constexpr std::array cell_columns = {"link", "bit_error_rate", "window_bytes", "loss_policy", "seed", "bytes", "mss",
                                     "nak",  "big_window",     "wire",         "slow_start"};

SweepRow or_null(bool known, double value) {
    return known ? SweepRow(value) : SweepRow(nullptr);
}

void add_competitor(SweepRow& row, const lab::TransferReport& report) {
    const bool any = !report.competitors.empty();
    row["competitor_goodput_bytes_per_second"] = or_null(any, any ? report.competitors[0].measured_goodput : 0);
    row["competitor_share"] = or_null(any, any ? report.competitors[0].share : 0);
    row["competitor_intact"] = any ? SweepRow(report.competitors[0].intact) : SweepRow(nullptr);
}

std::string csv_field(const SweepRow& value) {
    if (value.is_null()) return "";
    if (!value.is_string()) return value.dump();
    std::string text;
    for (const char letter : value.get<std::string>())
        text += letter == '"' ? std::string("\"\"") : std::string(1, letter);
    return text.find_first_of(",\" ") == std::string::npos ? text : "\"" + text + "\"";
}

std::string csv_line(const SweepRow& row, bool names) {
    std::string line;
    for (const auto& [name, value] : row.items()) {
        line += (line.empty() ? "" : ",") + (names ? name : csv_field(value));
    }
    return line + "\n";
}

}  // namespace

SweepRow describe_cell(const lab::TransferOptions& cell) {
    return {{"link", cell.link->name},
            {"bit_error_rate", cell.bit_error_rate.value_or(cell.link->bit_error_rate.value)},
            {"window_bytes", cell.window},
            {"loss_policy", loss_policy_name(cell.tcp)},
            {"seed", cell.seed},
            {"bytes", cell.octets},
            {"mss", cell.mss},
            {"nak", nak_name(cell.tcp)},
            {"big_window", cell.tcp.big_window},
            {"wire", wire_name(cell.tcp)},
            {"slow_start", cell.tcp.slow_start_rate}};
}

SweepRow sweep_row(const lab::TransferOptions& cell, const lab::TransferReport& report) {
    const bool limited = report.ceiling > 0;
    SweepRow row = describe_cell(cell);
    row["intact"] = report.intact && report.failure.empty();
    row["failure"] = report.failure.empty() ? SweepRow(nullptr) : SweepRow(report.failure);
    row["delivered_bytes"] = report.delivered_octets;
    row["digest"] = report.received_digest;
    row["virtual_seconds"] = report.seconds;
    row["goodput_bytes_per_second"] = or_null(report.seconds > 0, report.goodput);
    row["ceiling_bytes_per_second"] = or_null(limited, report.ceiling);
    row["efficiency"] = or_null(limited, report.efficiency());
    row["packets"] = report.packets();
    row["lost_bytes"] = report.forward.lost_octets;
    row["retransmitted_bytes"] = report.forward.retransmitted_octets;
    row["rtos"] = report.sender.rtos;
    row["naks_sent"] = report.receiver.naks_sent;
    row["naks_honoured"] = report.sender.naks_honoured;
    add_competitor(row, report);
    return row;
}

std::string key_of(const SweepRow& row) {
    std::string key;
    for (const char* column : cell_columns) {
        if (!row.is_object() || !row.contains(column)) return {};
        key += row[column].dump() + " ";
    }
    return key;
}

std::string sweep_csv(const std::vector<std::string>& rows, bool header) {
    std::string text;
    for (const std::string& row : rows) {
        const SweepRow parsed = SweepRow::parse(row);
        if (header && text.empty()) text = csv_line(parsed, true);
        text += csv_line(parsed, false);
    }
    return text;
}

}  // namespace lfn::cli
