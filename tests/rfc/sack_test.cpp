// SPDX-License-Identifier: BSD-3-Clause
// SACK as NAK: what goes out for the blocks that a peer without option A reports.
#include "rfc1106_test.hpp"

namespace lfn::test {
namespace {

using Offsets = std::vector<std::uint32_t>;
struct Block {
    std::uint32_t left, right;  // segments of the stream
};

class Sack : public Rfc1106Test {
protected:
    // No option of lfn's is agreed.
    void open() {
        settings = {};
        settings.sack = true;
        settings.send_buffer = 60'000;
        settings.loss_policy = LFN_LOSS_NOISE;
        handshake_ms = 400;
        answer_syn({});
        run_ms(handshake_ms);
        peer.window = 60'000;
        says(flag::ack);
        ASSERT_TRUE(user.connected);
        full = static_cast<std::uint16_t>(kMss - (kTimestamps ? 12 : 0));
    }

    void fly_full(std::uint32_t segments) {
        pcb->cwnd = 60'000;
        for (std::uint32_t i = 0; i < segments; ++i) write(full);
        ASSERT_EQ(wire.sent.size(), segments);
        wire.sent.clear();
    }

    void reports(std::uint32_t acknowledged, const std::vector<Block>& blocks) {
        Octets option = {1, 1, 5, static_cast<std::uint8_t>(2 + 8 * blocks.size())};
        for (const Block& block : blocks) {
            for (const std::uint32_t edge : {block.left, block.right}) {
                const std::uint32_t seq = first_data + edge * full;
                for (const int shift : {24, 16, 8, 0}) option.push_back(static_cast<std::uint8_t>(seq >> shift));
            }
        }
        acks(acknowledged * full, option);
    }

    Offsets taken() {
        Offsets offsets = take_offsets();
        for (auto& offset : offsets) offset /= full;
        return offsets;
    }

    std::uint16_t full = 0;
};

TEST_F(Sack, the_first_block_sends_the_hole_below_it_again) {
    open();
    fly_full(10);
    run_ms(400);
    reports(2, {{3, 4}});
    EXPECT_EQ(taken(), Offsets{2});
    reports(2, {{3, 5}});
    reports(2, {{3, 6}});
    reports(2, {{3, 7}});
    EXPECT_EQ(taken(), Offsets{}) << "neither again nor as a fast retransmit";
    EXPECT_EQ(info().sacks_received, 4U);
    EXPECT_EQ(info().naks_received, 0U);
}

TEST_F(Sack, each_new_hole_goes_out_once_although_only_the_latest_blocks_are_reported) {
    open();
    fly_full(20);
    run_ms(400);
    reports(0, {{1, 2}});
    reports(0, {{3, 5}, {1, 2}});
    reports(0, {{7, 8}, {3, 5}, {1, 2}});
    EXPECT_EQ(taken(), (Offsets{0, 2, 5, 6}));
    reports(0, {{9, 10}, {7, 8}, {3, 5}});  // {1, 2} has no room any more, and is no hole
    EXPECT_EQ(taken(), Offsets{8});
}

TEST_F(Sack, a_lost_retransmission_is_seen_by_a_later_one_that_arrived) {
    open();
    fly_full(20);
    run_ms(400);
    reports(0, {{1, 5}});
    reports(0, {{6, 8}, {1, 5}});
    EXPECT_EQ(taken(), (Offsets{0, 5}));
    run_ms(400);
    reports(0, {{1, 8}});  // the second one's answer is here
    EXPECT_EQ(taken(), Offsets{0});
}

TEST_F(Sack, a_lost_retransmission_goes_out_again_when_its_round_trip_has_passed) {
    open();
    for (std::uint32_t base = 0; base < 24; base += 3) {  // the round trip of a retransmission is known well
        fly_full(3);
        run_ms(400);
        reports(base, {{base + 1, base + 3}});
        EXPECT_EQ(taken(), Offsets{base});
        run_ms(400);
        acks((base + 3) * full);
    }
    fly_full(4);
    run_ms(400);
    reports(24, {{25, 28}});
    EXPECT_EQ(taken(), Offsets{24});
    run_ms(420);
    EXPECT_EQ(taken(), Offsets{});
    run_ms(200);
    EXPECT_EQ(taken(), Offsets{24});
    EXPECT_EQ(info().rtos, 0U);
}

TEST_F(Sack, blocks_outside_what_is_in_flight_do_nothing) {
    open();
    fly_full(4);
    run_ms(400);
    reports(1, {{0, 1}});  // a duplicate below the left edge (RFC 2883)
    reports(1, {{5, 7}});  // never sent
    reports(1, {{3, 2}});  // turned round
    reports(1, {{3, 3}});  // empty
    EXPECT_EQ(taken(), Offsets{});
}

TEST_F(Sack, a_cut_option_is_ignored) {
    open();
    ASSERT_EQ(lfn_tcp_setopt(pcb, LFN_TCP_DUP_ACKS, LFN_DUP_ACKS_OFF), ERR_OK);
    fly_full(4);
    run_ms(400);
    acks(0, Octets{1, 1, 5, 60});
    acks(0, Octets{1, 1, 5, 1});
    acks(0, Octets{1, 1, 1, 5});
    EXPECT_EQ(taken(), Offsets{});
    EXPECT_EQ(info().sacks_received, 0U);
}

TEST_F(Sack, after_a_timeout_it_begins_anew) {
    open();
    fly_full(6);
    run_ms(400);
    reports(0, {{1, 2}});
    EXPECT_EQ(taken(), Offsets{0});
    run_ms(60'000);
    EXPECT_GT(info().rtos, 0U);
    wire.sent.clear();
    acks(6 * full);
    fly_full(6);
    reports(7, {{8, 10}});
    EXPECT_EQ(taken(), Offsets{7});
}

}  // namespace
}  // namespace lfn::test
