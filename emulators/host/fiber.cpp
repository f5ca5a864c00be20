// SPDX-License-Identifier: BSD-3-Clause
#include "emulators/host/fiber.hpp"

#include <sys/mman.h>

#include <cassert>
#include <cstdint>
#include <new>

#if defined(__SANITIZE_ADDRESS__)
#define LFN_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LFN_ADDRESS_SANITIZER 1
#endif
#endif

#if defined(LFN_ADDRESS_SANITIZER)
#include <sanitizer/common_interface_defs.h>
#endif

namespace lfn {

namespace {

#if defined(LFN_ADDRESS_SANITIZER)
void leave(void** fake_stack, const void* to, std::size_t bytes) {
    __sanitizer_start_switch_fiber(fake_stack, to, bytes);
}
void arrive(void* fake_stack, const void** from, std::size_t* bytes) {
    __sanitizer_finish_switch_fiber(fake_stack, from, bytes);
}
#else
void leave(void**, const void*, std::size_t) {}
void arrive(void*, const void**, std::size_t*) {}
#endif

}  // namespace

Fiber::Stack::Stack() {
    void* memory = mmap(nullptr, guard_bytes + stack_bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    memory_ = static_cast<std::byte*>(memory);
    mprotect(memory, guard_bytes, PROT_NONE);
}

Fiber::Stack::~Stack() {
    munmap(memory_, guard_bytes + stack_bytes);
}

Fiber::Fiber(Callback body) : body_(body) {
    getcontext(&inside_);
    inside_.uc_stack.ss_sp = stack_.bottom();
    inside_.uc_stack.ss_size = stack_bytes;
    inside_.uc_link = &outside_;
    // makecontext hands on ints: a pointer goes in two halves.
    const auto self = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(this));
    const auto function = reinterpret_cast<void (*)()>(&Fiber::entry);
    makecontext(&inside_, function, 2, static_cast<unsigned>(self >> 32), static_cast<unsigned>(self));
}

Fiber::~Fiber() {
    assert(finished_ && "a fiber dies when its body has returned");
}

void Fiber::entry(unsigned high, unsigned low) {
    const std::uint64_t self = static_cast<std::uint64_t>(high) << 32 | low;
    reinterpret_cast<Fiber*>(static_cast<std::uintptr_t>(self))->run();
}

void Fiber::run() {
    arrive(nullptr, &outside_stack_, &outside_stack_bytes_);
    body_();
    finished_ = true;
    running_ = false;
    leave(nullptr, outside_stack_, outside_stack_bytes_);  // null: this stack is not come back to
}

void Fiber::resume() {
    assert(!running_ && !finished_);
    running_ = true;
    void* fake_stack = nullptr;
    leave(&fake_stack, stack_.bottom(), stack_bytes);
    swapcontext(&outside_, &inside_);
    arrive(fake_stack, nullptr, nullptr);
}

void Fiber::yield() {
    assert(running_);
    running_ = false;
    leave(&inside_fake_stack_, outside_stack_, outside_stack_bytes_);
    swapcontext(&inside_, &outside_);
    arrive(inside_fake_stack_, &outside_stack_, &outside_stack_bytes_);
}

}  // namespace lfn
