// SPDX-License-Identifier: BSD-3-Clause
// Where a real network and a stack meet: frames out, frames in, in batches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace lfn {

/// What a port tells. A batch is what had come when the port was looked at: between batch_begin and batch_end nothing
/// needs to be sent.
class FrameReceiver {
public:
    virtual void batch_begin() = 0;
    /// The octets are valid during the call.
    virtual void receive(std::span<const std::uint8_t> frame) = 0;
    /// The same, from a port with offloads: TCP's checksum is right, or is not filled in because nothing has left the
    /// machine; and the frame may be a train of segments, longer than the MTU.
    virtual void receive_verified(std::span<const std::uint8_t> frame) { receive(frame); }
    virtual void batch_end() = 0;
    /// There is room again after transmit_begin() returned null.
    virtual void port_ready() = 0;
    /// The port is of no use any more; `reason` is a sentence that names it. What is transmitted from now on is lost.
    virtual void port_gone(const std::string& reason) = 0;

protected:
    ~FrameReceiver() = default;
};

class FramePort {
public:
    /// Room for a frame of `length` octets, to be filled before anything else is called, or null: full, and
    /// port_ready() follows.
    virtual std::uint8_t* transmit_begin(std::size_t length) = 0;
    virtual void transmit_end() = 0;
    /// Sends what was handed over, if it was not sent yet.
    virtual void flush() = 0;
    virtual void connect(FrameReceiver& receiver) = 0;

protected:
    ~FramePort() = default;
};

}  // namespace lfn
