// SPDX-License-Identifier: BSD-3-Clause
#include "lfn/seq.hpp"

#include <gtest/gtest.h>

#include <concepts>

#include "lfn/seq.h"

namespace {

using lfn::Seq;

constexpr std::uint32_t top = 0xFFFFFFFE;

// A template, as a requires-expression outside one is an error instead of false.
template <typename T>
concept has_less = requires(T a, T b) {
    a < b;
};
template <typename T>
concept has_any_order = has_less<T> || requires(T a, T b) {
    a > b;
} || requires(T a, T b) {
    a <= b;
} || requires(T a, T b) {
    a >= b;
} || std::totally_ordered<T>;

static_assert(has_less<int>);
static_assert(!has_less<Seq>);
static_assert(!has_any_order<Seq>);
static_assert(std::equality_comparable<Seq>);
static_assert(!std::convertible_to<std::uint32_t, Seq> && !std::convertible_to<Seq, std::uint32_t>);

TEST(Seq, order_survives_the_wrap) {
    EXPECT_TRUE(lfn_seq_lt(top, 1));
    EXPECT_FALSE(lfn_seq_lt(1, top));
    EXPECT_TRUE(lfn_seq_leq(top, 1));
    EXPECT_TRUE(lfn_seq_leq(top, top));
    EXPECT_FALSE(lfn_seq_leq(1, top));
    EXPECT_TRUE(lfn_seq_gt(1, top));
    EXPECT_FALSE(lfn_seq_gt(top, top));
    EXPECT_TRUE(lfn_seq_geq(1, top));
    EXPECT_TRUE(lfn_seq_geq(1, 1));
    EXPECT_FALSE(lfn_seq_geq(top, 1));
}

TEST(Seq, order_reaches_just_short_of_half_the_circle) {
    EXPECT_TRUE(lfn_seq_lt(top, top + 0x7FFFFFFF));
    EXPECT_FALSE(lfn_seq_lt(top, top + 0x80000000));
    EXPECT_FALSE(lfn_seq_lt(top + 0x80000000, top));
    EXPECT_FALSE(lfn_seq_lt(top, top + 0x80000001));
}

TEST(Seq, between_is_half_open_and_wraps) {
    EXPECT_TRUE(lfn_seq_between(top, top, 3));
    EXPECT_TRUE(lfn_seq_between(top, 2, 3));
    EXPECT_FALSE(lfn_seq_between(top, 3, 3));
    EXPECT_FALSE(lfn_seq_between(top, top - 1, 3));
    EXPECT_FALSE(lfn_seq_between(top, top, top));
}

TEST(Seq, type_agrees_with_the_c_functions) {
    for (std::uint32_t a : {0U, 1U, 0x7FFFFFFFU, 0x80000000U, top, 0xFFFFFFFFU}) {
        for (std::uint32_t b : {0U, 1U, 0x7FFFFFFFU, 0x80000000U, top, 0xFFFFFFFFU}) {
            EXPECT_EQ(Seq(a).before(Seq(b)), lfn_seq_lt(a, b)) << a << " " << b;
            EXPECT_EQ(Seq(a).after(Seq(b)), lfn_seq_gt(a, b)) << a << " " << b;
            EXPECT_EQ(Seq(a) == Seq(b), a == b);
        }
    }
}

TEST(Seq, arithmetic_wraps) {
    EXPECT_EQ((Seq(top) + 5).value(), 3U);
    EXPECT_EQ((Seq(3) - 5).value(), top);
    EXPECT_EQ(Seq(3).offset_from(Seq(top)), 5U);
    EXPECT_EQ(lfn::earlier_of(Seq(3), Seq(top)), Seq(top));
    EXPECT_EQ(lfn::later_of(Seq(3), Seq(top)), Seq(3));
}

}  // namespace
