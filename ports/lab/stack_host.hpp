// SPDX-License-Identifier: BSD-3-Clause
// What every host of the lab has: one instance of a stack, its random numbers, its place in virtual time. What its
// network interface is, and when its timers run, is for the derived class.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "emulators/time/loop.hpp"
#include "emulators/time/random.hpp"
#include "lfn/stack.h"

namespace lfn::lab {

class StackHost {
public:
    /// `name` names the host's random stream.
    StackHost(Loop& loop, const lfn_stack& stack, std::uint64_t seed, std::string_view name);
    virtual ~StackHost() = default;
    StackHost(const StackHost&) = delete;
    StackHost& operator=(const StackHost&) = delete;

    const lfn_stack& stack() const { return stack_; }

    /// Runs `call(stack)` with this host's instance current, then looks after its timers.
    template <class Call>
    auto with_stack(Call&& call) {
        const Entry entry(*this);
        return call(stack_);
    }

protected:
    /// Brings the stack up with its interface. Once, before anything else is asked of the stack.
    void init_stack(const lfn_interface& interface, const lfn_tcp_settings* defaults);
    /// What the instance still holds is freed. The derived class calls it when it can no longer be asked for room.
    void shut_stack();
    bool stack_is_up() const { return up_; }

    /// Room for an outgoing frame, or null; as lfn_stack_env has it.
    virtual std::uint8_t* transmit_begin(std::size_t length) = 0;
    virtual void transmit_end() = 0;
    /// A timer of the stack is due: run_timers, now or as soon as the processor is free.
    virtual void on_timer() = 0;

    Loop& loop() { return loop_; }

private:
    struct Entry {
        explicit Entry(StackHost& host);
        ~Entry();
        StackHost& host_;
    };

    void on_timer_due() { on_timer(); }
    void book_timer();

    Loop& loop_;
    const lfn_stack& stack_;
    std::vector<std::uint64_t> image_;
    Random random_;
    Timer timer_;
    int depth_ = 0;
    bool up_ = false;
};

/// As the stacks count them.
std::uint32_t milliseconds_of(Time time);

}  // namespace lfn::lab
