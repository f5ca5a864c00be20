// SPDX-License-Identifier: BSD-3-Clause
// A NAK receiver with the calls that a stack makes around it, in the order in which it makes them. Offsets count from a
// first sequence number just below 2^32, times from just below 2^32 ms.
#ifndef LFN_TESTS_UNIT_OPTIONS_RECEIVER_DRIVER_HPP
#define LFN_TESTS_UNIT_OPTIONS_RECEIVER_DRIVER_HPP

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <ostream>
#include <vector>

#include "lfn/nak_receiver.h"

namespace lfn::test {

struct Named {
    uint32_t offset;
    unsigned segments;
    friend bool operator==(const Named&, const Named&) = default;
    friend std::ostream& operator<<(std::ostream& out, const Named& n) { return out << n.offset << "x" << n.segments; }
};

class ReceiverDriver {
public:
    static constexpr uint32_t first_seq = 0xFFFFFFFF - 700;
    static constexpr uint32_t first_ms = 0xFFFFFFFF - 300;
    static constexpr uint16_t mss = 100;

    explicit ReceiverDriver(lfn_nak_mode mode = LFN_NAK_EVERY_GAP, bool renak = false) {
        lfn_nak_receiver_init(&r_, mode, renak, first_seq);
    }

    // [from, to) arrives; the left edge moves to `edge` if given.
    void arrive(uint32_t from, uint32_t to, std::optional<uint32_t> edge = {}) {
        lfn_nak_receiver short_way = r_;
        const bool expected =
            edge && lfn_nak_receiver_next(&short_way, first_seq + from, first_seq + to, first_seq + *edge);
        lfn_nak_receiver_segment(&r_, first_seq + from, first_seq + to, now());
        if (edge) advance(*edge);
        if (!expected || r_.mode == LFN_NAK_OFF) return;
        EXPECT_EQ(r_.count, 0);
        EXPECT_EQ(std::memcmp(&r_, &short_way, sizeof(r_)), 0);
        ++short_ways_;
    }
    // Arrivals that lfn_nak_receiver_next took, and changed what the two calls in its place changed.
    size_t short_ways() const { return short_ways_; }
    void advance(uint32_t edge) { lfn_nak_receiver_advance(&r_, first_seq + edge, now()); }

    // What an ACK would name; `ack` also sends it.
    std::vector<Named> would_name(size_t max = LFN_NAKS_PER_SEGMENT, uint16_t segment = mss) {
        n_ = lfn_nak_receiver_collect(&r_, segment, now(), naks_.data(), max);
        std::vector<Named> named;
        for (size_t i = 0; i < n_; ++i) named.push_back({naks_[i].seq - first_seq, naks_[i].segments});
        return named;
    }
    std::vector<Named> ack(size_t max = LFN_NAKS_PER_SEGMENT, uint16_t segment = mss) {
        const std::vector<Named> named = would_name(max, segment);
        lfn_nak_receiver_sent(&r_, naks_.data(), n_, segment, now());
        return named;
    }
    std::optional<uint32_t> next_ms() const {
        uint32_t delay = 0;
        if (!lfn_nak_receiver_next_ms(&r_, now(), &delay)) return {};
        return delay;
    }

    // A hole at `offset` opens, is named and answered after rtt_ms; leaves everything up to offset + 200 received.
    void learn(uint32_t offset, uint32_t rtt_ms) {
        arrive(offset + 100, offset + 200);
        ack();
        wait(rtt_ms);
        arrive(offset, offset + 100, offset + 200);
    }

    std::vector<std::pair<uint32_t, uint32_t>> holes() const {
        std::vector<std::pair<uint32_t, uint32_t>> all;
        for (size_t i = 0; i < r_.count; ++i)
            all.push_back({r_.holes[i].start - first_seq, r_.holes[i].end - first_seq});
        return all;
    }
    void wait(uint32_t ms) { elapsed_ms_ += ms; }
    uint32_t now() const { return first_ms + elapsed_ms_; }
    uint32_t elapsed_ms() const { return elapsed_ms_; }
    lfn_nak_receiver& state() { return r_; }

private:
    lfn_nak_receiver r_;
    size_t short_ways_ = 0;
    uint32_t elapsed_ms_ = 0;
    std::array<lfn_nak, 64> naks_{};
    size_t n_ = 0;
};

}  // namespace lfn::test

#endif
