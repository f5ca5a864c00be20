// SPDX-License-Identifier: BSD-3-Clause
// What a listening control block takes over from the one that tcp_listen() was given.
#include <gtest/gtest.h>

#include "stack_test.hpp"

namespace lfn::test {
namespace {

using Listener = StackTest;

int destroyed = 0;

void count_destroyed(u8_t, void*) {
    ++destroyed;
}

constexpr tcp_ext_arg_callbacks kCallbacks{count_destroyed, nullptr};

TEST_F(Listener, extension_arguments_move_to_the_listener) {
    static const u8_t id = tcp_ext_arg_alloc_id();
    destroyed = 0;
    tcp_pcb* closed = tcp_new();
    tcp_ext_arg_set_callbacks(closed, id, &kCallbacks);
    tcp_ext_arg_set(closed, id, this);
    ASSERT_EQ(tcp_bind(closed, IP_ADDR_ANY, peer.stack_port), ERR_OK);
    listener = tcp_listen(closed);
    EXPECT_EQ(destroyed, 0);
    EXPECT_EQ(tcp_ext_arg_get(listener, id), this);
    tcp_close(listener);
    listener = nullptr;
    EXPECT_EQ(destroyed, 1);
}

}  // namespace
}  // namespace lfn::test
