// SPDX-License-Identifier: BSD-3-Clause
// A progress bar on standard error, for runs that last.
#pragma once

#include <cstdint>
#include <string>

#include "ports/cli/wall_time.hpp"

namespace lfn::cli {

enum class ProgressMode {
    automatic,  ///< after two seconds, if standard error is a terminal
    always,
    never,
};

class Progress {
public:
    Progress(ProgressMode mode, std::string label);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Shows how far it is, at most ten times a second.
    void update(std::uint64_t done, std::uint64_t total);

private:
    void draw(double share, double now_seconds);

    ProgressMode mode_;
    std::string label_;
    WallTime wall_time_;
    bool terminal_;
    double drawn_seconds_ = -1;
    bool drawn_ = false;
};

}  // namespace lfn::cli
