// SPDX-License-Identifier: BSD-3-Clause
// What real networks and real peers do to a connection.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "lfn/nak_receiver.h"
#include "lfn/tcp_options.h"
#include "ports/tap/interface_config.hpp"
#include "tests/interop/tap_fixture.hpp"

namespace lfn::interop {

namespace {

using services::Service;
using testing::AllOf;
using testing::Each;
using testing::SizeIs;

services::Digest digest_of(std::uint64_t octets, std::uint64_t seed) {
    std::vector<std::uint8_t> pattern(octets);
    services::Pattern(seed).fill(0, pattern);
    services::Digest digest;
    digest.add(pattern);
    return digest;
}

class Conditions : public TapTest {
protected:
    void SetUp() override {
        TapTest::SetUp();
        if (IsSkipped()) return;
        settings_ = with_windows();
        settings_.big_window = true;
        settings_.nak_mode = LFN_NAK_EVERY_GAP;
        settings_.wire = LFN_WIRE_EXID;
        for (const Service service :
             {Service::echo, Service::discard, Service::chargen, Service::sink, Service::source}) {
            ASSERT_TRUE(server_->listen(service, services::default_port_of(service), settings_));
        }
    }
    bool nothing_left() {
        return run_until([this] { return server_->sessions() == 0; });
    }

