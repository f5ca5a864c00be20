// SPDX-License-Identifier: BSD-3-Clause
// Real time: how long a run took, for whoever waits. The only place of the command that reads a clock; nothing that is
// simulated may depend on it.
#pragma once

#include <chrono>

namespace lfn::cli {

class WallTime {
public:
    WallTime() : start_(std::chrono::steady_clock::now()) {}
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

private:
    std::chrono::steady_clock::time_point start_;
};

}  // namespace lfn::cli
