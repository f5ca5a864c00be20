// SPDX-License-Identifier: BSD-3-Clause
#include "emulators/link/frame.hpp"

#include <algorithm>

// In a build with AddressSanitizer, octets of a frame that is back in its pool may not be touched.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LFN_POISON_FREE_FRAMES 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(LFN_POISON_FREE_FRAMES)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) static_cast<void>(address)
#define ASAN_UNPOISON_MEMORY_REGION(address, size) static_cast<void>(address)
#endif

namespace lfn {

namespace {
constexpr std::size_t alignment = 16;  // of every frame's first octet
}

void FrameRecycler::operator()(Frame* frame) const {
    frame->pool_->recycle(frame);
}

FramePtr FramePool::take(std::size_t size) {
    assert(size <= frame_capacity_);
    if (free_ == nullptr) grow();
    Frame* frame = free_;
    free_ = frame->next_;
    frame->next_ = nullptr;
    frame->size_ = size;
    ASAN_UNPOISON_MEMORY_REGION(frame->data_, frame->capacity_);
    ++live_;
    return FramePtr(frame);
}

FramePtr FramePool::make(std::size_t size) {
    FramePtr frame = take(size);
    frame->serial = next_serial_++;
    frame->entered = Time{};
    return frame;
}

FramePtr FramePool::make(std::span<const std::uint8_t> octets) {
    FramePtr frame = make(octets.size());
    std::copy(octets.begin(), octets.end(), frame->data());
    return frame;
}

FramePtr FramePool::clone(const Frame& frame) {
    FramePtr copy = frame.pool_->take(frame.size());
    std::copy(frame.octets().begin(), frame.octets().end(), copy->data());
    copy->serial = frame.serial;
    copy->entered = frame.entered;
    return copy;
}

void FramePool::grow() {
    Slab slab;
    slab.frames = std::make_unique<Frame[]>(frames_per_slab);
    const std::size_t stride = (frame_capacity_ + alignment - 1) / alignment * alignment;
    // Not zeroed: a page that no frame reaches costs nothing.
    slab.octets = std::make_unique_for_overwrite<std::uint8_t[]>(frames_per_slab * stride);
    for (std::size_t index = frames_per_slab; index-- > 0;) {
        Frame& frame = slab.frames[index];
        frame.data_ = slab.octets.get() + index * stride;
        frame.capacity_ = frame_capacity_;
        frame.pool_ = this;
        frame.next_ = free_;
        free_ = &frame;
    }
    slabs_.push_back(std::move(slab));
}

void FramePool::recycle(Frame* frame) {
    ASAN_POISON_MEMORY_REGION(frame->data_, frame->capacity_);
    frame->next_ = free_;
    free_ = frame;
    --live_;
}

void FrameList::push_back(FramePtr frame) {
    Frame* added = frame.release();
    added->next_ = nullptr;
    (empty() ? first_ : last_->next_) = added;
    last_ = added;
    ++size_;
}

FramePtr FrameList::pop_front() {
    Frame* frame = first_;
    first_ = frame->next_;
    frame->next_ = nullptr;
    --size_;
    return FramePtr(frame);
}

void FrameList::clear() {
    while (!empty()) pop_front();
}

}  // namespace lfn
