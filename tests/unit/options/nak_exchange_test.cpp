// SPDX-License-Identifier: BSD-3-Clause
// Both halves of option A over a small model of RFC 1106's satellite path (1.544 Mb/s, 580 ms), in virtual
// microseconds: no stack, no congestion window, no retransmission timer, so that the NAKs alone must bring every
// segment across.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <random>
#include <vector>

#include "lfn/nak_receiver.h"
#include "lfn/nak_sender.h"

namespace {

struct Path {
    uint32_t segments = 20000;
    uint32_t window_segments = 1000;
    double loss = 0;        // of a data segment, either copy
    double ack_loss = 0;    // of an ACK
    uint32_t swing_us = 0;  // of the one-way delay, either side of the mean; order is kept
    uint64_t seed = 1106;
};

class Exchange {
public:
    static constexpr uint32_t first_seq = 0xFFFFFFFF - 100000;
    static constexpr uint16_t mss = 512;
    static constexpr uint64_t segment_us = 2860;  // (512 + 40) octets at 1.544 Mb/s
    static constexpr uint64_t one_way_us = 290000;
    static constexpr uint32_t round_trip_ms = 580;

    Exchange(const Path& path, lfn_nak_mode mode, bool renak)
        : path_(path), random_(path.seed), sender_(path.segments), arrived_(path.segments + 1, false) {
        lfn_nak_receiver_init(&receiver_, mode, renak, first_seq);
    }

    // Returns whether everything got across.
    bool run() {
        sender_turn();
        while (!events_.empty() && acked_ < path_.segments) {
            const auto first = events_.begin();
            now_us_ = first->first.first;
            const Event event = first->second;
            events_.erase(first);
            handle(event);
        }
        return acked_ == path_.segments;
    }

    double octets_per_second() const { return 1e6 * mss * path_.segments / static_cast<double>(now_us_); }
    uint32_t duplicates() const { return duplicates_; }
    uint32_t lost() const { return lost_; }
    uint32_t resent() const { return resent_; }

private:
    enum class Kind { sender_free, data, ack, receiver_timer };
    struct Event {
        Kind kind;
        uint32_t number;  // the segment, or of an ACK the left edge
        std::vector<lfn_nak> naks;
    };
    struct Segment {
        bool resent = false;
        bool queued = false;
        uint32_t resent_ms = 0;
    };

    uint32_t now_ms() const { return 0xFFFFFF00 + static_cast<uint32_t>(now_us_ / 1000); }
    bool chance(double p) { return static_cast<double>(random_() >> 11) * 0x1p-53 < p; }
    void book(uint64_t at_us, Event event) { events_.emplace(std::pair(at_us, booking_++), std::move(event)); }

    // One direction's delay; a later packet never overtakes an earlier one.
    uint64_t delivery_us(uint64_t& last_us) {
        const uint64_t swing = path_.swing_us ? random_() % (2 * path_.swing_us + 1) : 0;
        last_us = std::max(last_us + 1, now_us_ + one_way_us - path_.swing_us + swing);
        return last_us;
    }

    void handle(const Event& event) {
        switch (event.kind) {
            case Kind::sender_free:
                sender_free_ = true;
                return sender_turn();
            case Kind::data:
                return receive(event.number);
            case Kind::ack:
                return hear(event);
            case Kind::receiver_timer:
                return on_timer();
        }
    }

    void sender_turn() {
        if (!sender_free_) return;
        if (!again_.empty()) {
            const uint32_t i = again_.front();
            again_.pop_front();
            sender_[i] = {true, false, now_ms()};
            ++resent_;
            transmit(i);
        } else if (next_ < path_.segments && next_ < acked_ + path_.window_segments) {
            transmit(next_++);
        }
    }

    // The last segment always arrives the first time: without a timer, nobody would miss it.
    void transmit(uint32_t i) {
        sender_free_ = false;
        book(now_us_ + segment_us, {Kind::sender_free, 0, {}});
        if (i + 1 != path_.segments && chance(path_.loss)) {
            ++lost_;
            return;
        }
        book(delivery_us(last_data_us_) + segment_us, {Kind::data, i, {}});
    }

    void receive(uint32_t i) {
        if (arrived_[i]) ++duplicates_;
        arrived_[i] = true;
        lfn_nak_receiver_segment(&receiver_, seq_of(i), seq_of(i + 1), now_ms());
        while (arrived_[edge_]) ++edge_;
        lfn_nak_receiver_advance(&receiver_, seq_of(edge_), now_ms());
        acknowledge();
    }

    void on_timer() {
        if (now_us_ != timer_us_) return;  // an older setting
        timer_us_ = 0;
        acknowledge();
    }

