// SPDX-License-Identifier: BSD-3-Clause
// The kernel at both ends of an emulated satellite link, and the stack at one.
#include "ports/bridge/bridge.hpp"

#include "tests/interop/kernel_socket.hpp"
#include "tests/interop/netns_fixture.hpp"

#include "ports/realtime/netns.hpp"
#include "ports/services/digest.hpp"

namespace lfn::interop {

namespace {

constexpr std::uint32_t left_address = 0x0a4e0001, right_address = 0x0a4e0002;  // 10.78.0.1, 10.78.0.2
constexpr std::uint16_t port = 6001;
constexpr std::uint64_t megabyte = 1'000'000;

// The fixture's namespace is the left end; the bridge holds an interface in each.
class BridgeTest : public InteropTest {
protected:
    void open(BridgeOptions options) {
        std::string reason;
        ASSERT_TRUE(right_.make_and_enter(reason)) << reason;
        options.left = {.name = netns_.prefix() + "left0", .kernel_address = left_address};
        options.right = {.name = right_.prefix() + "right0", .kernel_address = right_address};
        ASSERT_TRUE(bridge_.open(options)) << bridge_.error();
    }
    std::unique_ptr<KernelSocket> connect_from_left() {
        const NetnsScope scope(netns_.fd());
        return KernelSocket::connect(loop_, right_address, port);
    }

    Netns right_;
    Bridge bridge_{loop_};
};

TEST_F(BridgeTest, a_megabyte_crosses_a_noisy_satellite_whole) {
    BridgeOptions options;
    options.path.bit_error_rate = 1e-6;
    open(options);
    ASSERT_FALSE(HasFatalFailure());
    KernelListener listener(loop_, port);
    const auto socket = connect_from_left();
    socket->send_pattern(megabyte, 1);
    ASSERT_TRUE(run_until([&] { return !listener.accepted.empty() && listener.accepted[0]->at_end(); }, seconds(90)));
    EXPECT_EQ(listener.accepted[0]->received(), socket->sent());
    EXPECT_EQ(socket->sent().octets(), megabyte);
    for (const auto side : {Bridge::left, Bridge::right}) {
        const BridgeReport report = bridge_.report(side);
        EXPECT_TRUE(report.counters.balanced());
        EXPECT_GT(report.counters.out.frames, 0U);
        EXPECT_EQ(report.delay.count, report.counters.out.frames);
        EXPECT_EQ(report.profile_delay, milliseconds(290));
    }
    const BridgeReport report = bridge_.report(Bridge::left);
    std::printf(
        "kept: delay %.3f/%.3f/%.3f ms (p1, p50, p99), rate %.0f b/s over %.1f s; lost %llu to bit errors, %llu to "
        "the queue\n",
        seconds_of(report.delay.p1) * 1e3, seconds_of(report.delay.p50) * 1e3, seconds_of(report.delay.p99) * 1e3,
        report.rate_bps, report.busy_seconds,
        static_cast<unsigned long long>(report.counters.dropped(DropCause::bit_error).frames),
        static_cast<unsigned long long>(report.counters.dropped(DropCause::queue_full).frames));
}

TEST_F(BridgeTest, what_does_not_fit_its_queue_is_dropped_and_counted) {
    BridgeOptions options;
    options.path.queue_frames = 3;
    options.path.rate_bps = 1'000'000;
    options.path.one_way_delay = milliseconds(5);
    open(options);
    ASSERT_FALSE(HasFatalFailure());
    KernelListener listener(loop_, port);
    const auto socket = connect_from_left();
    socket->send_pattern(megabyte / 5, 1);
    ASSERT_TRUE(run_until([&] { return !listener.accepted.empty() && listener.accepted[0]->at_end(); }));
    EXPECT_EQ(listener.accepted[0]->received(), socket->sent());
    const BridgeReport report = bridge_.report(Bridge::left);
    EXPECT_GT(report.counters.dropped(DropCause::queue_full).frames, 0U);
    EXPECT_TRUE(report.counters.balanced());
}

TEST_F(BridgeTest, what_does_not_fit_is_held_up_and_not_dropped) {
    BridgeOptions options;
    options.when_full = WhenFull::hold;
    options.path.queue_frames = 3;
    options.path.rate_bps = 1'000'000;
    options.path.one_way_delay = milliseconds(5);
    open(options);
    ASSERT_FALSE(HasFatalFailure());
    KernelListener listener(loop_, port);
    const auto socket = connect_from_left();
    socket->send_pattern(megabyte / 5, 1);
    ASSERT_TRUE(run_until([&] { return !listener.accepted.empty() && listener.accepted[0]->at_end(); }));
    EXPECT_EQ(listener.accepted[0]->received(), socket->sent());
    const BridgeReport report = bridge_.report(Bridge::left);
    EXPECT_GT(report.counters.refused.frames, 0U);
    EXPECT_EQ(report.counters.dropped().frames, 0U);
    EXPECT_TRUE(report.counters.balanced());
    EXPECT_EQ(report.delay.count, report.counters.out.frames);
}

TEST_F(BridgeTest, queue_follows_the_rate_and_the_delay_that_are_asked_for) {
    BridgeOptions options;
    options.path.rate_bps = 15'440'000;
    open(options);
    ASSERT_FALSE(HasFatalFailure());
    EXPECT_EQ(bridge_.report(Bridge::left).queue_frames, 740U);  // 1.12 MB in frames of 1514
}

TEST_F(BridgeTest, an_interface_that_vanishes_is_an_error_in_words) {
    open({});
    ASSERT_FALSE(HasFatalFailure());
    bool told = false;
    auto on_gone = [&] { told = true; };
    bridge_.on_gone(Callback::to(on_gone));
    ASSERT_TRUE(delete_interface("right0"));
    ASSERT_TRUE(run_until([&] { return told; }));
    EXPECT_EQ(bridge_.error(), "TAP interface right0 is gone; somebody removed it");
}

TEST_F(BridgeTest, an_end_that_cannot_be_opened_is_named) {
    BridgeOptions options;
    options.left = {.name = "left0"};
    options.right = {.name = "left0"};
    EXPECT_FALSE(bridge_.open(options));
    EXPECT_THAT(bridge_.error(), testing::HasSubstr("left0: another process holds it"));
}

}  // namespace

}  // namespace lfn::interop
