// SPDX-License-Identifier: BSD-3-Clause
// A host of the lab on a path: one instance of a stack whose network interface is the path's transmitter.
//
// The interface holds what the path's transmitter holds (two or three frames); beyond that the stack is refused, and
// called again when there is room.
#pragma once

#include <cstdint>
#include <string_view>

#include "emulators/link/frame.hpp"
#include "emulators/link/transmitter.hpp"
#include "ports/lab/stack_host.hpp"

namespace lfn::lab {

struct HostOptions {
    std::uint32_t address = 0;  ///< host byte order
    std::uint16_t mtu = 1500;
    std::uint64_t seed = 1;
    std::string_view name;                       ///< names the host's random stream
    const lfn_tcp_settings* defaults = nullptr;  ///< windows of a stack that has no settings per connection
};

class Host final : public StackHost, public FrameSink {
public:
    Host(Loop& loop, FramePool& pool, const lfn_stack& stack, const HostOptions& options);
    ~Host() override;

    /// Where frames leave; before anything is sent.
    void attach(Transmitter& transmitter);
    /// A frame arrives.
    void accept(FramePtr frame) override;

private:
    void on_timer() override;
    void on_drain();
    std::uint8_t* transmit_begin(std::size_t length) override;
    void transmit_end() override;

    FramePool& pool_;
    Transmitter* transmitter_ = nullptr;
    FramePtr outgoing_;
};

}  // namespace lfn::lab
