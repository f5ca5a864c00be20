// SPDX-License-Identifier: BSD-3-Clause
#include "ports/cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace lfn::cli {

namespace {

constexpr double patience_seconds = 2;
constexpr double interval_seconds = 0.1;
constexpr std::size_t bar_width = 40;

}  // namespace

void add_progress_flags(Command& command, const std::shared_ptr<ProgressMode>& mode) {
    command.add_flag_callback(
        "--progress", [mode] { *mode = ProgressMode::always; },
        "Show progress on standard error (default: after 2 s, on a terminal)");
    command.add_flag_callback(
        "--no-progress", [mode] { *mode = ProgressMode::never; }, "Show no progress");
}

Progress::Progress(ProgressMode mode, std::string label, Of of)
    : mode_(mode), label_(std::move(label)), of_(of), terminal_(isatty(STDERR_FILENO) == 1) {}

// A terminal gets its line back; a file keeps what was drawn.
Progress::~Progress() {
    if (drawn_) fmt::print(stderr, "{}", terminal_ ? "\r\x1b[K" : "\n");
}

bool Progress::due(bool last) const {
    if (mode_ == ProgressMode::never) return false;
    const double now_seconds = wall_time_.seconds();
    if (mode_ == ProgressMode::automatic && (!terminal_ || now_seconds < patience_seconds)) return false;
    return !drawn_ || last || now_seconds - drawn_seconds_ >= interval_seconds;
}

void Progress::update(std::uint64_t done, std::uint64_t total) {
    if (!due(done >= total)) return;
    const double share = total > 0 ? static_cast<double>(std::min(done, total)) / static_cast<double>(total) : 1;
    const double passed = wall_time_.seconds();
    const double rate = passed > 0 ? static_cast<double>(done) / passed : 0;
    draw(share, of_ == Of::bytes ? fmt::format(", {:.3f} MB/s", rate / 1e6) : std::string(),
         share > 0 ? passed * (1 - share) / share : -1);
}

void Progress::show(double share, double seconds_left) {
    if (due(share >= 1)) draw(share, {}, seconds_left);
}

// Negative seconds: nobody knows. What the line before had more is wiped.
void Progress::draw(double share, const std::string& rate, double seconds_left) {
    const auto filled = static_cast<std::size_t>(share * static_cast<double>(bar_width));
    const std::string bar = std::string(filled, '#') + std::string(bar_width - filled, '.');
    drawn_seconds_ = wall_time_.seconds();
    std::string line = fmt::format("{} [{}] {:3.0f} % {:.0f} s{}", label_, bar, 100 * share, drawn_seconds_, rate);
    if (seconds_left >= 0 && share < 1) line += fmt::format(", {:.0f} s to go", seconds_left);
    fmt::print(stderr, "\r{:<{}}", line, drawn_octets_);
    std::fflush(stderr);
    drawn_octets_ = line.size();
    drawn_ = true;
}

}  // namespace lfn::cli
