// SPDX-License-Identifier: BSD-3-Clause
// A TAP interface in the loop: drains it in batches, sends in batches, and holds back when the kernel does.
//
// What the stack sends while a batch is being read waits for the end of the batch; of the acknowledgements among it
// only those leave that a later one does not supersede (ack_filter.hpp). On a device with offloads, consecutive
// segments leave as one message (segment_train.hpp), and what comes may be such a train.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ports/pcap/capture.hpp"
#include "ports/realtime/frame_port.hpp"
#include "ports/realtime/realtime_loop.hpp"
#include "ports/tap/segment_train.hpp"
#include "ports/tap/tap_device.hpp"
#include "ports/tap/transmit_queue.hpp"

namespace lfn {

struct TapPortOptions {
    std::size_t read_batch_frames = 64;  ///< guess: the loop's timers wait that long
    std::size_t queue_frames = 128;      ///< frames that wait to be sent, at most: some trains of 45 segments
    bool thin_acks = true;
};

struct TapPortCounters {
    /// What passed the descriptor, virtio-net headers not counted.
    std::uint64_t frames_in = 0, octets_in = 0, batches_in = 0;
    std::uint64_t frames_out = 0, octets_out = 0;
    /// The same as packets of at most the MTU.
    std::uint64_t packets_in = 0, packets_out = 0;
    std::uint64_t acks_thinned = 0;
    std::uint64_t frames_lost = 0;     ///< handed over while the interface was down
    std::uint64_t frames_refused = 0;  ///< came with a virtio-net header that makes no sense
    std::uint64_t refusals = 0;        ///< the queue was full
};

class TapPort final : public FramePort {
public:
    /// The device is open, and outlives the port.
    TapPort(RealtimeLoop& loop, TapDevice& device, const TapPortOptions& options = {});

    std::uint8_t* transmit_begin(std::size_t length) override;
    void transmit_end() override;
    void flush() override;
    void connect(FrameReceiver& receiver) override;

    /// Stops reading: frames wait in the interface's own queue. For those who cannot take more.
    void pause_reading();
    void resume_reading();

    /// Writes what passes from now on into an open Ethernet capture; null: no more.
    void set_capture(CaptureWriter* capture) { capture_ = capture; }

    const TapPortCounters& counters() const { return counters_; }
    TapDevice& device() { return device_; }

private:
    void on_ready();
    void read_batch();
    void receive(std::span<const std::uint8_t> message);
    void deliver(std::span<const std::uint8_t> frame, bool verified);
    void write_queue();
    void account(TapDevice::Result result, std::size_t packets);
    void watch();
    void on_gone();

    RealtimeLoop& loop_;
    TapDevice& device_;
    TapPortOptions options_;
    std::size_t frame_octets_max_;
    FdWatch watch_;
    Timer gone_;
    FrameReceiver* receiver_ = nullptr;
    CaptureWriter* capture_ = nullptr;
    std::vector<std::uint8_t> incoming_;
    TransmitQueue queue_;
    SegmentTrain train_;
    bool paused_ = false;
    bool blocked_ = false;  // the kernel takes no more until poll() says so
    bool refused_ = false;
    TapPortCounters counters_;
};

}  // namespace lfn
