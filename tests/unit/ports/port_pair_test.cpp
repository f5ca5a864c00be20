// SPDX-License-Identifier: BSD-3-Clause
// Two ports back to back: frames go over in order, and who is held up is told when it may go on.
#include "ports/bridge/port_pair.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace lfn {
namespace {

using testing::ElementsAre;

struct Receiver final : FrameReceiver {
    void batch_begin() override { ++batches; }
    void receive(std::span<const std::uint8_t> frame) override {
        frames.push_back(frame[0]);
        if (on_frame) on_frame();
    }
    void batch_end() override {}
    void port_ready() override { ++ready; }
    void port_gone(const std::string&) override {}

    std::vector<int> frames;
    int batches = 0, ready = 0;
    std::function<void()> on_frame;
};

class PortPairTest : public testing::Test {
protected:
    PortPairTest() {
        pair_.first().connect(left_);
        pair_.second().connect(right_);
    }
    bool send(std::uint8_t octet) {
        std::uint8_t* room = pair_.first().transmit_begin(1);
        if (room == nullptr) return false;
        *room = octet;
        pair_.first().transmit_end();
        pair_.first().flush();
        return true;
    }

    Loop loop_;
    PortPair pair_{loop_, 100};
    Receiver left_, right_;
};

TEST_F(PortPairTest, frames_arrive_from_the_loop_in_order_as_one_batch) {
    for (std::uint8_t octet = 1; octet <= 2; ++octet) EXPECT_TRUE(send(octet));
    EXPECT_THAT(right_.frames, ElementsAre());
    loop_.run();
    EXPECT_THAT(right_.frames, ElementsAre(1, 2));
    EXPECT_EQ(right_.batches, 1);
}

TEST_F(PortPairTest, a_burst_waits_in_the_sender_beyond_two_frames) {
    EXPECT_TRUE(send(1));
    EXPECT_TRUE(send(2));
    EXPECT_FALSE(send(3));
    loop_.run();
    EXPECT_EQ(left_.ready, 1);
    EXPECT_TRUE(send(3));
    loop_.run();
    EXPECT_THAT(right_.frames, ElementsAre(1, 2, 3));
}

TEST_F(PortPairTest, who_sends_to_one_that_does_not_read_is_refused_after_two_and_told_when_it_may_go_on) {
    pair_.second().pause_reading();
    EXPECT_TRUE(send(1));
    EXPECT_TRUE(send(2));
    EXPECT_FALSE(send(3));
    loop_.run();
    EXPECT_THAT(right_.frames, ElementsAre());
    EXPECT_EQ(left_.ready, 0);
    pair_.second().resume_reading();
    loop_.run();
    EXPECT_THAT(right_.frames, ElementsAre(1, 2));
    EXPECT_EQ(left_.ready, 1);
    EXPECT_TRUE(send(3));
}

TEST_F(PortPairTest, a_receiver_may_stop_in_the_middle_of_a_batch) {
    right_.on_frame = [this] { pair_.second().pause_reading(); };
    for (std::uint8_t octet = 1; octet <= 3; ++octet) send(octet);
    loop_.run();
    EXPECT_THAT(right_.frames, ElementsAre(1));
    pair_.second().resume_reading();
    loop_.run();
    EXPECT_THAT(right_.frames, ElementsAre(1, 2));
}

TEST_F(PortPairTest, frames_to_an_end_without_a_receiver_are_lost) {
    PortPair alone(loop_, 100);
    std::uint8_t* room = alone.first().transmit_begin(1);
    ASSERT_NE(room, nullptr);
    *room = 1;
    alone.first().transmit_end();
    alone.first().flush();
    loop_.run();
    SUCCEED();  // the pool asserts that no frame is left
}

}  // namespace
}  // namespace lfn
