// SPDX-License-Identifier: BSD-3-Clause
// A fiber: a function with a stack of its own that can be left in the middle and entered again. It lets a driver, which
// is ordinary code that reads and writes ports, take virtual time between one port access and the next.
//
// One thread; a fiber is entered from outside any fiber. The sanitizers are told of every switch.
#pragma once

#include <ucontext.h>

#include <cstddef>

#include "emulators/time/callback.hpp"

namespace lfn {

class Fiber {
public:
    /// `body` runs when resume() is first called. It must have returned before the fiber dies.
    explicit Fiber(Callback body);
    ~Fiber();
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    /// From outside: runs the body until it yields or returns.
    void resume();
    /// From inside: back to the one who called resume().
    void yield();
    bool running() const { return running_; }
    bool finished() const { return finished_; }

private:
    static constexpr std::size_t stack_bytes = 256 * 1024;

    /// Memory with a stretch below it that may not be touched: a stack that overflows is seen at once.
    class Stack {
    public:
        Stack();
        ~Stack();
        Stack(const Stack&) = delete;
        Stack& operator=(const Stack&) = delete;
        std::byte* bottom() const { return memory_ + guard_bytes; }

    private:
        static constexpr std::size_t guard_bytes = 64 * 1024;  // more than any frame has
        std::byte* memory_;
    };

    static void entry(unsigned high, unsigned low);
    void run();

    Callback body_;
    Stack stack_;
    ucontext_t outside_{};
    ucontext_t inside_{};
    const void* outside_stack_ = nullptr;  // of the one who called resume(), for the sanitizer
    std::size_t outside_stack_bytes_ = 0;
    void* inside_fake_stack_ = nullptr;
    bool running_ = false;
    bool finished_ = false;
};

}  // namespace lfn
