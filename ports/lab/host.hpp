// SPDX-License-Identifier: BSD-3-Clause
// A host of the lab: one instance of a stack, its network interface, and its place in virtual time.
//
// The interface holds what the path's transmitter holds (two or three frames); beyond that the stack is refused, and
// called again when there is room.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "emulators/link/frame.hpp"
#include "emulators/link/transmitter.hpp"
#include "emulators/time/loop.hpp"
#include "emulators/time/random.hpp"
#include "lfn/stack.h"

namespace lfn::lab {

struct HostOptions {
    std::uint32_t address = 0;  ///< host byte order
    std::uint16_t mtu = 1500;
    std::uint64_t seed = 1;
    std::string_view name;                       ///< names the host's random stream
    const lfn_tcp_settings* defaults = nullptr;  ///< windows of a stack that has no settings per connection
};

class Host final : public FrameSink {
public:
    Host(Loop& loop, FramePool& pool, const lfn_stack& stack, const HostOptions& options);
    ~Host();
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

    /// Where frames leave; before anything is sent.
    void attach(Transmitter& transmitter);
    /// A frame arrives.
    void accept(FramePtr frame) override;

    const lfn_stack& stack() const { return stack_; }

    /// Runs `call(stack)` with this host's instance current, then looks after its timers.
    template <class Call>
    auto with_stack(Call&& call) {
        const Entry entry(*this);
        return call(stack_);
    }

private:
    struct Entry {
        explicit Entry(Host& host);
        ~Entry();
        Host& host_;
    };

    void on_timer();
    void on_drain();
    void book_timer();
    std::uint8_t* transmit_begin(std::size_t length);

    Loop& loop_;
    FramePool& pool_;
    const lfn_stack& stack_;
    std::vector<std::uint64_t> image_;
    Random random_;
    Transmitter* transmitter_ = nullptr;
    FramePtr outgoing_;
    Timer timer_;
    int depth_ = 0;
};

}  // namespace lfn::lab
