// SPDX-License-Identifier: BSD-3-Clause
#include "image.hpp"

#include <cstdint>

// The linker names the sections' bounds; LFN_IMAGE is this build's name for its own.
#define LFN_JOIN_(a, b) a##b
#define LFN_JOIN(a, b) LFN_JOIN_(a, b)
#define LFN_DATA_START LFN_JOIN(LFN_JOIN(__start_, LFN_IMAGE), _data)
#define LFN_DATA_STOP LFN_JOIN(LFN_JOIN(__stop_, LFN_IMAGE), _data)
#define LFN_BSS_START LFN_JOIN(LFN_JOIN(__start_, LFN_IMAGE), _bss)
#define LFN_BSS_STOP LFN_JOIN(LFN_JOIN(__stop_, LFN_IMAGE), _bss)

extern "C" {
extern unsigned char LFN_DATA_START[] __attribute__((visibility("hidden")));
extern unsigned char LFN_DATA_STOP[] __attribute__((visibility("hidden")));
extern unsigned char LFN_BSS_START[] __attribute__((visibility("hidden")));
extern unsigned char LFN_BSS_STOP[] __attribute__((visibility("hidden")));
}

namespace lfn::image {
namespace {

// Outside the image, by its section: it tells whose the globals are.
__attribute__((section("lfn_image_owner"))) unsigned char* current = nullptr;

// The globals as they were linked, kept from the first time that an instance is made. A few hundred octets, more with
// the sanitizers' red zones between them.
constexpr std::size_t pristine_capacity = 64 * 1024;
__attribute__((section(".bss.lfn_image_pristine"))) unsigned char pristine[pristine_capacity];
__attribute__((section("lfn_image_owner"))) bool pristine_kept = false;

struct Range {
    unsigned char* start;
    std::size_t size;
};

Range range(unsigned char* start, unsigned char* stop) {
    return {start,
            static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(stop) - reinterpret_cast<std::uintptr_t>(start))};
}
Range data() {
    return range(LFN_DATA_START, LFN_DATA_STOP);
}
Range bss() {
    return range(LFN_BSS_START, LFN_BSS_STOP);
}

// Compilers know a copying loop when they see one.
#ifdef __clang__
#define LFN_NO_MEMCPY __attribute__((no_builtin("memcpy")))
#else
#define LFN_NO_MEMCPY __attribute__((optimize("no-tree-loop-distribute-patterns")))
#endif

// Not memcpy, which sanitizers watch, and not instrumented: red zones are copied with what they guard.
LFN_NO_MEMCPY __attribute__((no_sanitize("address", "undefined"), noinline)) void copy(unsigned char* to,
                                                                                       const unsigned char* from,
                                                                                       std::size_t size) {
    using Block = std::uint64_t __attribute__((vector_size(32), may_alias, aligned(1)));
    std::size_t at = 0;
    for (; at + sizeof(Block) <= size; at += sizeof(Block)) {
        *reinterpret_cast<Block*>(to + at) = *reinterpret_cast<const Block*>(from + at);
    }
    for (; at < size; ++at) to[at] = from[at];
}

void save(unsigned char* image) {
    copy(image, data().start, data().size);
    copy(image + data().size, bss().start, bss().size);
}

void restore(const unsigned char* image) {
    copy(data().start, image, data().size);
    copy(bss().start, image + data().size, bss().size);
}

void keep_pristine() {
    if (pristine_kept) return;
    if (size() > pristine_capacity) __builtin_trap();  // the build's globals have outgrown the constant above
    save(pristine);
    pristine_kept = true;
}

}  // namespace

std::size_t size() {
    return data().size + bss().size;
}

void init(void* image) {
    keep_pristine();
    copy(static_cast<unsigned char*>(image), pristine, size());
}

void enter(void* image) {
    auto* next = static_cast<unsigned char*>(image);
    if (next == current) return;
    keep_pristine();
    if (current != nullptr) save(current);
    restore(next != nullptr ? next : pristine);
    current = next;
}

}  // namespace lfn::image
