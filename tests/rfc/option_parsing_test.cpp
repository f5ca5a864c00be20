// SPDX-License-Identifier: BSD-3-Clause
// Options as they come from outside, malformed ones included: what a whole stack understands of them.
#include "rfc1106_test.hpp"

namespace lfn::test {
namespace {

using Offsets = std::vector<std::uint32_t>;

constexpr std::uint16_t kHeaderWindow = 0x1234;
constexpr std::uint32_t kOther = 0x00071234;  // the window that c_option(7) and the header say

class OptionParsing : public Rfc1106Test {
protected:
    void open() {
        settings.loss_policy = LFN_LOSS_NOISE;
        handshake_ms = 400;
        agree();
        fly(4);
        peer_says_c = false;
        peer.window = kHeaderWindow;
        acks_with({});
    }

    // An acknowledgement of nothing new, with these options and no others. What it shrinks or opens is seen at once, as
    // each has a later sequence number than the one before.
    void acks_with(const Octets& options, std::size_t split = 0) {
        wire.inject(peer.segment(flag::ack, options, Octets(1, 0)), split);
        ++peer.seq;
    }

    void expect_window(std::uint32_t window) { EXPECT_EQ(info().snd_wnd, window); }
    // Nothing of ours was read: no window, no NAK.
    void expect_nothing(const Octets& options) {
        const auto before = info();
        acks_with(options);
        EXPECT_EQ(info().snd_wnd, before.snd_wnd);
        EXPECT_EQ(info().naks_received, before.naks_received);
        EXPECT_TRUE(take_offsets().empty());
    }
    Octets a_of(std::uint32_t segment) const { return a_option(first_data + segment * kFull, 1); }
};

TEST_F(OptionParsing, c_and_a_in_one_segment_are_both_read) {
    open();
    acks_with(join({c_option(7), a_of(1)}));
    expect_window(kOther);
    EXPECT_EQ(take_offsets(), Offsets{kFull});
}

TEST_F(OptionParsing, a_kind_as_the_last_octet_is_no_option) {
    open();
    for (const std::uint8_t last : {kind::a, kind::b, kind::c, kind::exid}) {
        expect_nothing({kind::nop, kind::nop, kind::nop, last});
    }
}

TEST_F(OptionParsing, a_kind_as_the_last_octet_leaves_what_came_before) {
    open();
    acks_with(join({c_option(7), {kind::nop, kind::nop, kind::nop, kind::a}}));
    expect_window(kOther);
}

TEST_F(OptionParsing, length_0_and_1_end_the_reading) {
    open();
    for (const std::uint8_t length : {std::uint8_t{0}, std::uint8_t{1}}) {
        expect_nothing(join({{kind::a, length, kind::nop, kind::nop}, c_option(7)}));
        expect_nothing(join({{kind::c, length, 0, 7}, a_of(0)}));
        expect_nothing(join({{99, length, kind::nop, kind::nop}, c_option(7)}));
    }
    acks_with(join({c_option(7), {kind::a, 0, 0, 0}}));
    expect_window(kOther);
}

TEST_F(OptionParsing, length_beyond_the_header_ends_the_reading) {
    open();
    expect_nothing({kind::c, 5, 0, 7});
    expect_nothing({kind::nop, kind::c, 4, 7});
    expect_nothing({kind::c, 255, 0, 7});
    expect_nothing(join({{99, 9, 0, 0}, c_option(7)}));
    Octets a = a_of(0);
    a.erase(a.begin());  // without the padding its last octet would be the first of the data
    a.pop_back();
    a.insert(a.begin(), {kind::nop, kind::nop});
    expect_nothing(a);
}

TEST_F(OptionParsing, what_follows_the_end_of_the_list_is_not_read) {
    open();
    expect_nothing(join({{kind::end, 0, 0, 0}, c_option(7), a_of(0)}));
}

TEST_F(OptionParsing, options_across_two_pbufs_are_read_at_every_split) {
    open();
    const Octets options = join({c_option(7), a_of(1), {99, 4, 0, 0}, c_option(9)});
    for (std::size_t split = 20; split <= 20 + options.size(); ++split) {
        const auto before = info();
        acks_with(c_option(1));
        acks_with(options, split);
        expect_window(kOther);
        EXPECT_EQ(info().naks_received, before.naks_received + 1) << split;
        EXPECT_EQ(take_offsets(), Offsets{kFull}) << split;
        run_ms(300);  // it may go out again after three quarters of a round trip
        wire.sent.clear();
    }
}

TEST_F(OptionParsing, malformed_options_across_two_pbufs_are_refused_at_every_split) {
    open();
    const Octets options{kind::nop, kind::nop, kind::a, 7, 0, 0, 0, kind::c};
    for (std::size_t split = 20; split <= 20 + options.size(); ++split) {
        const auto before = info();
        acks_with(options, split);
        EXPECT_EQ(info().naks_received, before.naks_received) << split;
        EXPECT_EQ(info().snd_wnd, before.snd_wnd) << split;
    }
    wire.sent.clear();
}

TEST_F(OptionParsing, b_across_two_pbufs_is_read_at_every_split) {
    listen();
    ASSERT_EQ(lfn_tcp_set(reinterpret_cast<tcp_pcb*>(listener), &settings), ERR_OK);
    const Octets options = join({common_syn(), b_option(kBig)});
    for (std::size_t split = 20; split <= 20 + options.size(); ++split) {
        ++peer.port;
        wire.inject(peer.segment(flag::syn, options), split);
        EXPECT_TRUE(wire.take().option(kind::b)) << split;
    }
}

TEST_F(OptionParsing, a_of_a_wrong_length_is_skipped) {
    open();
    const std::uint32_t seq = first_data;
    Octets a = a_option(seq, 1);
    a[2] = 6;
    a.pop_back();
    a.insert(a.begin(), kind::nop);
    expect_nothing(a);
    a = a_option(seq, 1);
    a[2] = 8;
    a.push_back(1);
    acks_with(join({a, {kind::nop, kind::nop, kind::nop}, c_option(7)}));
    EXPECT_EQ(info().naks_received, 0U);
    expect_window(kOther);
}

TEST_F(OptionParsing, c_of_a_wrong_length_is_skipped) {
    open();
    expect_nothing({kind::c, 3, 7, kind::nop});
    acks_with(join({{kind::c, 5, 0, 9, 9, kind::nop, kind::nop, kind::nop}, a_of(1)}));
    EXPECT_EQ(take_offsets(), Offsets{kFull});
    acks_with(join({{kind::c, 6, 0, 9, 9, 9, kind::nop, kind::nop}, c_option(7)}));
    expect_window(kOther);
}

TEST_F(OptionParsing, b_of_a_wrong_length_is_skipped) {
    EXPECT_FALSE(answer_syn({kind::nop, kind::nop, kind::nop, kind::b, 5, 0, 4, 0}).option(kind::b));
    ++peer.port;
    peer.seq = peer.iss;
    EXPECT_FALSE(send_syn({kind::nop, kind::b, 7, 0, 4, 0, 0, 0}).option(kind::b));
    ++peer.port;
    peer.seq = peer.iss;
    EXPECT_TRUE(
        send_syn({kind::nop, kind::b, 7, 0, 4, 0, 0, 0, kind::nop, kind::nop, kind::b, 6, 0, 4, 0, 0}).option(kind::b))
        << "a right one behind it counts";
}

TEST_F(OptionParsing, of_repeated_cs_the_first_counts) {
    open();
    acks_with(join({c_option(7), c_option(9)}));
    expect_window(kOther);
}

TEST_F(OptionParsing, of_repeated_bs_the_first_counts) {
    connect_with(join({b_option(100'000), b_option(200'000)}));
    expect_window(100'000);
    wire.sent.clear();
}

TEST_F(OptionParsing, repeated_as_are_all_honoured) {
    open();
    acks_with(join({a_of(3), a_of(1), a_of(3), c_option(7)}));
    EXPECT_EQ(take_offsets(), (Offsets{kFull, 3 * kFull}));
    EXPECT_EQ(info().naks_received, 3U);
    EXPECT_EQ(info().naks_honoured, 2U);
    expect_window(kOther);
}

TEST_F(OptionParsing, b_outside_a_syn_is_ignored) {
    open();
    expect_nothing(b_option(99));
    EXPECT_EQ(info().window_rule, LFN_WINDOW_BC);
}

TEST_F(OptionParsing, b_in_the_acknowledgement_of_a_handshake_agrees_on_nothing) {
    answer_syn({});
    says(flag::ack, join({b_option(kBig), c_option(7)}));
    EXPECT_EQ(info().window_rule, LFN_WINDOW_16BIT);
    expect_window(0xffff);
}

TEST_F(OptionParsing, c_and_a_in_a_syn_are_ignored) {
    peer.window = 1000;
    connect_with(join({b_option(kBig), c_option(7), a_option(first_data, 1)}));
    expect_window(kBig);
    EXPECT_EQ(info().naks_received, 0U);
    wire.sent.clear();
}

TEST_F(OptionParsing, c_without_b_is_ignored) {
    answer_syn({});
    says(flag::ack, c_option(7));
    acks_with({});
    peer.window = kHeaderWindow;
    acks_with(c_option(7));
    expect_window(kHeaderWindow);
    EXPECT_EQ(info().window_rule, LFN_WINDOW_16BIT);
}

TEST_F(OptionParsing, c_missing_after_b_acknowledges_and_announces_nothing) {
    open();
    peer.ack += kFull;
    acks_with({});
    EXPECT_EQ(info().in_flight, 3U * kFull);
    expect_window(kBig - kFull);
    peer.window = 0;
    acks_with({});
    expect_window(kBig - kFull);
    peer.window = kHeaderWindow;
    acks_with(c_option(7));
    expect_window(kOther);
}

TEST_F(OptionParsing, c_over_2_to_the_30_is_clamped) {
    open();
    for (const int over : {0x4000, 0x4001, 0x8000, 0xffff}) {
        acks_with(c_option(0));
        expect_window(kHeaderWindow);
        acks_with(c_option(static_cast<std::uint16_t>(over)));
        expect_window(LFN_WINDOW_MAX);
    }
    acks_with(c_option(0x3fff));
    expect_window(0x3fff0000U + kHeaderWindow);
}

TEST_F(OptionParsing, b_over_2_to_the_30_is_clamped) {
    connect_with(b_option(0xffffffff));
    expect_window(LFN_WINDOW_MAX);
    wire.sent.clear();
}

TEST_F(OptionParsing, exid_form_does_not_know_the_kinds_of_the_other) {
    settings.wire = LFN_WIRE_EXID;
    EXPECT_FALSE(answer_syn(b_option(kBig)).option(kind::exid));
    says(flag::ack, c_option(7));
    EXPECT_EQ(info().window_rule, LFN_WINDOW_16BIT);
}

TEST_F(OptionParsing, exid_form_skips_other_experiments_and_too_short_options) {
    settings.wire = LFN_WIRE_EXID;
    answer_syn({kind::exid, 8, 0x11, 0x06, 0, 4, 0, 0});
    peer.window = kHeaderWindow;
    says(flag::ack, {kind::exid, 6, 0x11, 0x06, 0, 7, kind::nop, kind::nop});
    expect_window(kOther);
    expect_nothing({kind::exid, 6, 0x11, 0x07, 0, 9, kind::nop, kind::nop});
    expect_nothing({kind::exid, 3, 0x11, kind::nop});
    expect_nothing({kind::exid, 2, kind::nop, kind::nop});
    acks_with({kind::exid, 4, 0x22, 0x22, kind::exid, 6, 0x11, 0x06, 0, 9, kind::nop, kind::nop});
    expect_window(0x00091234);
}

TEST_F(OptionParsing, forty_octets_of_anything_do_no_harm) {
    open();
    std::uint32_t state = 1;
    for (int round = 0; round < 2000; ++round) {
        Octets options(40);
        for (auto& octet : options) {
            state = state * 1664525 + 1013904223;
            const auto drawn = static_cast<std::uint8_t>(state >> 24);
            octet = drawn < 64 ? static_cast<std::uint8_t>(kind::a + drawn % 3) : drawn % 16;
        }
        acks_with(options);
        ASSERT_LE(info().snd_wnd, LFN_WINDOW_MAX);
        ASSERT_EQ(info().in_flight, 4U * kFull);
    }
    wire.sent.clear();
}

}  // namespace
}  // namespace lfn::test
