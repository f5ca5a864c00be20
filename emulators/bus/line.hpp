// SPDX-License-Identifier: BSD-3-Clause
// A signal line: a level, and somebody who is told when it changes. An interrupt request, a DMA request.
//
// The listener is called from inside the register access or the event that moved the line, when the device has finished
// with it. It may read and write the device's registers again.
#pragma once

#include <cstdint>

#include "emulators/time/callback.hpp"

namespace lfn {

class Line {
public:
    Line() = default;
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;

    /// One listener, an interrupt controller say; it is not told of the level that the line already has.
    void connect(Callback on_change) { on_change_ = on_change; }
    bool level() const { return level_; }
    /// Rising edges so far: what an edge-triggered controller could have seen.
    std::uint64_t rises() const { return rises_; }

    void set(bool level) {
        if (level == level_) return;
        level_ = level;
        if (level) ++rises_;
        if (on_change_) on_change_();
    }

private:
    Callback on_change_;
    std::uint64_t rises_ = 0;
    bool level_ = false;
};

}  // namespace lfn
