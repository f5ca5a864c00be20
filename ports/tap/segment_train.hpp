// SPDX-License-Identifier: BSD-3-Clause
// Consecutive segments of one connection as one message to the kernel, which takes them for what a card with
// segmentation offload would be given: one frame of up to 64 KB, its checksum left open.
#pragma once

#include <sys/uio.h>

#include <array>
#include <vector>

#include "ports/tap/transmit_queue.hpp"
#include "ports/tap/vnet_header.hpp"

namespace lfn {

/// True if `next` continues a train that begins with `first` and has `octets` of payload so far: the same connection
/// and the same words in all headers but for lengths, checksums, PSH and FIN; segments of one size but for the last.
bool continues(const TcpView& first, std::size_t octets, const TcpView& next);

/// A message to the kernel, which refers to frames in the queue: they must stay there until it is written.
class SegmentTrain {
public:
    SegmentTrain();
    /// Takes what stands at the head of the queue, which is not empty: with `offload` the longest train there is behind
    /// a virtio-net header, without it one frame as it is. Returns the number of frames in the message.
    std::size_t build(const TransmitQueue& queue, bool offload);

    std::span<const iovec> pieces() const { return pieces_; }
    /// Of the frame, without the virtio-net header.
    std::size_t frame_octets() const { return frame_octets_; }
    /// The frame in one piece, until the next call; for captures.
    std::span<const std::uint8_t> frame();

private:
    static constexpr std::size_t headers_octets_max = 14 + 40 + 60;

    std::size_t gather(const TransmitQueue& queue, const TcpView& first);
    void write_headers(const TcpView& first, std::size_t payload_octets, std::uint8_t flags);
    void add_piece(const std::uint8_t* octets, std::size_t size);

    VnetHeader vnet_{};
    std::array<std::uint8_t, headers_octets_max> headers_{};
    std::vector<iovec> pieces_;
    std::size_t pieces_before_frame_ = 0;
    std::size_t frame_octets_ = 0;
    std::vector<std::uint8_t> frame_;
};

}  // namespace lfn
