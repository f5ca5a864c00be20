// SPDX-License-Identifier: BSD-3-Clause
// A progress bar on standard error, for runs that last.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "ports/cli/command_line.hpp"
#include "ports/cli/wall_time.hpp"

namespace lfn::cli {

enum class ProgressMode {
    automatic,  ///< after two seconds, if standard error is a terminal
    always,
    never,
};

/// --progress, --no-progress.
void add_progress_flags(Command& command, const std::shared_ptr<ProgressMode>& mode);

class Progress {
public:
    enum class Of : std::uint8_t {
        things,
        bytes,  ///< the rate is shown too
    };
    Progress(ProgressMode mode, std::string label, Of of = Of::things);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Shows how far it is, at most ten times a second, and what time is left if it goes on like this.
    void update(std::uint64_t done, std::uint64_t total);
    /// The same for one who knows better: `share` from 0 to 1.
    void show(double share, double seconds_left);

private:
    bool due(bool last) const;
    void draw(double share, const std::string& rate, double seconds_left);

    ProgressMode mode_;
    std::string label_;
    Of of_;
    WallTime wall_time_;
    bool terminal_;
    double drawn_seconds_ = -1;
    bool drawn_ = false;
    std::size_t drawn_octets_ = 0;  // of the line that stands
};

}  // namespace lfn::cli
