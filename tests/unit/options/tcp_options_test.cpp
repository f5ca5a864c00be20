// SPDX-License-Identifier: BSD-3-Clause
#include "lfn/tcp_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "lfn/big_window.h"
#include "property.hpp"

namespace {

using Octets = std::vector<uint8_t>;
using testing::ElementsAre;

lfn_wire_form form_of(lfn_wire wire) {
    lfn_wire_form form;
    lfn_wire_form_init(&form, wire);
    return form;
}

const lfn_wire_form rfc1106 = form_of(LFN_WIRE_RFC1106);
const lfn_wire_form exid = form_of(LFN_WIRE_EXID);
constexpr bool syn = true;
constexpr bool data = false;

// The area is copied to the heap at its exact size, so that the sanitizer sees a read past it.
lfn_options parse(const lfn_wire_form& form, Octets area, bool is_syn) {
    area.shrink_to_fit();
    lfn_options out;
    EXPECT_TRUE(lfn_options_parse(&form, area.data(), area.size(), is_syn, &out));
    return out;
}

Octets joined(std::initializer_list<Octets> parts) {
    Octets all;
    for (const Octets& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

const Octets a_1106{65, 7, 0xFF, 0xFF, 0xFF, 0xFE, 3};
const Octets b_1106{66, 6, 0x00, 0x08, 0x00, 0x01};
const Octets c_1106{67, 4, 0x12, 0x34};
const Octets a_exid{253, 9, 0x11, 0x06, 0xFF, 0xFF, 0xFF, 0xFE, 3};
const Octets b_exid{253, 8, 0x11, 0x06, 0x00, 0x08, 0x00, 0x01};
const Octets c_exid{253, 6, 0x11, 0x06, 0x12, 0x34};
const Octets permitted_exid{253, 4, 0x11, 0x06};

bool empty(const lfn_options& o) {
    return !o.has_b && !o.has_c && !o.nak_permitted && o.nak_count == 0;
}

TEST(TcpOptions, defaults_are_the_documented_kinds) {
    for (const lfn_wire_form& form : {rfc1106, exid}) {
        EXPECT_EQ(form.kind_a, 65);
        EXPECT_EQ(form.kind_b, 66);
        EXPECT_EQ(form.kind_c, 67);
        EXPECT_EQ(form.exid, 0x1106);
    }
    EXPECT_EQ(rfc1106.wire, LFN_WIRE_RFC1106);
    EXPECT_EQ(exid.wire, LFN_WIRE_EXID);
}

TEST(TcpOptions, all_of_a_data_segment_are_read_in_both_forms) {
    for (bool old : {true, false}) {
        const lfn_options o =
            parse(old ? rfc1106 : exid, old ? joined({c_1106, a_1106}) : joined({c_exid, a_exid}), data);
        EXPECT_TRUE(o.has_c);
        EXPECT_EQ(o.c_high, 0x1234);
        ASSERT_EQ(o.nak_count, 1);
        EXPECT_EQ(o.naks[0].seq, 0xFFFFFFFE);
        EXPECT_EQ(o.naks[0].segments, 3);
        EXPECT_FALSE(o.has_b);
        EXPECT_EQ(o.b_window, 0U);
    }
}

TEST(TcpOptions, all_of_a_syn_are_read_in_both_forms) {
    const lfn_options o = parse(rfc1106, b_1106, syn);
    EXPECT_TRUE(o.has_b);
    EXPECT_EQ(o.b_window, 0x80001U);
    EXPECT_FALSE(o.nak_permitted);
    const lfn_options e = parse(exid, joined({permitted_exid, b_exid}), syn);
    EXPECT_TRUE(e.has_b);
    EXPECT_EQ(e.b_window, 0x80001U);
    EXPECT_TRUE(e.nak_permitted);
}

TEST(TcpOptions, an_option_in_the_wrong_kind_of_segment_is_ignored) {
    EXPECT_TRUE(empty(parse(rfc1106, joined({a_1106, c_1106}), syn)));
    EXPECT_TRUE(empty(parse(rfc1106, b_1106, data)));
    EXPECT_TRUE(empty(parse(exid, joined({a_exid, c_exid}), syn)));
    EXPECT_TRUE(empty(parse(exid, joined({b_exid, permitted_exid}), data)));
}

TEST(TcpOptions, one_form_is_unknown_to_the_other) {
    EXPECT_TRUE(empty(parse(exid, joined({a_1106, c_1106}), data)));
    EXPECT_TRUE(empty(parse(exid, b_1106, syn)));
    EXPECT_TRUE(empty(parse(rfc1106, joined({a_exid, c_exid}), data)));
    EXPECT_TRUE(empty(parse(rfc1106, joined({b_exid, permitted_exid}), syn)));
}

TEST(TcpOptions, another_exid_is_not_ours) {
    Octets other = c_exid;
    other[3] = 0x07;
    EXPECT_TRUE(empty(parse(exid, other, data)));
    lfn_wire_form configured = exid;
    configured.exid = 0x1107;
    EXPECT_TRUE(parse(configured, other, data).has_c);
}

TEST(TcpOptions, configured_kinds_replace_the_defaults) {
    lfn_wire_form form = rfc1106;
    form.kind_a = 200;
    form.kind_b = 201;
    form.kind_c = 202;
    EXPECT_TRUE(empty(parse(form, joined({a_1106, c_1106}), data)));
    EXPECT_TRUE(parse(form, {202, 4, 0, 1}, data).has_c);
    EXPECT_EQ(parse(form, {200, 7, 0, 0, 0, 1, 1}, data).nak_count, 1);
    EXPECT_TRUE(parse(form, {201, 6, 0, 1, 0, 0}, syn).has_b);
}

TEST(TcpOptions, every_wrong_length_is_skipped_as_unknown) {
    for (const Octets& right : {a_1106, b_1106, c_1106}) {
        for (uint8_t length = 2; length <= 36; ++length) {
            if (length == right[1]) continue;
            Octets wrong(length, 0);
            wrong[0] = right[0];
            wrong[1] = length;
            const bool is_syn = right[0] == 66;
            EXPECT_TRUE(empty(parse(rfc1106, wrong, is_syn))) << int{right[0]} << " length " << int{length};
            if (length <= 34) {
                const lfn_options o = parse(rfc1106, joined({wrong, is_syn ? b_1106 : c_1106}), is_syn);
                EXPECT_TRUE(is_syn ? o.has_b : o.has_c);
            }
        }
    }
}

TEST(TcpOptions, lengths_tell_the_options_of_one_exid_apart) {
    for (uint8_t length = 2; length <= 40; ++length) {
        Octets area(length, 0);
        area[0] = 253;
        area[1] = length;
        if (length >= 4) area[2] = 0x11, area[3] = 0x06;
        const lfn_options d = parse(exid, area, data);
        const lfn_options s = parse(exid, area, syn);
        EXPECT_EQ(d.nak_count, length == 9 ? 1 : 0) << int{length};
        EXPECT_EQ(d.has_c, length == 6) << int{length};
        EXPECT_EQ(s.has_b, length == 8) << int{length};
        EXPECT_EQ(s.nak_permitted, length == 4) << int{length};
    }
}

TEST(TcpOptions, nop_is_skipped_and_end_of_list_ends) {
    EXPECT_TRUE(parse(rfc1106, joined({{1, 1, 1}, c_1106, {1}}), data).has_c);
    EXPECT_TRUE(empty(parse(rfc1106, joined({{1, 0}, c_1106}), data)));
    EXPECT_TRUE(parse(rfc1106, joined({c_1106, {0}, a_1106}), data).has_c);
    EXPECT_EQ(parse(rfc1106, joined({c_1106, {0}, a_1106}), data).nak_count, 0);
}

TEST(TcpOptions, unknown_options_are_stepped_over) {
    const Octets timestamps{8, 10, 65, 7, 66, 6, 67, 4, 1, 1};
    EXPECT_TRUE(parse(rfc1106, joined({timestamps, c_1106}), data).has_c);
    EXPECT_EQ(parse(rfc1106, joined({timestamps, c_1106}), data).nak_count, 0);
}

TEST(TcpOptions, what_came_before_damage_stays) {
    for (const Octets& damage : {Octets{65}, Octets{9, 0}, Octets{9, 1}, Octets{65, 7, 0, 0}, Octets{99, 255}}) {
        EXPECT_TRUE(parse(rfc1106, joined({c_1106, damage}), data).has_c);
        EXPECT_EQ(parse(rfc1106, joined({c_1106, damage}), data).nak_count, 0);
        if (damage.size() == 2) {
            EXPECT_TRUE(empty(parse(rfc1106, joined({damage, c_1106}), data))) << int{damage[0]} << int{damage[1]};
        }
    }
}

TEST(TcpOptions, every_truncation_is_harmless) {
    for (const Octets& whole : {a_1106, c_1106, a_exid, c_exid}) {
        for (size_t n = 0; n < whole.size(); ++n) {
            const Octets part(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(n));
            EXPECT_TRUE(empty(parse(rfc1106, part, data)));
            EXPECT_TRUE(empty(parse(exid, part, data)));
        }
    }
}

TEST(TcpOptions, repeated_naks_are_kept_up_to_five) {
    Octets area;
    for (uint8_t i = 1; i <= 5; ++i) area.insert(area.end(), {65, 7, 0, 0, 0, i, i});
    lfn_options o = parse(rfc1106, area, data);
    ASSERT_EQ(o.nak_count, 5);
    for (uint8_t i = 0; i < 5; ++i) {
        EXPECT_EQ(o.naks[i].seq, i + 1U);
        EXPECT_EQ(o.naks[i].segments, i + 1U);
    }
    // No area holds a sixth A of 7 octets; that the limit holds at 5 shows with the last octets in use.
    area.insert(area.end(), {67, 4, 0, 9});
    EXPECT_EQ(parse(rfc1106, area, data).c_high, 9);
}

TEST(TcpOptions, of_repeated_b_and_c_the_first_counts) {
    EXPECT_EQ(parse(rfc1106, joined({c_1106, {67, 4, 9, 9}}), data).c_high, 0x1234);
    EXPECT_EQ(parse(rfc1106, joined({b_1106, {66, 6, 0, 9, 9, 9}}), syn).b_window, 0x80001U);
}

TEST(TcpOptions, nak_with_count_0_is_kept_by_the_codec) {
    const lfn_options o = parse(rfc1106, {65, 7, 1, 2, 3, 4, 0}, data);
    ASSERT_EQ(o.nak_count, 1);
    EXPECT_EQ(o.naks[0].segments, 0);
}

TEST(TcpOptions, b_is_clamped_to_2_to_the_30) {
    EXPECT_EQ(parse(rfc1106, {66, 6, 0x40, 0, 0, 0}, syn).b_window, LFN_WINDOW_MAX);
    EXPECT_EQ(parse(rfc1106, {66, 6, 0x40, 0, 0, 1}, syn).b_window, LFN_WINDOW_MAX);
    EXPECT_EQ(parse(rfc1106, {66, 6, 0xFF, 0xFF, 0xFF, 0xFF}, syn).b_window, LFN_WINDOW_MAX);
    EXPECT_EQ(parse(rfc1106, {66, 6, 0x3F, 0xFF, 0xFF, 0xFF}, syn).b_window, LFN_WINDOW_MAX - 1);
}

TEST(TcpOptions, a_length_over_40_is_refused_and_nothing_touched) {
    const std::array<uint8_t, 41> area{};
    lfn_options out{};
    out.has_b = true;
    out.b_window = 77;
    EXPECT_FALSE(lfn_options_parse(&rfc1106, area.data(), area.size(), false, &out));
    EXPECT_TRUE(out.has_b);
    EXPECT_EQ(out.b_window, 77U);
    EXPECT_TRUE(lfn_options_parse(&rfc1106, area.data(), 40, false, &out));
    EXPECT_TRUE(empty(out));
    EXPECT_TRUE(lfn_options_parse(&rfc1106, nullptr, 0, false, &out));
}

// Every octet that differs from C alone, and every other length, is left to the whole walk.
TEST(TcpOptions, c_alone_is_known_at_a_glance_and_nothing_else_is) {
    for (const lfn_wire_form& form : {rfc1106, exid}) {
        Octets area(lfn_option_c_length(&form));
        lfn_option_c_write(&form, area.data(), 0x1234);
        lfn_options out = {};
        ASSERT_TRUE(lfn_options_only_c(&form, area.data(), area.size(), &out));
        EXPECT_TRUE(out.has_c);
        EXPECT_EQ(out.c_high, 0x1234);
        EXPECT_EQ(out.nak_count, 0);
        for (size_t at = 0; at + 2 < area.size(); ++at) {
            Octets other = area;
            other[at] ^= 0x80;
            EXPECT_FALSE(lfn_options_only_c(&form, other.data(), other.size(), &out));
        }
        const Octets longer = joined({area, area});
        for (size_t length = 0; length <= longer.size(); ++length) {
            EXPECT_EQ(lfn_options_only_c(&form, longer.data(), length, &out), length == area.size());
        }
    }
}

TEST(TcpOptions, written_octets_are_exactly_these) {
    std::array<uint8_t, 16> room{};
    const lfn_nak nak{0xFFFFFFFE, 255};
    const auto text = [&](const uint8_t* end) { return Octets(static_cast<const uint8_t*>(room.data()), end); };
    EXPECT_THAT(text(lfn_option_b_write(&rfc1106, room.data(), 0x80001)), ElementsAre(1, 1, 66, 6, 0, 8, 0, 1));
    EXPECT_THAT(text(lfn_option_c_write(&rfc1106, room.data(), 0x1234)), ElementsAre(67, 4, 0x12, 0x34));
    EXPECT_THAT(text(lfn_option_nak_write(&rfc1106, room.data(), &nak)),
                ElementsAre(1, 65, 7, 0xFF, 0xFF, 0xFF, 0xFE, 255));
    EXPECT_TRUE(text(lfn_option_nak_permitted_write(&rfc1106, room.data())).empty());
    EXPECT_THAT(text(lfn_option_b_write(&exid, room.data(), 0x80001)), ElementsAre(253, 8, 0x11, 6, 0, 8, 0, 1));
    EXPECT_THAT(text(lfn_option_c_write(&exid, room.data(), 0x1234)), ElementsAre(1, 1, 253, 6, 0x11, 6, 0x12, 0x34));
    EXPECT_THAT(text(lfn_option_nak_write(&exid, room.data(), &nak)),
                ElementsAre(1, 1, 1, 253, 9, 0x11, 6, 0xFF, 0xFF, 0xFF, 0xFE, 255));
    EXPECT_THAT(text(lfn_option_nak_permitted_write(&exid, room.data())), ElementsAre(253, 4, 0x11, 6));
    EXPECT_THAT(text(lfn_option_b_write(&exid, room.data(), 0xFFFFFFFF)), ElementsAre(253, 8, 0x11, 6, 0x40, 0, 0, 0));
    EXPECT_THAT(text(lfn_option_nop_fill(room.data(), 3)), ElementsAre(1, 1, 1));
    EXPECT_TRUE(text(lfn_option_nop_fill(room.data(), 0)).empty());
}

TEST(TcpOptions, lengths_are_the_documented_ones) {
    EXPECT_EQ(lfn_option_b_length(&rfc1106), 8U);
    EXPECT_EQ(lfn_option_c_length(&rfc1106), 4U);
    EXPECT_EQ(lfn_option_nak_length(&rfc1106), 8U);
    EXPECT_EQ(lfn_option_nak_permitted_length(&rfc1106), 0U);
    EXPECT_EQ(lfn_option_b_length(&exid), 8U);
    EXPECT_EQ(lfn_option_c_length(&exid), 8U);
    EXPECT_EQ(lfn_option_nak_length(&exid), 12U);
    EXPECT_EQ(lfn_option_nak_permitted_length(&exid), 4U);
}

TEST(TcpOptions, as_many_naks_fit_as_their_own_length_says) {
    for (const lfn_wire_form& form : {rfc1106, exid}) {
        for (size_t room = 0; room <= 40; ++room) {
            const size_t fit = lfn_option_naks_fit(&form, room);
            ASSERT_LE(fit, size_t{LFN_NAKS_PER_SEGMENT});
            EXPECT_LE(lfn_option_naks_length(&form, fit), room);
            EXPECT_TRUE(fit == LFN_NAKS_PER_SEGMENT || lfn_option_naks_length(&form, fit + 1) > room) << room;
        }
    }
    EXPECT_EQ(lfn_option_naks_fit(&rfc1106, 40 - 4 - 12), 3U);
    EXPECT_EQ(lfn_option_naks_fit(&rfc1106, 40 - 4), 5U);
    EXPECT_EQ(lfn_option_naks_fit(&exid, 40 - 8 - 12), 2U);
}

RC_GTEST_PROP(TcpOptionsProperty, a_data_segment_reads_back_as_written, (bool old, uint16_t high, uint32_t seq)) {
    const lfn_wire_form& form = old ? rfc1106 : exid;
    const size_t count = *rc::gen::inRange<size_t>(0, lfn_option_naks_fit(&form, 40 - lfn_option_c_length(&form)) + 1);
    std::array<lfn_nak, LFN_NAKS_PER_SEGMENT> naks{};
    for (lfn_nak& nak : naks) nak = {seq += *rc::gen::arbitrary<uint32_t>(), *rc::gen::arbitrary<uint8_t>()};
    std::array<uint8_t, 40> area{};
    uint8_t* const c_end = lfn_option_c_write(&form, area.data(), high);
    RC_ASSERT(c_end == area.data() + lfn_option_c_length(&form));
    uint8_t* const end = lfn_option_naks_write(&form, c_end, naks.data(), count);
    RC_ASSERT(end == c_end + lfn_option_naks_length(&form, count));
    const lfn_options o = parse(form, Octets(area.data(), end), data);
    RC_ASSERT(o.has_c && o.c_high == high && o.nak_count == count);
    for (size_t i = 0; i < count; ++i) {
        RC_ASSERT(o.naks[i].seq == naks[i].seq);
        RC_ASSERT(o.naks[i].segments == naks[i].segments);
    }
}

RC_GTEST_PROP(TcpOptionsProperty, a_syn_reads_back_as_written, (bool old, uint32_t window)) {
    const lfn_wire_form& form = old ? rfc1106 : exid;
    std::array<uint8_t, 40> area{};
    uint8_t* const p_end = lfn_option_nak_permitted_write(&form, area.data());
    RC_ASSERT(p_end == area.data() + lfn_option_nak_permitted_length(&form));
    uint8_t* const end = lfn_option_b_write(&form, p_end, window);
    RC_ASSERT(end == p_end + lfn_option_b_length(&form));
    const lfn_options o = parse(form, Octets(area.data(), end), syn);
    RC_ASSERT(o.has_b && o.b_window == std::min<uint32_t>(window, LFN_WINDOW_MAX));
    RC_ASSERT(o.nak_permitted == !old);
}

}  // namespace
