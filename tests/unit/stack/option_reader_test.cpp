// SPDX-License-Identifier: BSD-3-Clause
// What the stack makes of the options of a segment, whole, cut off, or in two pieces.
#include <gtest/gtest.h>

#include "stack_test.hpp"

namespace lfn::test {
namespace {

using OptionReader = StackTest;

constexpr std::uint32_t kPeerTimestamp = 0x11223344;

Octets all_options() {
    return join({mss_option(700),
                 window_scale_option(3),
                 {kind::nop, kind::nop, kind::sack_permitted, 2},
                 timestamps_option(kPeerTimestamp, 0)});
}

TEST_F(OptionReader, option_kind_without_its_length_is_not_read_past_the_header) {
    listen();
    send_syn({kind::nop, kind::nop, kind::nop, kind::mss});
    wire.inject(peer.segment(flag::ack));
    ASSERT_TRUE(user.connected);
    EXPECT_EQ(pcb->mss, 536) << "as if the option were absent";
}

TEST_F(OptionReader, mss_is_taken_from_a_syn_only) {
    listen();
    send_syn({});
    wire.inject(peer.segment(flag::ack, mss_option(64)));
    ASSERT_TRUE(user.connected);
    EXPECT_EQ(pcb->mss, 536);
    wire.inject(peer.segment(flag::ack, mss_option(64)));
    peer.seq += 0x10000000;  // far outside the window
    wire.inject(peer.segment(flag::ack, mss_option(1)));
    EXPECT_EQ(pcb->mss, 536);
}

TEST_F(OptionReader, no_kind_is_read_past_the_header) {
    listen();
    for (const std::uint8_t last :
         {kind::window_scale, kind::sack_permitted, kind::sack, kind::timestamps, std::uint8_t{253}}) {
        ++peer.port;
        peer.seq = peer.iss;
        const Segment syn_ack = send_syn({kind::nop, kind::nop, kind::nop, last});
        EXPECT_FALSE(syn_ack.option(kind::window_scale));
        EXPECT_FALSE(syn_ack.option(kind::timestamps));
    }
}

TEST_F(OptionReader, option_that_claims_more_than_the_header_holds_is_ignored) {
    listen();
    const Segment syn_ack = send_syn({kind::nop, kind::nop, kind::timestamps, 10});
    EXPECT_FALSE(syn_ack.option(kind::timestamps));
}

TEST_F(OptionReader, options_in_two_pieces_are_read_like_options_in_one) {
    listen();
    const Octets options = all_options();
    for (std::size_t split = 20; split <= 20 + options.size(); ++split) {
        SCOPED_TRACE(split);
        ++peer.port;
        peer.seq = peer.iss;
        wire.inject(peer.segment(flag::syn, options), split);
        const Segment syn_ack = wire.take();
        EXPECT_TRUE(syn_ack.option(kind::window_scale));
        EXPECT_TRUE(syn_ack.option(kind::sack_permitted));
        const auto timestamps = syn_ack.option(kind::timestamps);
        ASSERT_TRUE(timestamps);
        EXPECT_EQ(Octets(timestamps->begin() + 4, timestamps->end()), (Octets{0x11, 0x22, 0x33, 0x44}));
    }
}

TEST_F(OptionReader, hook_sees_all_octets_of_options_in_two_pieces) {
    Octets seen;
    wire.on_input = [&seen](const tcp_pcb*, const Octets& options) {
        seen = options;
        return ERR_OK;
    };
    listen();
    wire.inject(peer.segment(flag::syn, all_options()), 27);
    EXPECT_EQ(seen, all_options());
}

TEST_F(OptionReader, timestamp_is_echoed_octet_for_octet) {
    listen();
    const auto timestamps = send_syn(timestamps_option(kPeerTimestamp, 0)).option(kind::timestamps);
    ASSERT_TRUE(timestamps);
    EXPECT_EQ(Octets(timestamps->begin() + 4, timestamps->end()), (Octets{0x11, 0x22, 0x33, 0x44}));
}

}  // namespace
}  // namespace lfn::test
