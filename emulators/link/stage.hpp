// SPDX-License-Identifier: BSD-3-Clause
// Stages: the one-direction pieces that a link is composed of, one impairment each. A stage takes frames by accept(),
// and passes them to the sink that it was connected to, at once or later. Stages know nothing of their neighbours.
#pragma once

#include "emulators/link/counters.hpp"
#include "emulators/link/frame.hpp"
#include "emulators/time/loop.hpp"

namespace lfn {

class FrameSink {
public:
    /// Takes the frame over. Called in virtual time, from the loop or from whoever sends.
    virtual void accept(FramePtr frame) = 0;

protected:
    ~FrameSink() = default;
};

class Stage : public FrameSink {
public:
    Stage() = default;
    virtual ~Stage() = default;
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    /// Where frames go next; to be set before the first frame. The sink must outlive the stage's last frame.
    void connect(FrameSink& next) { next_ = &next; }
    const Counters& counters() const { return counters_; }

protected:
    void count_in(const Frame& frame) { counters_.in.add(frame.size()); }
    void forward(FramePtr frame);
    void drop(FramePtr frame, DropCause cause);
    Counters& mutable_counters() { return counters_; }

private:
    FrameSink* next_ = nullptr;
    Counters counters_;
};

/// A stage that decides about each frame as it comes: it passes on at once or is lost.
class LossStage : public Stage {
public:
    explicit LossStage(DropCause cause) : cause_(cause) {}
    void accept(FramePtr frame) final;

protected:
    /// Called once for each frame, in order.
    virtual bool loses(const Frame& frame) = 0;

private:
    DropCause cause_;
};

/// Sees every frame that passes, changes none. The observer must outlive the tap.
class FrameObserver {
public:
    virtual void observe(Time time, const Frame& frame) = 0;

protected:
    ~FrameObserver() = default;
};

class Tap final : public Stage {
public:
    Tap(Loop& loop, FrameObserver& observer) : loop_(loop), observer_(observer) {}
    void accept(FramePtr frame) override;

private:
    Loop& loop_;
    FrameObserver& observer_;
};

}  // namespace lfn
