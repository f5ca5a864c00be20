// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <vector>

#include "ports/cli/reproduce_report.hpp"
#include "ports/cli/units.hpp"

namespace lfn::cli {

namespace {

using lab::Rfc1106Cell;
using lab::Rfc1106Results;

constexpr std::size_t columns = 3;

std::string column_head(double bit_error_rate) {
    if (bit_error_rate <= 0) return "no error";
    return bit_error_rate < 5e-7 ? "10e-7" : "10e-6";
}

std::string group_line(const Rfc1106Cell* row) {
    std::string text = "          ";
    for (std::size_t i = 0; i < columns; ++i) text += fmt::format("{:^24}", column_head(row[i].bit_error_rate));
    return text + "\n  window  " + fmt::format("{:>7}{:>8}{:>7}  ", "paper", "lfn", "ratio") +
           fmt::format("{:>7}{:>8}{:>7}  ", "paper", "lfn", "ratio") +
           fmt::format("{:>7}{:>8}{:>7}\n", "paper", "lfn", "ratio");
}

// Appends the reason for a cell that is not above, and returns its mark.
std::string mark(const Rfc1106Cell& cell, std::vector<std::string>& reasons) {
    const std::string reason = cell.reason();
    if (reason.empty()) return "  ";
    for (std::size_t i = 0; i < reasons.size(); ++i) {
        if (reasons[i] == reason) return fmt::format(" {}", static_cast<char>('a' + i));
    }
    reasons.push_back(reason);
    return fmt::format(" {}", static_cast<char>('a' + (reasons.size() - 1)));
}

std::string row_text(const Rfc1106Cell* row, std::vector<std::string>& reasons) {
    std::string text = fmt::format("{:>6}K   ", row->window_kilobytes);
    for (std::size_t i = 0; i < columns; ++i) {
        const Rfc1106Cell& cell = row[i];
        text += fmt::format("{:>7.0f}{:>8.1f}{:>7.2f}{}", cell.published / 1000, cell.measured.goodput() / 1000,
                            cell.ratio(), mark(cell, reasons));
    }
    return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
}

std::string summary(const std::vector<Rfc1106Cell>& cells, int figure) {
    unsigned above = 0;
    unsigned all = 0;
    for (const Rfc1106Cell& cell : cells) {
        if (cell.figure != figure) continue;
        ++all;
        above += cell.measured.goodput() > cell.published ? 1 : 0;
    }
    return fmt::format("  {} of {} cells above the paper's; rms factor {:.2f} without errors, {:.2f} with\n", above,
                       all, rms_factor(cells, figure, false), rms_factor(cells, figure, true));
}

std::string figure_text(const Rfc1106Results& results, int figure, std::string_view title) {
    std::vector<std::string> reasons;
    std::string text = fmt::format("{}\n  kilobytes per second at the bit error rate\n", title);
    bool headed = false;
    for (std::size_t i = 0; i + columns <= results.cells.size(); i += columns) {
        const Rfc1106Cell* const row = &results.cells[i];
        if (row->figure != figure) continue;
        if (!headed) text += group_line(row);
        headed = true;
        text += row_text(row, reasons);
    }
    text += summary(results.cells, figure);
    for (std::size_t i = 0; i < reasons.size(); ++i)
        text += fmt::format("  {}: {}\n", static_cast<char>('a' + i), reasons[i]);
    return text + "\n";
}

std::string today_text(const lab::Rfc1106Options& options, const Rfc1106Results& results) {
    std::string text = fmt::format(
        "What lfn does today: window {}K, renak, a loss is noise, slow start 2, {} a transfer\n"
        "  kilobytes per second, and the share of the link's ceiling\n"
        "  error rate  ceiling       lfn  share      lwIP 2.2.1 sends  share\n",
        lab::today_window_kilobytes, format_bytes(options.today_octets));
    for (std::size_t i = 0; i + 1 < results.today.size(); i += 2) {
        const lab::TodayCell& ours = results.today[i];
        const lab::TodayCell& theirs = results.today[i + 1];
        text +=
            fmt::format("  {:>10}{:>9.1f}{:>10.1f}{:>7.3f}{:>22.1f}{:>7.3f}\n", format_error_rate(ours.bit_error_rate),
                        ours.measured.ceiling / 1000, ours.measured.goodput() / 1000, ours.share(),
                        theirs.measured.goodput() / 1000, theirs.share());
    }
    return text + "\n";
}

std::string conditions_text(const lab::Rfc1106Options& options, const Rfc1106Results& results) {
    const unsigned last = options.seeds - 1;
    return fmt::format(
               "Link t1-satellite, MSS {}, {} a transfer in the figures; seeds {} to {} in every column with errors.\n"
               "10e-7 and 10e-6 are run as bit error rates of 1e-7 and 1e-6: only there does a TCP without NAK come "
               "to\n"
               "the 42 to 66 and 14 to 17 kB/s of figure 1 (1.22 MSS / (RTT sqrt(packet error rate)) is 44 and 14).\n",
               lab::rfc1106_mss, format_bytes(options.octets), options.first_seed, options.first_seed + last) +
           fmt::format("{} of {} transfers intact (digests of both ends compared).\n", results.intact,
                       results.transfers);
}

}  // namespace

std::string reproduce_text(const lab::Rfc1106Options& options, const Rfc1106Results& results) {
    return figure_text(results, 1, "RFC 1106, figure 1: big window; no NAK, a loss is congestion, slow start") +
           figure_text(results, 2, "RFC 1106, figure 2: big window and NAK (left edge), a loss is noise") +
           today_text(options, results) + conditions_text(options, results);
}

}  // namespace lfn::cli
