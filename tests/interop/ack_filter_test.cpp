// SPDX-License-Identifier: BSD-3-Clause
// Which acknowledgements of a batch may be left out.
#include "ports/tap/ack_filter.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

namespace lfn {

namespace {

constexpr std::uint32_t ack_base = 0xfffffff0;  // the sum passes 2^32

struct Segment {
    std::uint32_t ack = ack_base;
    std::uint8_t flags = 0x10;
    std::uint16_t port = 5001;
    std::vector<std::uint8_t> options{};
    std::size_t payload = 0;
};

std::vector<std::uint8_t> frame_of(const Segment& segment) {
    const std::size_t header = 20 + segment.options.size();
    const std::size_t ip_length = 20 + header + segment.payload;
    std::vector<std::uint8_t> frame(14 + ip_length);
    frame[12] = 0x08;
    frame[14] = 0x45;
    frame[16] = static_cast<std::uint8_t>(ip_length >> 8);
    frame[17] = static_cast<std::uint8_t>(ip_length);
    frame[23] = 6;
    frame[34] = static_cast<std::uint8_t>(segment.port >> 8);
    frame[35] = static_cast<std::uint8_t>(segment.port);
    for (std::size_t i = 0; i < 4; ++i) frame[42 + i] = static_cast<std::uint8_t>(segment.ack >> (24 - 8 * i));
    frame[46] = static_cast<std::uint8_t>(header / 4 << 4);
    frame[47] = segment.flags;
    std::copy(segment.options.begin(), segment.options.end(), frame.begin() + 54);
    return frame;
}

bool left_out(const Segment& earlier, const Segment& later) {
    const auto first = frame_of(earlier), second = frame_of(later);
    const auto first_view = view_tcp(first), second_view = view_tcp(second);
    return first_view && second_view && supersedes(*second_view, *first_view);
}

TEST(AckFilter, a_later_acknowledgement_of_more_supersedes) {
    EXPECT_TRUE(left_out({}, {.ack = ack_base + 1}));
    EXPECT_TRUE(left_out({}, {.ack = ack_base + 100'000}));  // beyond 2^32
    EXPECT_TRUE(left_out({}, {.ack = ack_base + 1, .payload = 500}));
}

TEST(AckFilter, a_duplicate_is_a_signal_and_stays) {
    EXPECT_FALSE(left_out({}, {}));
}

TEST(AckFilter, an_acknowledgement_of_less_supersedes_nothing) {
    EXPECT_FALSE(left_out({}, {.ack = ack_base - 1}));
}

TEST(AckFilter, another_connection_supersedes_nothing) {
    EXPECT_FALSE(left_out({}, {.ack = ack_base + 1, .port = 5002}));
}

TEST(AckFilter, data_and_flags_stay) {
    EXPECT_FALSE(left_out({.payload = 1}, {.ack = ack_base + 1}));
    for (const int flag : {0x01, 0x02, 0x04, 0x08, 0x20, 0x40, 0x80}) {
        EXPECT_FALSE(left_out({.flags = static_cast<std::uint8_t>(0x10 | flag)}, {.ack = ack_base + 1})) << flag;
    }
}

TEST(AckFilter, options_that_say_something_else_stay) {
    const std::vector<std::uint8_t> nak = {65, 7, 1, 2, 3, 4, 5, 1}, other = {65, 7, 1, 2, 3, 4, 6, 1};
    EXPECT_FALSE(left_out({.options = nak}, {.ack = ack_base + 1}));
    EXPECT_FALSE(left_out({.options = nak}, {.ack = ack_base + 1, .options = other}));
    EXPECT_TRUE(left_out({.options = nak}, {.ack = ack_base + 1, .options = nak}));
}

TEST(AckFilter, what_acknowledges_nothing_supersedes_nothing) {
    EXPECT_FALSE(left_out({}, {.ack = ack_base + 1, .flags = 0x04}));
}

}  // namespace

}  // namespace lfn
