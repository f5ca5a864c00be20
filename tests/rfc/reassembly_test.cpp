// SPDX-License-Identifier: BSD-3-Clause
// What arrives out of order becomes the stream, whatever the order, and is kept as runs without holes.
#include <algorithm>
#include <random>

#include "../../stack/hooks/tcp_state.hpp"
#include "rfc1106_test.hpp"

namespace lfn::test {
namespace {

class Reassembly : public Rfc1106Test {
protected:
    static std::uint32_t left_of(const tcp_seg* seg) { return seg->tcphdr->seqno; }
    static std::uint32_t right_of(const tcp_seg* seg) { return left_of(seg) + seg->len; }

    // Checks the queue; returns the number of runs.
    unsigned check_runs() const {
        unsigned runs = 0;
        const tcp_seg* last_run = nullptr;
        for (const tcp_seg* run = pcb->ooseq; run != nullptr;) {
            last_run = run;
            const tcp_seg* seg = run;
            while (seg->next != nullptr && left_of(seg->next) == right_of(seg)) seg = seg->next;
            EXPECT_EQ(run->lfn_skip, seg) << "a run leads to its last segment";
            if (seg->next != nullptr) {
                EXPECT_TRUE(TCP_SEQ_LT(right_of(seg), left_of(seg->next)));
            }
            EXPECT_TRUE(TCP_SEQ_GT(left_of(run), pcb->rcv_nxt));
            run = seg->next;
            ++runs;
        }
        if (last_run != nullptr) {
            EXPECT_EQ(state_of(pcb)->reassembly.last, last_run);
        }
        return runs;
    }

    void sends_with_fin(std::uint32_t offset, std::size_t size) {
        const std::uint32_t before = peer.seq;
        peer.seq = peer_first + offset;
        says(flag::ack | flag::fin, {}, stream(offset, size));
        peer.seq = before;
    }

    std::uint32_t draw(std::uint32_t below) { return static_cast<std::uint32_t>(random() % below); }

    // A connection that has just been made.
    void fresh() {
        if (pcb != nullptr) tcp_abort(pcb);
        if (listener != nullptr) tcp_close(listener);
        listener = nullptr;
        wire.sent.clear();
        peer = Peer{};
        peer.timestamps = kTimestamps;
        peer_says_c = false;
        user = User{};
        agree();
    }

    // Pieces of random sizes at random places, until everything has arrived. Some say what others said.
    void arrive_at_random(std::uint32_t octets, bool with_fin) {
        while (user.received.size() < octets) {
            const std::uint32_t from = draw(octets);
            const std::uint32_t size = std::min(1 + draw(900), octets - from);
            if (with_fin && from + size == octets) {
                sends_with_fin(from, size);
            } else {
                peer_sends_at(from, size);
            }
            check_runs();
            if (HasFailure()) return;
            wire.sent.clear();
        }
    }

    std::mt19937_64 random;
};

TEST_F(Reassembly, two_hundred_random_orders_give_the_stream) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        random.seed(seed);
        fresh();
        const std::uint32_t octets = 1 + draw(3000);
        arrive_at_random(octets, seed % 2 == 0);
        ASSERT_FALSE(HasFailure()) << "seed " << seed;
        ASSERT_EQ(user.received, stream(0, octets)) << "seed " << seed;
        ASSERT_EQ(pcb->ooseq, nullptr);
        if (seed % 2 == 0) {
            ASSERT_EQ(pcb->state, CLOSE_WAIT) << "seed " << seed;
        }
    }
}

TEST_F(Reassembly, runs_are_known_by_their_ends) {
    agree();
    peer_sends_at(3000, 500);
    peer_sends_at(3500, 500);
    EXPECT_EQ(check_runs(), 1U);
    peer_sends_at(1000, 500);
    peer_sends_at(5000, 500);
    EXPECT_EQ(check_runs(), 3U);
    peer_sends_at(1500, 1500);  // joins the first two
    EXPECT_EQ(check_runs(), 2U);
    peer_sends_at(900, 4000);  // covers one, and overlaps the next
    EXPECT_EQ(check_runs(), 2U);
    peer_sends_at(4200, 1000);
    EXPECT_EQ(check_runs(), 1U);
    peer_sends_at(0, 900);
    EXPECT_EQ(user.received, stream(0, 5500));
    wire.sent.clear();
}

