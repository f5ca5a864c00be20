// SPDX-License-Identifier: BSD-3-Clause
// The send queues are sorted, and their tails are known, whatever has happened to them.
#include <algorithm>
#include <random>

#include "rfc1106_test.hpp"

namespace lfn::test {
namespace {

class QueueTails : public Rfc1106Test {
protected:
    static std::uint32_t seq_of(const tcp_seg* segment) { return lwip_ntohl(segment->tcphdr->seqno); }

    // Returns the number of pbufs in the queue.
    static unsigned check_queue(const tcp_seg* head, const tcp_seg* tail) {
        unsigned pbufs = 0;
        for (const tcp_seg* segment = head; segment != nullptr; segment = segment->next) {
            pbufs += pbuf_clen(segment->p);
            if (segment->next == nullptr) {
                EXPECT_EQ(segment, tail);
            } else {
                EXPECT_TRUE(TCP_SEQ_LT(seq_of(segment), seq_of(segment->next)));
            }
        }
        return pbufs;
    }

    void check() {
        if (pcb == nullptr) return;
        const unsigned pbufs =
            check_queue(pcb->unsent, pcb->lfn_unsent_tail) + check_queue(pcb->unacked, pcb->lfn_unacked_tail);
        EXPECT_EQ(pbufs, pcb->snd_queuelen);
    }

    template <class Operation>
    void step(Operation operation) {
        operation();
        check();
    }

    std::uint32_t sent() const { return pcb->snd_nxt - first_data; }
    std::uint32_t draw(std::uint32_t below) { return static_cast<std::uint32_t>(random() % below); }

    void do_something() {
        const std::uint32_t in_flight = pcb->snd_nxt - pcb->lastack;
        switch (draw(10)) {
            case 0:
            case 1:
            case 2:
                if (pcb->snd_buf > 3000 && pcb->snd_queuelen < 200) write(1 + draw(2 * kFull));
                break;
            case 3:
                peer_window = draw(4) == 0 ? draw(1000) : kBig;
                acks(acked() + draw(in_flight + 1));
                break;
            case 4:
            case 5:
                names(acked() + draw(in_flight + 1), static_cast<std::uint8_t>(draw(6)));
                break;
            case 6:
                acks(acked());
                break;
            case 7:
                run_ms(draw(1500));
                break;
            case 8:
                wire.busy = draw(2) == 0;
                if (!wire.busy) lfn_tcp_output_ready();
                break;
            default:
                pcb->cwnd = (1 + draw(30)) * kMss;
                break;
        }
        wire.sent.clear();
    }

    std::mt19937_64 random;
};

TEST_F(QueueTails, tails_are_the_ends_of_their_queues) {
    settings.loss_policy = LFN_LOSS_NOISE;
    settings.dup_acks = LFN_DUP_ACKS_ON;
    agree();
    pcb->cwnd = 6 * kMss;
    step([&] { write(100); });
    step([&] { write(100); });
    step([&] { write(3 * kFull); });
    step([&] { write(8 * kFull); });                                      // more than the window
    step([&] { names(200, 1); });                                         // the middle goes out again
    step([&] { acks(100, a_option(first_data + 200 + 2 * kFull, 1)); });  // so does the end
    step([&] { wire.busy = true, names(100, 255); });                     // everything waits for the driver
    step([&] { write(100); });                                            // new data behind what waits
    step([&] { wire.busy = false, lfn_tcp_output_ready(); });
    step([&] { acks(200); });
    step([&] {
        for (int i = 0; i < 4; ++i) acks(200);
    });                                                   // a fast retransmit
    step([&] { run_ms(5000); });                          // timeouts
    step([&] { peer_window = 100, acks(200 + kFull); });  // a window to split a segment for
    step([&] { run_ms(20'000); });
    step([&] { peer_window = kBig, acks(200 + 2 * kFull); });
    step([&] { ASSERT_EQ(tcp_shutdown(pcb, 0, 1), ERR_OK); });
    for (int i = 0; i < 20; ++i) step([&] { acks(sent()); });
    EXPECT_EQ(pcb->unsent, nullptr);
    EXPECT_EQ(pcb->unacked, nullptr);
    wire.sent.clear();
}

TEST_F(QueueTails, they_are_after_twenty_histories_of_five_hundred_steps) {
    settings.loss_policy = LFN_LOSS_NOISE;
    settings.dup_acks = LFN_DUP_ACKS_ON;
    settings.renak = true;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        random.seed(seed);
        agree();
        for (int i = 0; i < 500 && pcb != nullptr && !HasFailure(); ++i) step([&] { do_something(); });
        ASSERT_FALSE(HasFailure()) << "seed " << seed;
        wire.busy = false;
        if (pcb != nullptr) tcp_abort(pcb);
        tcp_close(listener);
        listener = nullptr;
        wire.sent.clear();
        peer = Peer{};
        peer_says_c = false;
        peer_window = kBig;
        user = User{};
        written = 0;
    }
}

}  // namespace
}  // namespace lfn::test
