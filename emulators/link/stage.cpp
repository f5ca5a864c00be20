// SPDX-License-Identifier: BSD-3-Clause
#include "emulators/link/stage.hpp"

#include <cassert>
#include <utility>

namespace lfn {

std::string_view name_of(DropCause cause) {
    static constexpr std::array<std::string_view, drop_cause_count> names = {"queue_full", "bit_error", "burst_error",
                                                                             "outage",     "chosen",    "aqm"};
    return names[static_cast<std::size_t>(cause)];
}

FrameCount Counters::dropped() const {
    FrameCount sum;
    for (const FrameCount& count : dropped_by_cause) sum += count;
    return sum;
}

bool Counters::balanced() const {
    FrameCount entered = in;
    entered += duplicated;
    FrameCount left = out;
    left += dropped();
    left += queued;
    return entered == left;
}

void Stage::forward(FramePtr frame) {
    assert(next_ != nullptr);
    counters_.out.add(frame->size());
    next_->accept(std::move(frame));
}

void Stage::drop(FramePtr frame, DropCause cause) {
    counters_.dropped(cause).add(frame->size());
}

void LossStage::accept(FramePtr frame) {
    count_in(*frame);
    if (loses(*frame)) {
        drop(std::move(frame), cause_);
    } else {
        forward(std::move(frame));
    }
}

void Tap::accept(FramePtr frame) {
    count_in(*frame);
    observer_.observe(loop_.now(), *frame);
    forward(std::move(frame));
}

}  // namespace lfn
