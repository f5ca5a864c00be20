// SPDX-License-Identifier: BSD-3-Clause
// The queue in front of a TAP interface.
#include "ports/tap/transmit_queue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/ports/tcp_frame.hpp"

namespace lfn {

namespace {

void put(TransmitQueue& queue, const std::vector<std::uint8_t>& frame) {
    std::copy(frame.begin(), frame.end(), queue.begin(frame.size()));
    queue.end();
}

std::vector<bool> superseded(const TransmitQueue& queue) {
    std::vector<bool> result;
    for (std::size_t index = 0; index < queue.size(); ++index) result.push_back(queue[index].superseded);
    return result;
}

using testing::ElementsAre;

TEST(TransmitQueue, frames_leave_in_order_around_the_ring) {
    TransmitQueue queue(3, 100, false, false);
    std::uint8_t in = 0, out = 0;
    for (int turn = 0; turn < 20; ++turn) {
        while (!queue.full()) put(queue, {in++});
        for (int count = turn % 3; count >= 0; --count) {
            EXPECT_EQ(queue[0].octets()[0], out++);
            queue.pop(1);
        }
    }
}

TEST(TransmitQueue, only_the_last_acknowledgement_of_each_connection_leaves) {
    TransmitQueue queue(8, 100, false, true);
    put(queue, octets_of({.ack = 1}));
    put(queue, octets_of({.ack = 1, .port = 80}));
    put(queue, octets_of({.ack = 2}));
    put(queue, octets_of({.ack = 3}));
    EXPECT_THAT(superseded(queue), ElementsAre(true, false, true, false));
    EXPECT_EQ(queue.acks_thinned(), 2U);
    put(queue, octets_of({.ack = 2, .port = 80}));
    EXPECT_THAT(superseded(queue), ElementsAre(true, true, true, false, false));
}

TEST(TransmitQueue, data_with_a_later_acknowledgement_supersedes_across_other_data) {
    TransmitQueue queue(8, 100, false, true);
    put(queue, octets_of({.ack = 1}));
    put(queue, octets_of({.ack = 1, .port = 80, .payload = {1}}));
    put(queue, octets_of({.ack = 2, .payload = {1}}));
    EXPECT_THAT(superseded(queue), ElementsAre(true, false, false));
}

TEST(TransmitQueue, an_acknowledgement_that_has_left_is_forgotten) {
    TransmitQueue queue(8, 100, false, true);
    put(queue, octets_of({.ack = 1}));
    queue.pop(1);
    put(queue, octets_of({.ack = 2}));
    put(queue, octets_of({.ack = 3}));
    EXPECT_THAT(superseded(queue), ElementsAre(true, false));
}

TEST(TransmitQueue, acknowledgements_stay_where_they_are_not_to_be_thinned) {
    TransmitQueue queue(8, 100, true, false);
    put(queue, octets_of({.ack = 1}));
    put(queue, octets_of({.ack = 2}));
    EXPECT_THAT(superseded(queue), ElementsAre(false, false));
}

TEST(TransmitQueue, the_last_data_segment_is_pushed) {
    TransmitQueue queue(8, 100, true, false);
    queue.push_last();  // nothing there
    put(queue, octets_of({.payload = {1}}));
    put(queue, octets_of({.payload = {2}}));
    put(queue, octets_of({}));
    queue.push_last();
    EXPECT_EQ(queue[0].tcp->flags, tcp_flag_ack);
    EXPECT_EQ(queue[1].tcp->flags, tcp_flag_ack | tcp_flag_psh);
    EXPECT_EQ(queue[2].tcp->flags, tcp_flag_ack);
    EXPECT_EQ(view_tcp(queue[1].octets())->flags, tcp_flag_ack | tcp_flag_psh);
}

}  // namespace

}  // namespace lfn
