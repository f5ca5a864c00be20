// SPDX-License-Identifier: BSD-3-Clause
// SIGINT and SIGTERM as an event of the loop: what runs ends in good order, and says what it did.
#pragma once

#include <signal.h>

#include <optional>

#include "ports/realtime/realtime_loop.hpp"

namespace lfn {

/// While it lives, the first of the two signals stops the loop. One object a process.
class StopOnSignals {
public:
    explicit StopOnSignals(RealtimeLoop& loop);
    ~StopOnSignals();

    /// SIGINT or SIGTERM, if one came.
    std::optional<int> signal() const { return signal_; }

private:
    void on_signal();

    RealtimeLoop& loop_;
    sigset_t previous_{};
    int fd_ = -1;
    FdWatch watch_;
    std::optional<int> signal_;
};

}  // namespace lfn
