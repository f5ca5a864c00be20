// SPDX-License-Identifier: BSD-3-Clause
// Frames: the octets that travel over a link, in buffers that a pool recycles.
//
// A FramePtr owns its frame and gives it back to the pool when it dies, so a frame is in exactly one place. Stages that
// hold frames chain them through the frame itself (FrameList): nothing is allocated per frame.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "emulators/time/time.hpp"

namespace lfn {

class FramePool;

class Frame {
public:
    /// The first octet, aligned to 16.
    std::uint8_t* data() { return data_; }
    const std::uint8_t* data() const { return data_; }
    /// Octets in use; at most capacity().
    std::size_t size() const { return size_; }
    std::size_t capacity() const { return capacity_; }
    void resize(std::size_t size) {
        assert(size <= capacity_);
        size_ = size;
    }
    std::span<std::uint8_t> octets() { return {data_, size_}; }
    std::span<const std::uint8_t> octets() const { return {data_, size_}; }

    /// Counts the frames that a pool has made, from 0. A duplicate made by a link keeps the number of its original.
    std::uint64_t serial = 0;
    /// When the frame entered the link: set by the first stage that it is offered to (Transmitter).
    Time entered{};
    /// When the stage that holds the frame lets it go; means nothing outside that stage.
    Time release_due{};

private:
    friend class FramePool;
    friend class FrameList;
    friend struct FrameRecycler;

    std::uint8_t* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
    FramePool* pool_ = nullptr;
    Frame* next_ = nullptr;  // in the pool's free list or in a FrameList
};

struct FrameRecycler {
    void operator()(Frame* frame) const;
};

using FramePtr = std::unique_ptr<Frame, FrameRecycler>;

/// Buffers of one size. The pool grows by slabs, never shrinks, and must outlive its frames.
class FramePool {
public:
    /// `frame_capacity`: octets of the largest frame. The default holds the largest IPv4 packet, but a slab of such
    /// buffers is 2 MiB; say the MTU plus link header if you know it.
    explicit FramePool(std::size_t frame_capacity = 65535) : frame_capacity_(frame_capacity) {}
    ~FramePool() { assert(live_ == 0); }
    FramePool(const FramePool&) = delete;
    FramePool& operator=(const FramePool&) = delete;

    /// A frame of `size` octets whose values are left over from earlier use; size must fit frame_capacity().
    FramePtr make(std::size_t size);
    /// A frame that holds a copy of `octets`.
    FramePtr make(std::span<const std::uint8_t> octets);
    /// A copy of a frame, serial number and time stamp included.
    static FramePtr clone(const Frame& frame);

    std::size_t frame_capacity() const { return frame_capacity_; }
    /// Frames that are out of the pool now.
    std::size_t live() const { return live_; }
    /// Frames that the pool has room for without growing.
    std::size_t allocated() const { return slabs_.size() * frames_per_slab; }

private:
    friend struct FrameRecycler;
    static constexpr std::size_t frames_per_slab = 32;
    struct Slab {
        std::unique_ptr<Frame[]> frames;
        std::unique_ptr<std::uint8_t[]> octets;
    };

    FramePtr take(std::size_t size);
    void grow();
    void recycle(Frame* frame);

    std::size_t frame_capacity_;
    std::vector<Slab> slabs_;
    Frame* free_ = nullptr;
    std::size_t live_ = 0;
    std::uint64_t next_serial_ = 0;
};

/// A first-in first-out list of frames, chained through the frames.
class FrameList {
public:
    FrameList() = default;
    ~FrameList() { clear(); }
    FrameList(const FrameList&) = delete;
    FrameList& operator=(const FrameList&) = delete;

    bool empty() const { return first_ == nullptr; }
    std::size_t size() const { return size_; }
    Frame& front() { return *first_; }
    const Frame& front() const { return *first_; }
    const Frame& back() const { return *last_; }
    void push_back(FramePtr frame);
    FramePtr pop_front();
    void clear();

private:
    Frame* first_ = nullptr;
    Frame* last_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace lfn
