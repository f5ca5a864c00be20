// SPDX-License-Identifier: BSD-3-Clause
// Two ports joined back to back, as two ends of a cable without length: what one sends, the other receives, from the
// loop. A stack of this process stands at an end of a bridge by it.
#pragma once

#include <array>

#include "emulators/link/frame.hpp"
#include "ports/realtime/frame_port.hpp"
#include "ports/realtime/realtime_loop.hpp"

namespace lfn {

/// One end. It holds two frames until the other end has read them, and refuses more, so that a sender's burst waits in
/// the sender, where what is sent again may overtake it.
class PairedPort final : public FramePort {
public:
    PairedPort(Loop& loop, FramePool& pool)
        : pool_(pool), delivery_(loop, Callback::bind<&PairedPort::deliver>(*this)) {}
    void join(PairedPort& peer) { peer_ = &peer; }

    std::uint8_t* transmit_begin(std::size_t length) override;
    void transmit_end() override;
    void flush() override;
    void connect(FrameReceiver& receiver) override { receiver_ = &receiver; }

    /// What the other end sends waits there.
    void pause_reading() { paused_ = true; }
    void resume_reading();

private:
    void deliver();

    FramePool& pool_;
    PairedPort* peer_ = nullptr;
    FrameReceiver* receiver_ = nullptr;
    FramePtr filling_;
    FrameList sent_;
    Timer delivery_;  // of what was sent, to the peer
    bool paused_ = false;
    bool refused_ = false;
};

class PortPair {
public:
    /// `frame_octets_max`: of the longest frame.
    PortPair(Loop& loop, std::size_t frame_octets_max);
    PortPair(const PortPair&) = delete;
    PortPair& operator=(const PortPair&) = delete;

    PairedPort& first() { return ends_[0]; }
    PairedPort& second() { return ends_[1]; }

private:
    FramePool pool_;
    std::array<PairedPort, 2> ends_;
};

}  // namespace lfn
