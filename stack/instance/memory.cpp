// SPDX-License-Identifier: BSD-3-Clause
// lwIP's heap is malloc's (config/lab), counted for each instance.
#include "memory.hpp"

#include <malloc.h>
#include <stdlib.h>

#include "lwip/opt.h"

namespace lfn::memory {
namespace {

uint64_t octets_held;  // part of the instance's image

// What malloc gave, and the word in front of it that malloc keeps for itself (glibc).
uint64_t cost(void* block) {
    return malloc_usable_size(block) + sizeof(size_t);
}

void* count(void* block) {
    if (block != nullptr) octets_held += cost(block);
    return block;
}

}  // namespace

uint64_t held() {
    return octets_held;
}

}  // namespace lfn::memory

void* lfn_stack_malloc(size_t size) {
    return lfn::memory::count(malloc(size));
}

void* lfn_stack_calloc(size_t number, size_t size) {
    return lfn::memory::count(calloc(number, size));
}

void lfn_stack_free(void* block) {
    if (block != nullptr) lfn::memory::octets_held -= lfn::memory::cost(block);
    free(block);
}
