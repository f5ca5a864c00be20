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

Progress::Progress(ProgressMode mode, std::string label)
    : mode_(mode), label_(std::move(label)), terminal_(isatty(STDERR_FILENO) == 1) {}

// A terminal gets its line back; a file keeps what was drawn.
Progress::~Progress() {
    if (drawn_) fmt::print(stderr, "{}", terminal_ ? "\r\x1b[K" : "\n");
}

void Progress::update(std::uint64_t done, std::uint64_t total) {
    if (mode_ == ProgressMode::never) return;
    const double now_seconds = wall_time_.seconds();
    if (mode_ == ProgressMode::automatic && (!terminal_ || now_seconds < patience_seconds)) return;
    if (drawn_ && done < total && now_seconds - drawn_seconds_ < interval_seconds) return;
    const double share = total > 0 ? static_cast<double>(std::min(done, total)) / static_cast<double>(total) : 1;
    draw(share, now_seconds);
}

void Progress::draw(double share, double now_seconds) {
    const auto filled = static_cast<std::size_t>(share * static_cast<double>(bar_width));
    const std::string bar = std::string(filled, '#') + std::string(bar_width - filled, '.');
    fmt::print(stderr, "\r{} [{}] {:3.0f} % {:.0f} s", label_, bar, 100 * share, now_seconds);
    std::fflush(stderr);
    drawn_seconds_ = now_seconds;
    drawn_ = true;
}

}  // namespace lfn::cli
