// SPDX-License-Identifier: BSD-3-Clause
// Every combination of what a connection of ours can offer, against the kernel and against itself, in both roles, with
// losses. Timestamps are not among it: the stack's configuration is without them.
#include "tests/interop/path_fixture.hpp"

namespace lfn::interop {

namespace {

using testing::Bool;
using testing::Combine;

constexpr std::uint64_t octets = 300'000;

// Big window, NAK, SACK, a window that needs a scale.
using Offer = std::tuple<bool, bool, bool, bool>;

std::string name_of(const Offer& offer) {
    const auto& [big_window, nak, sack, scale] = offer;
    return std::string(big_window ? "bc_" : "") + (nak ? "nak_" : "") + (sack ? "sack_" : "") +
           (scale ? "scale" : "plain");
}

class Combinations : public PathTest, public testing::WithParamInterface<Offer> {
protected:
    void open(Left left) {
        open_path(left, milliseconds(5), 20'000'000, 8e-7);
        serve(offer());
    }
    static lfn_tcp_settings offer() {
        const auto& [big_window, nak, sack, scale] = GetParam();
        lfn_tcp_settings offered = settings(big_window, nak, sack);
        offered.receive_window = offered.send_buffer = scale ? 256 * 1024 : 32 * 1024;
        return offered;
    }
};

TEST_P(Combinations, with_the_kernel_both_ways) {
    open(Left::kernel);
    ASSERT_FALSE(HasFatalFailure());
    KernelListener listener(loop_, kernel_port);
    services::PatternPayload payload(octets, 1);
    services::Put put(right(), {}, payload);
    services::Get get(right(), {}, octets, 2);
    const auto up = KernelSocket::connect(loop_, right_address, sink_port);
    up->send_pattern(octets, 3);
    const auto down = KernelSocket::connect(loop_, right_address, source_port);
    down->send_text(std::to_string(octets) + " 4\n", true);
    ASSERT_TRUE(put.connect(left_address, kernel_port, offer()));
    ASSERT_TRUE(run_until([&] { return !listener.accepted.empty() && listener.accepted[0]->at_end(); }, seconds(60)));
    listener.accepted[0]->send_text(services::digest_line(listener.accepted[0]->received()), true);
    listener.on_accepted = [](KernelSocket& socket) { socket.send_pattern(octets, 2); };
    ASSERT_TRUE(get.connect(left_address, kernel_port, offer()));
    ASSERT_TRUE(run_until([&] { return put.over() && get.over() && up->at_end() && down->at_end(); }, seconds(60)));
    EXPECT_TRUE(put.confirmed());
    EXPECT_TRUE(get.complete());
    EXPECT_EQ(up->text(), services::digest_line(up->sent()));
    std::vector<std::uint8_t> pattern(octets);
    services::Pattern(4).fill(0, pattern);
    services::Digest expected;
    expected.add(pattern);
    EXPECT_EQ(down->received(), expected);
    EXPECT_TRUE(nothing_left());
    for (const std::string& failure : failures_) EXPECT_EQ(failure, "");
}

TEST_P(Combinations, with_itself_both_ways) {
    open(Left::stack);
    ASSERT_FALSE(HasFatalFailure());
    services::PatternPayload payload(octets, 1);
    services::Put put(left(), {}, payload);
    services::Get get(left(), {}, octets, 2);
    ASSERT_TRUE(put.connect(right_address, sink_port, offer()));
    ASSERT_TRUE(get.connect(right_address, source_port, offer()));
    ASSERT_TRUE(run_until([&] { return put.over() && get.over(); }, seconds(60)));
    EXPECT_TRUE(put.confirmed());
    EXPECT_TRUE(get.complete());
    EXPECT_TRUE(nothing_left());
    for (const std::string& failure : failures_) EXPECT_EQ(failure, "");
}

INSTANTIATE_TEST_SUITE_P(Interop, Combinations, Combine(Bool(), Bool(), Bool(), Bool()),
                         [](const auto& each) { return name_of(each.param); });

}  // namespace

}  // namespace lfn::interop
