// SPDX-License-Identifier: BSD-3-Clause
// A host in real time: an instance of a stack on a port.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emulators/time/loop.hpp"
#include "emulators/time/random.hpp"
#include "lfn/stack.h"
#include "ports/realtime/frame_port.hpp"

namespace lfn {

class RealtimeHost final : public FrameReceiver {
public:
    /// Attaches itself to the port, which must outlive it. `seed` is what nobody must guess (initial sequence numbers,
    /// ports): random_seed(). `defaults` as in lfn_stack::init, `costs` as in lfn_stack_env.
    RealtimeHost(Loop& loop, FramePort& port, const lfn_stack& stack, const lfn_interface& interface,
                 std::uint64_t seed, const lfn_tcp_settings* defaults = nullptr, lfn_stack_costs* costs = nullptr);
    ~RealtimeHost();
    RealtimeHost(const RealtimeHost&) = delete;
    RealtimeHost& operator=(const RealtimeHost&) = delete;

    /// Called once when the port is of no use any more; not from within the stack.
    void on_gone(Callback callback) { on_gone_ = callback; }
    /// Why the port is gone; empty if it is not.
    const std::string& failure() const { return failure_; }

    Loop& loop() { return loop_; }
    const lfn_stack& stack() const { return stack_; }
    /// Runs `call(stack)` with this host's instance current, then sends what is to be sent. May be called from within
    /// the stack.
    template <class Call>
    auto with_stack(Call&& call) {
        const Entry entry(*this);
        return call(stack_);
    }

    void batch_begin() override;
    void receive(std::span<const std::uint8_t> frame) override;
    void receive_verified(std::span<const std::uint8_t> frame) override;
    void batch_end() override;
    void port_ready() override;
    void port_gone(const std::string& reason) override;

private:
    struct Entry {
        explicit Entry(RealtimeHost& entered) : host(entered) { host.batch_begin(); }
        ~Entry() { host.batch_end(); }
        Entry(const Entry&) = delete;
        Entry& operator=(const Entry&) = delete;
        RealtimeHost& host;
    };

    void run_timers();
    void book_timer();

    Loop& loop_;
    FramePort& port_;
    const lfn_stack& stack_;
    std::vector<std::uint64_t> image_;
    Random random_;
    Timer timer_;
    int depth_ = 0;
    std::string failure_;
    Callback on_gone_;
};

/// 64 bits from the system.
std::uint64_t random_seed();

}  // namespace lfn
