// SPDX-License-Identifier: BSD-3-Clause
// Packets that are no whole IPv4 header.
#include <gtest/gtest.h>

#include "stack_test.hpp"

namespace lfn::test {
namespace {

class ShortPacket : public StackTest {};

TEST_F(ShortPacket, packets_shorter_than_an_ip_header_are_dropped) {
    const Octets whole = encode({kPeerAddress, kStackAddress}, peer.segment(flag::syn));
    for (std::size_t size = 1; size < 20; ++size) {
        wire.inject_packet({whole.data(), size});
        EXPECT_TRUE(wire.sent.empty()) << size << " octets";
    }
}

}  // namespace
}  // namespace lfn::test
