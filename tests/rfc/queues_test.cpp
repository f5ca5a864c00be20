// SPDX-License-Identifier: BSD-3-Clause
// The send queues of a very large window: their counter, and the index over what is in flight.
#include "../../stack/hooks/tcp_state.hpp"
#include "rfc1106_test.hpp"

namespace lfn::test {
namespace {

using Offsets = std::vector<std::uint32_t>;

class Queues : public Rfc1106Test {
protected:
    void open(std::uint32_t window) {
        settings.loss_policy = LFN_LOSS_NOISE;
        settings.send_buffer = peer_window = window;
        agree();
        pcb->cwnd = window;
    }

    // Full segments, as fast as the window takes them, without looking at each.
    void fill(std::uint32_t segments) {
        for (std::uint32_t i = 0; i < segments; ++i) {
            write(kFull);
            wire.sent.clear();
        }
        ASSERT_EQ(pcb->unsent, nullptr);
    }

    // Segments that lead to the next by lfn_skip, first to last; checks that each is in flight, in order.
    static unsigned count_marks(const tcp_pcb* pcb) {
        const FlightIndex& flight = state_of(pcb)->flight;
        unsigned marks = 0;
        const tcp_seg* mark = flight.first;
        for (const tcp_seg* seg = pcb->unacked; seg != nullptr; seg = seg->next) {
            if (seg != mark) continue;
            ++marks;
            mark = seg->lfn_skip;
            if (mark == nullptr) {
                EXPECT_EQ(flight.last, seg);
            }
        }
        EXPECT_EQ(mark, nullptr) << "a mark is not in flight";
        return marks;
    }
};

TEST_F(Queues, more_than_65535_segments_may_be_in_flight) {
    open(70'000 * kMss);
    fill(70'000);
    EXPECT_EQ(pcb->snd_queuelen, 70'000U);
    names(69'999 * kFull, 1);
    EXPECT_EQ(take_offsets(), Offsets{69'999 * kFull});
    acks(70'000 * kFull);
    EXPECT_EQ(pcb->snd_queuelen, 0U);
    EXPECT_EQ(pcb->unacked, nullptr);
    EXPECT_EQ(pcb->snd_buf, 70'000U * kMss);
    wire.sent.clear();
}

TEST_F(Queues, each_named_segment_is_found_in_a_flight_of_many_thousand) {
    constexpr std::uint32_t segments = 5'000;
    open(segments * kMss);
    fill(segments);
    EXPECT_EQ(count_marks(pcb), (segments - 1) / FlightIndex::spacing + 1);
    for (const std::uint32_t at : {0U, 1U, 511U, 512U, 513U, 4'999U, 1'024U, 2U, 1'023U, 3'000U}) {
        names(at * kFull, 1);
        EXPECT_EQ(take_offsets(), Offsets{at * kFull});
        count_marks(pcb);
    }
}

TEST_F(Queues, a_named_mark_hands_its_place_on) {
    constexpr std::uint32_t segments = 3 * FlightIndex::spacing + 10;
    open(segments * kMss);
    fill(segments);
    wire.busy = true;  // what is named stays out of the flight
    for (std::uint32_t at = 0; at < segments; at += FlightIndex::spacing) {
        names(at * kFull, 2);
        count_marks(pcb);
        EXPECT_FALSE(HasFailure()) << at;
    }
    wire.busy = false;
    lfn_tcp_output_ready();
    EXPECT_EQ(take_offsets().size(), 8U);
    count_marks(pcb);
}

TEST_F(Queues, marks_go_with_what_is_acknowledged) {
    constexpr std::uint32_t segments = 3 * FlightIndex::spacing;
    open(segments * kMss);
    fill(segments);
    names(2 * FlightIndex::spacing * kFull + kFull, 1);  // the search ended at a mark
    for (std::uint32_t at = 100; at <= segments; at += 100) {
        acks(at * kFull);
        count_marks(pcb);
    }
    acks(segments * kFull);
    wire.sent.clear();
    fill(10);
    EXPECT_EQ(count_marks(pcb), 1U) << "the index begins anew";
    names(segments * kFull + 9 * kFull, 1);
    EXPECT_EQ(take_offsets(), Offsets{segments * kFull + 9 * kFull});
}

TEST_F(Queues, a_timeout_queues_everything_again_and_the_index_with_it) {
    constexpr std::uint32_t segments = 2'000;
    handshake_ms = 400;
    open(segments * kMss);
    fill(segments);
    run_ms(info().rto_ms);
    ASSERT_EQ(info().rtos, 1U);
    wire.sent.clear();
    acks(600 * kFull);  // the hole is filled, and the peer had what follows
    count_marks(pcb);
    pcb->cwnd = segments * kMss;
    acks(601 * kFull);
    wire.sent.clear();
    count_marks(pcb);
    run_ms(500);
    names(1'500 * kFull, 1);
    const Offsets offsets = take_offsets();
    EXPECT_EQ(offsets.back(), 1'500U * kFull);
    count_marks(pcb);
}

}  // namespace
}  // namespace lfn::test