    void acknowledge() {
        std::array<lfn_nak, 3> naks;
        const size_t n = lfn_nak_receiver_collect(&receiver_, mss, now_ms(), naks.data(), naks.size());
        lfn_nak_receiver_sent(&receiver_, naks.data(), n, mss, now_ms());
        if (!chance(path_.ack_loss)) {
            book(delivery_us(last_ack_us_),
                 {Kind::ack, edge_, {naks.begin(), naks.begin() + static_cast<ptrdiff_t>(n)}});
        }
        uint32_t delay_ms;
        if (!lfn_nak_receiver_next_ms(&receiver_, now_ms(), &delay_ms)) return;
        timer_us_ = now_us_ + 1000 * uint64_t{std::max(delay_ms, 1U)};
        book(timer_us_, {Kind::receiver_timer, 0, {}});
    }

    void hear(const Event& ack) {
        acked_ = std::max(acked_, ack.number);
        for (const lfn_nak& nak : ack.naks) {
            uint32_t from, to;
            if (lfn_nak_clip(&nak, seq_of(acked_), seq_of(next_), mss, &from, &to) != LFN_NAK_HONOUR) continue;
            for (uint32_t i = (from - first_seq) / mss; seq_of(i) != to; ++i) resend(i);
        }
        sender_turn();
    }

    void resend(uint32_t i) {
        Segment& s = sender_[i];
        if (s.queued || !lfn_nak_may_resend(s.resent, s.resent_ms, now_ms(), round_trip_ms)) return;
        s.queued = true;
        again_.push_back(i);
    }

    static uint32_t seq_of(uint32_t i) { return first_seq + i * mss; }

    Path path_;
    std::mt19937_64 random_;
    std::map<std::pair<uint64_t, uint64_t>, Event> events_;
    uint64_t booking_ = 0, now_us_ = 0, last_data_us_ = 0, last_ack_us_ = 0, timer_us_ = 0;

    std::vector<Segment> sender_;
    std::deque<uint32_t> again_;
    bool sender_free_ = true;
    uint32_t next_ = 0, acked_ = 0;

    lfn_nak_receiver receiver_;
    std::vector<bool> arrived_;
    uint32_t edge_ = 0;

    uint32_t duplicates_ = 0, lost_ = 0, resent_ = 0;
};

constexpr double ceiling = 1e6 * Exchange::mss / static_cast<double>(Exchange::segment_us);

TEST(NakExchange, a_clean_path_resends_nothing) {
    Exchange e({}, LFN_NAK_EVERY_GAP, true);
    EXPECT_TRUE(e.run());
    EXPECT_EQ(e.resent(), 0U);
}

TEST(NakExchange, every_loss_is_resent_exactly_once_at_bit_error_rate_1e_5) {
    Exchange e({.loss = 0.044}, LFN_NAK_EVERY_GAP, true);
    EXPECT_TRUE(e.run());
    EXPECT_GT(e.lost(), 800U);
    EXPECT_EQ(e.resent(), e.lost());
    EXPECT_EQ(e.duplicates(), 0U);
    EXPECT_GE(e.octets_per_second(), 0.9 * ceiling) << e.octets_per_second();
}

TEST(NakExchange, lost_acks_cost_little) {
    Exchange e({.loss = 0.044, .ack_loss = 0.01}, LFN_NAK_EVERY_GAP, true);
    EXPECT_TRUE(e.run());
    EXPECT_EQ(e.duplicates(), 0U);
    EXPECT_GE(e.octets_per_second(), 0.9 * ceiling) << e.octets_per_second();
}

TEST(NakExchange, a_swing_of_20_ms_wastes_nothing) {
    Exchange e({.loss = 0.01, .swing_us = 10000}, LFN_NAK_EVERY_GAP, true);
    EXPECT_TRUE(e.run());
    EXPECT_EQ(e.duplicates(), 0U);
    EXPECT_GE(e.octets_per_second(), 0.9 * ceiling) << e.octets_per_second();
}

TEST(NakExchange, every_fourth_segment_lost_still_gets_across) {
    Exchange e({.segments = 5000, .loss = 0.25, .ack_loss = 0.25}, LFN_NAK_EVERY_GAP, true);
    EXPECT_TRUE(e.run());
}

TEST(NakExchange, left_edge_alone_with_renak_gets_everything_across) {
    Exchange e({.segments = 2000, .loss = 0.01, .ack_loss = 0.01}, LFN_NAK_LEFT_EDGE, true);
    EXPECT_TRUE(e.run());
    EXPECT_EQ(e.duplicates(), 0U);
}

// Why renak: once its retransmission is lost as well, nobody asks for a segment again.
TEST(NakExchange, without_renak_a_loss_of_the_retransmission_is_left_to_the_timer) {
    Exchange e({.loss = 0.044}, LFN_NAK_EVERY_GAP, false);
    EXPECT_FALSE(e.run());
}

}  // namespace
