// SPDX-License-Identifier: BSD-3-Clause
// What comes from and goes to a TAP interface with offloads. The input is a list of pieces, each behind its length in
// two octets. Each piece is taken for a message of the kernel, and for a frame of the stack that waits to be sent.
#include <cstdlib>
#include <cstring>

#include "ports/tap/segment_train.hpp"
#include "ports/tap/vnet_header.hpp"

namespace {

using Octets = std::span<const std::uint8_t>;

constexpr std::size_t frame_octets_max = 1514;

void expect(bool claim) {
    if (!claim) std::abort();
}

bool is_inside(Octets part, Octets whole) {
    return part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
}

void look_at(Octets frame) {
    const auto view = lfn::view_tcp(frame);
    if (!view) return;
    expect(view->payload_offset + view->payload_octets <= frame.size());
    expect(is_inside(view->addresses(), frame) && is_inside(view->ports(), frame) && is_inside(view->options(), frame));
}

void receive(Octets message) {
    const auto received = lfn::parse_vnet(message);
    if (!received) return;
    expect(is_inside(received->frame, message) && received->frame.size() >= 14 && received->frame.size() <= 0xffff);
    look_at(received->frame);
}

void enqueue(lfn::TransmitQueue& queue, Octets frame) {
    if (queue.full() || frame.empty() || frame.size() > frame_octets_max) return;
    std::memcpy(queue.begin(frame.size()), frame.data(), frame.size());
    queue.end();
}

// Every message is one that our own parser takes, and holds what the frames held.
void drain(lfn::TransmitQueue& queue) {
    lfn::SegmentTrain train;
    queue.push_last();
    while (!queue.empty()) {
        std::size_t payload = 0;
        const std::size_t frames = train.build(queue, true);
        expect(frames >= 1 && frames <= queue.size());
        for (std::size_t index = 0; index < frames; ++index) {
            if (queue[index].tcp) payload += queue[index].tcp->payload_octets;
        }
        const Octets frame = train.frame();
        std::vector<std::uint8_t> message(lfn::vnet_header_octets);
        std::memcpy(message.data(), train.pieces()[0].iov_base, lfn::vnet_header_octets);
        message.insert(message.end(), frame.begin(), frame.end());
        if (frame.size() >= 14) {
            expect(lfn::parse_vnet(message).has_value());
            const auto view = lfn::view_tcp(frame);
            expect(view.has_value() == queue[0].tcp.has_value());
            expect(!view || view->payload_octets == payload);
        }
        queue.pop(frames);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static lfn::TransmitQueue queue(16, frame_octets_max, true, true);
    Octets rest(data, size);
    while (rest.size() > 2) {
        const std::size_t wanted = lfn::load_be16(rest.data());
        const Octets piece = rest.subspan(2, std::min(wanted, rest.size() - 2));
        rest = rest.subspan(2 + piece.size());
        receive(piece);
        enqueue(queue, piece);
    }
    drain(queue);
    return 0;
}
