// SPDX-License-Identifier: BSD-3-Clause
// Boxes in the path that know nothing of our options: the stack falls back, transfers whole, and closes clean.
#include <ostream>

#include "lfn/big_window.h"
#include "tests/interop/path_fixture.hpp"
#include "tests/interop/segment_view.hpp"

namespace lfn::interop {

namespace {

using testing::ElementsAre;

constexpr std::uint64_t octets = 600'000;
constexpr Duration one_way = milliseconds(5);
constexpr std::uint64_t rate_bps = 20'000'000;
constexpr double bit_error_rate = 5e-7;  // a loss in 160 full segments

// What a box does to a segment; false: it is lost.
using Box = bool (*)(SegmentView& segment);

bool none(SegmentView&) {
    return true;
}
bool strip(SegmentView& segment) {
    strip_unknown_options(segment);
    return true;
}
bool drop_syn_with_unknown(SegmentView& segment) {
    bool unknown = false;
    segment.for_options([&](std::uint8_t kind, std::span<std::uint8_t>) { unknown = unknown || !is_well_known(kind); });
    return (segment.flags() & tcp_syn) == 0 || !unknown;
}
bool rewrite_window_and_mss(SegmentView& segment) {
    segment.set_window(std::min<std::uint16_t>(segment.window(), 6000));
    segment.for_options([](std::uint8_t kind, std::span<std::uint8_t> option) {
        if (kind == 2 && option.size() == 4) put_u16(option, 2, 536);
    });
    segment.seal();
    return true;
}

enum class Rule : std::uint8_t { big_window, rfc7323 };

struct Case {
    const char* name;
    Box from_left, from_right;
    Rule rule;  // that the two stacks agree upon
};
void PrintTo(const Case& c, std::ostream* out) {
    *out << c.name;
}

const Case cases[] = {
    {"no_box", none, none, Rule::big_window},
    {"strips_both_ways", strip, strip, Rule::rfc7323},
    {"strips_from_the_active_end", strip, none, Rule::rfc7323},
    {"strips_from_the_passive_end", none, strip, Rule::rfc7323},
    {"drops_syns_with_options_both_ways", drop_syn_with_unknown, drop_syn_with_unknown, Rule::rfc7323},
    {"rewrites_window_and_mss", rewrite_window_and_mss, rewrite_window_and_mss, Rule::big_window},
};

class Middlebox : public PathTest, public testing::WithParamInterface<Case> {
protected:
    void open(Left left) {
        open_path(left, one_way, rate_bps, bit_error_rate);
        for (const auto side : {Bridge::left, Bridge::right}) {
            const Box box = side == Bridge::left ? GetParam().from_left : GetParam().from_right;
            edit(side, [box](Frame& frame) {
                auto segment = SegmentView::of(frame.octets());
                return !segment || box(*segment);
            });
        }
        serve(settings());
    }
    static std::uint8_t expected_rule() {
        return GetParam().rule == Rule::big_window ? LFN_WINDOW_BC : LFN_WINDOW_RFC7323;
    }
};

TEST_P(Middlebox, two_stacks_send_from_the_active_end) {
    open(Left::stack);
    ASSERT_FALSE(HasFatalFailure());
    services::PatternPayload payload(octets, 1);
    services::Put put(left(), {}, payload);
    ASSERT_TRUE(put.connect(right_address, sink_port, settings()));
    ASSERT_TRUE(run_until([&] { return put.over(); }, seconds(60)));
    EXPECT_EQ(put.failure(), "");
    EXPECT_TRUE(put.confirmed());
    EXPECT_EQ(put.info().window_rule, expected_rule());
    EXPECT_TRUE(nothing_left());
    EXPECT_THAT(failures_, ElementsAre(""));
}

TEST_P(Middlebox, two_stacks_send_from_the_passive_end) {
    open(Left::stack);
    ASSERT_FALSE(HasFatalFailure());
    services::Get get(left(), {}, octets, 2);
    ASSERT_TRUE(get.connect(right_address, source_port, settings()));
    ASSERT_TRUE(run_until([&] { return get.over(); }, seconds(60)));
    EXPECT_EQ(get.failure(), "");
    EXPECT_TRUE(get.complete());
    EXPECT_TRUE(nothing_left());
    EXPECT_THAT(failures_, ElementsAre(""));
}

TEST_P(Middlebox, stack_and_kernel_send_to_each_other) {
    open(Left::kernel);
    ASSERT_FALSE(HasFatalFailure());
    KernelListener listener(loop_, kernel_port);
    services::PatternPayload payload(octets, 3);
    services::Put put(right(), {}, payload);
    const auto up = KernelSocket::connect(loop_, right_address, sink_port);
    up->send_pattern(octets, 4);
    ASSERT_TRUE(put.connect(left_address, kernel_port, settings()));
    ASSERT_TRUE(run_until([&] { return !listener.accepted.empty() && listener.accepted[0]->at_end(); }, seconds(60)));
    listener.accepted[0]->send_text(services::digest_line(listener.accepted[0]->received()), true);
    ASSERT_TRUE(run_until([&] { return put.over() && up->at_end(); }, seconds(60)));
    EXPECT_TRUE(put.confirmed());
    EXPECT_EQ(put.digest().octets(), octets);
    EXPECT_EQ(up->text(), services::digest_line(up->sent()));
    EXPECT_TRUE(nothing_left());
}

INSTANTIATE_TEST_SUITE_P(Interop, Middlebox, testing::ValuesIn(cases),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace

}  // namespace lfn::interop