    lfn_tcp_settings settings_{};
};

TEST_F(Conditions, sixteen_connections_at_once_are_echoed_whole) {
    constexpr std::uint64_t octets = megabyte / 4;
    std::vector<std::unique_ptr<KernelSocket>> sockets;
    for (std::uint64_t seed = 0; seed < 16; ++seed) {
        sockets.push_back(KernelSocket::connect(loop_, stack_address, echo_port));
        sockets.back()->send_pattern(octets, seed);
    }
    ASSERT_TRUE(
        run_until([&] { return std::ranges::all_of(sockets, [](const auto& each) { return each->at_end(); }); }));
    for (const auto& socket : sockets) {
        EXPECT_EQ(socket->received(), socket->sent());
        EXPECT_EQ(socket->sent().octets(), octets);
    }
    EXPECT_TRUE(nothing_left());
    EXPECT_THAT(failures_, AllOf(SizeIs(16), Each("")));
}

TEST_F(Conditions, kernel_half_closes_with_a_megabyte_still_to_come) {
    const auto socket = KernelSocket::connect(loop_, stack_address, source_port);
    socket->send_text(std::to_string(megabyte) + " 7\n", true);
    ASSERT_TRUE(run_until([&] { return socket->at_end(); })) << socket->error();
    EXPECT_EQ(socket->received(), digest_of(megabyte, 7));
    EXPECT_TRUE(nothing_left());
    EXPECT_THAT(failures_, testing::ElementsAre(""));
}

TEST_F(Conditions, stack_half_closes_with_a_megabyte_still_to_come) {
    KernelListener listener(loop_, kernel_port);
    services::PatternPayload payload(1000, 1);
    services::Put put(tap_->host(), {}, payload);
    ASSERT_TRUE(put.connect(kernel_address, kernel_port, settings_));
    ASSERT_TRUE(run_until([&] { return !listener.accepted.empty() && listener.accepted[0]->at_end(); }));
    listener.accepted[0]->send_pattern(megabyte, 8);
    ASSERT_TRUE(run_until([&] { return put.over(); }));
    EXPECT_EQ(put.failure(), "");
    EXPECT_EQ(put.octets_received(), megabyte);
}

TEST_F(Conditions, kernel_resets_in_the_middle) {
    const auto socket = KernelSocket::connect(loop_, stack_address, std::uint16_t{19});
    ASSERT_TRUE(run_until([&] { return socket->received().octets() > megabyte; }));
    socket->reset();
    EXPECT_TRUE(nothing_left());
    EXPECT_THAT(failures_, testing::ElementsAre("reset by peer"));
}

TEST_F(Conditions, stack_resets_in_the_middle) {
    KernelListener listener(loop_, kernel_port);
    listener.on_accepted = [](KernelSocket& socket) { socket.send_pattern(100 * megabyte, 1); };
    services::Get get(tap_->host(), {}, 100 * megabyte, 1);
    ASSERT_TRUE(get.connect(kernel_address, kernel_port, settings_));
    ASSERT_TRUE(run_until([&] { return get.octets_received() > megabyte; }));
    get.give_up("enough");
    ASSERT_TRUE(run_until([&] { return !listener.accepted[0]->is_open(); }));
    EXPECT_EQ(listener.accepted[0]->error(), ECONNRESET);
    EXPECT_EQ(get.failure(), "enough");
}

TEST_F(Conditions, connecting_where_nobody_listens_is_refused) {
    services::Get get(tap_->host(), {}, 1, 1);
    ASSERT_TRUE(get.connect(kernel_address, kernel_port, settings_));
    ASSERT_TRUE(run_until([&] { return get.over(); }));
    EXPECT_EQ(get.failure(), "reset by peer");

    const auto socket = KernelSocket::connect(loop_, stack_address, std::uint16_t{99});
    ASSERT_TRUE(run_until([&] { return !socket->is_open(); }));
    EXPECT_EQ(socket->error(), ECONNREFUSED);
}

TEST_F(Conditions, zero_window_of_the_kernel_stops_the_stack_and_its_reopening_starts_it) {
    const auto socket = KernelSocket::connect(loop_, stack_address, source_port, 16384);
    socket->pause_reading();
    socket->send_text(std::to_string(2 * megabyte) + " 9\n");
    loop_.run_for(milliseconds(1500));  // the window is closed long before
    EXPECT_EQ(server_->sessions(), 1U);
    EXPECT_EQ(socket->received().octets(), 0U);
    socket->resume_reading();
    ASSERT_TRUE(run_until([&] { return socket->at_end(); })) << socket->error();
    EXPECT_EQ(socket->received(), digest_of(2 * megabyte, 9));
    socket->close();
    EXPECT_TRUE(nothing_left());
}

// The update is lost with everything else: only a probe of the closed window brings it back.
TEST_F(Conditions, zero_window_reopens_although_its_update_was_lost) {
    const auto socket = KernelSocket::connect(loop_, stack_address, source_port, 16384);
    socket->pause_reading();
    socket->send_text(std::to_string(megabyte / 4) + " 10\n");
    loop_.run_for(milliseconds(1500));
    InterfaceConfig interface("lfn0");
    ASSERT_TRUE(interface.bring_down());
    socket->resume_reading();
    loop_.run_for(milliseconds(200));
    ASSERT_TRUE(interface.bring_up());
    ASSERT_TRUE(run_until([&] { return socket->at_end(); })) << socket->error();
    EXPECT_EQ(socket->received(), digest_of(megabyte / 4, 10));
}

// Slow enough that the link goes while data is under way: the kernel reads through a small window, in steps.
TEST_F(Conditions, link_away_for_three_seconds_costs_no_data) {
    const auto down = KernelSocket::connect(loop_, stack_address, source_port, 16384);
    const auto up = KernelSocket::connect(loop_, stack_address, sink_port);
    down->send_text(std::to_string(8 * megabyte) + " 11\n");
    up->send_pattern(8 * megabyte, 12);
    ASSERT_TRUE(run_until([&] { return down->received().octets() > 100'000; }));
    InterfaceConfig interface("lfn0");
    ASSERT_TRUE(interface.bring_down());
    loop_.run_for(seconds(3));
    EXPECT_FALSE(down->at_end());
    ASSERT_TRUE(interface.bring_up());
    ASSERT_TRUE(run_until([&] { return down->at_end() && up->at_end(); }, seconds(60)))
        << down->error() << " " << up->error();
    EXPECT_EQ(down->received(), digest_of(8 * megabyte, 11));
    EXPECT_EQ(up->text(), services::digest_line(up->sent()));
}

TEST_F(Conditions, interface_that_vanishes_is_an_error_in_words) {
    const auto socket = KernelSocket::connect(loop_, stack_address, std::uint16_t{19});
    ASSERT_TRUE(run_until([&] { return socket->received().octets() > megabyte; }));
    bool told = false;
    auto on_gone = [&] { told = true; };
    tap_->host().on_gone(Callback::to(on_gone));
    ASSERT_TRUE(delete_interface("lfn0"));
    ASSERT_TRUE(run_until([&] { return told; }));
    EXPECT_EQ(tap_->host().failure(), "TAP interface lfn0 is gone; somebody removed it");
    loop_.run_for(milliseconds(300));  // the stack's timers meet an interface that takes everything and sends nothing
    EXPECT_EQ(server_->sessions(), 1U);
}

// 40 MB fit neither into the kernel nor into the stack: the stack has to close its window.
TEST_F(Conditions, zero_window_of_the_stack_stops_the_kernel_and_its_reopening_starts_it) {
    constexpr std::uint64_t octets = 40 * megabyte;
    const auto socket = KernelSocket::connect(loop_, stack_address, echo_port, 16384);
    socket->pause_reading();
    socket->send_pattern(octets, 1);
    loop_.run_for(milliseconds(1500));
    const std::uint64_t stopped_at = socket->sent().octets();
    EXPECT_LT(stopped_at, octets);
    loop_.run_for(milliseconds(300));
    EXPECT_EQ(socket->sent().octets(), stopped_at);
    socket->resume_reading();
    ASSERT_TRUE(run_until([&] { return socket->at_end(); }, seconds(60))) << socket->error();
    EXPECT_EQ(socket->received(), socket->sent());
    EXPECT_EQ(socket->sent().octets(), octets);
    EXPECT_TRUE(nothing_left());
    EXPECT_THAT(failures_, testing::ElementsAre(""));
}

TEST_F(Conditions, ping_is_answered) {
    if (std::system("command -v ping >/dev/null 2>&1") != 0) GTEST_SKIP() << "ping is not installed";
    const pid_t child = fork();
    if (child == 0) {
        execlp("ping", "ping", "-q", "-c", "1", "-W", "2", "10.77.0.2", nullptr);
        _exit(127);
    }
    int status = 0;
    ASSERT_TRUE(run_until([&] { return waitpid(child, &status, WNOHANG) == child; }));
    EXPECT_EQ(status, 0);
}

}  // namespace

}  // namespace lfn::interop