TEST_F(Reassembly, a_filled_hole_delivers_more_than_64_kilobytes_intact) {
    agree();
    const std::uint32_t octets = 250'000;
    for (std::uint32_t at = kFull; at < octets; at += kFull)
        peer_sends_at(at, std::min<std::size_t>(kFull, octets - at));
    EXPECT_TRUE(user.received.empty());
    EXPECT_EQ(check_runs(), 1U);
    peer_sends_at(0, kFull);
    EXPECT_EQ(user.received, stream(0, octets));
    wire.sent.clear();
}

TEST_F(Reassembly, of_octets_that_arrive_twice_the_first_copy_is_kept) {
    agree();
    peer_sends_at(1000, 500);
    const std::uint32_t before = peer.seq;
    peer.seq = peer_first + 900;
    says(flag::ack, {}, Octets(1000, 0xee));
    peer.seq = before;
    peer_sends_at(0, 900);
    Octets expected = stream(0, 1900);
    std::fill(expected.begin() + 900, expected.begin() + 1000, std::uint8_t{0xee});
    std::fill(expected.begin() + 1500, expected.end(), std::uint8_t{0xee});
    // What covers a whole run replaces it; nothing is mixed within the run.
    std::fill(expected.begin() + 1000, expected.begin() + 1500, std::uint8_t{0xee});
    EXPECT_EQ(user.received, expected);
    wire.sent.clear();
}

TEST_F(Reassembly, what_lies_behind_a_fin_is_not_kept) {
    agree();
    sends_with_fin(1000, 100);
    peer_sends_at(1100, 100);
    peer_sends_at(1500, 100);
    EXPECT_EQ(check_runs(), 1U);
    peer_sends_at(0, 1000);
    EXPECT_EQ(user.received, stream(0, 1100));
    EXPECT_EQ(pcb->state, CLOSE_WAIT);
    wire.sent.clear();
}

TEST_F(Reassembly, a_fin_that_comes_late_drops_what_lay_behind_it) {
    agree();
    peer_sends_at(1500, 100);
    peer_sends_at(900, 100);
    sends_with_fin(1000, 0);
    EXPECT_EQ(check_runs(), 2U) << "a FIN without data ends the run that it follows, if that is the last";
    sends_with_fin(1000, 10);
    EXPECT_EQ(check_runs(), 1U);
    peer_sends_at(0, 900);
    EXPECT_EQ(user.received, stream(0, 1010));
    EXPECT_EQ(pcb->state, CLOSE_WAIT);
    wire.sent.clear();
}

TEST_F(Reassembly, what_reaches_beyond_the_window_is_cut) {
    settings.receive_window = 4000;
    agree();
    peer_sends_at(3500, 1000);
    EXPECT_EQ(right_of(pcb->ooseq), peer_first + 4000);
    peer_sends_at(0, 1000);
    peer_sends_at(1000, 1000);
    peer_sends_at(2000, 1500);
    EXPECT_EQ(user.received, stream(0, 4000));
    wire.sent.clear();
}

TEST_F(Reassembly, a_segment_that_would_need_a_long_search_is_dropped_and_not_reported) {
    settings.receive_window = 1'000'000;
    agree();
    for (std::uint32_t i = 0; i < 5000; ++i) {
        peer_sends_at(100 + 100 * i, 50);
        wire.sent.clear();
    }
    peer_sends_at(100, 50);  // the search begins at the front again
    peer_sends_at(60 + 100 * 4900, 20);
    EXPECT_EQ(check_runs(), 5000U);
    peer_sends_at(60 + 100 * 10, 20);
    EXPECT_EQ(check_runs(), 5001U);
    wire.sent.clear();
}

}  // namespace
}  // namespace lfn::test
