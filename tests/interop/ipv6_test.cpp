// SPDX-License-Identifier: BSD-3-Clause
// Over IPv6: how connections begin and end, windows that close, addresses of each kind. Whole transfers with every
// combination of options are in transfer_test.cpp.
#include <net/if.h>

#include <algorithm>
#include <cerrno>

#include "lfn/nak_receiver.h"
#include "lfn/tcp_options.h"
#include "ports/tap/interface_config.hpp"
#include "tests/interop/tap_fixture.hpp"

namespace lfn::interop {

namespace {

using services::Service;
using testing::Each;
using testing::ElementsAre;
using testing::SizeIs;

constexpr Ipv6Address far_address = ipv6_address(0x88, 1);

class Ipv6 : public TapTest {
protected:
    void SetUp() override {
        TapTest::SetUp();
        if (IsSkipped()) return;
        if (!kernel_has_ipv6()) GTEST_SKIP() << "the kernel has no IPv6";
        settings_ = with_windows();
        settings_.big_window = true;
        settings_.nak_mode = LFN_NAK_EVERY_GAP;
        settings_.wire = LFN_WIRE_EXID;
        open({.ipv6 = true});
    }
    void open(const Features& features) {
        open_host(lfn_stack_lfn(), nullptr, features);
        for (const Service service : {Service::echo, Service::sink, Service::source}) {
            ASSERT_TRUE(server_->listen(service, services::default_port_of(service), settings_));
        }
    }
    // Of the instance; what it holds with nothing but its listeners.
    std::uint64_t memory_held() {
        return tap_->host().with_stack([](const lfn_stack& stack) { return stack.memory_held(); });
    }
    bool nothing_left() {
        return run_until([this] { return server_->sessions() == 0; });
    }

    lfn_tcp_settings settings_{};
};

TEST_F(Ipv6, connections_that_the_kernel_closes_leave_no_memory_behind) {
    const std::uint64_t before = memory_held();
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        const auto socket = KernelSocket::connect(loop_, stack_ipv6_address, echo_port);
        socket->send_pattern(megabyte, seed);
        ASSERT_TRUE(run_until([&] { return socket->at_end(); })) << socket->error();
        EXPECT_EQ(socket->received(), socket->sent());
        socket->close();
        ASSERT_TRUE(nothing_left());
    }
    EXPECT_TRUE(run_until([&] { return memory_held() <= before; })) << memory_held() << " " << before;
    EXPECT_THAT(failures_, ElementsAre("", "", ""));
}

TEST_F(Ipv6, sixty_four_connections_at_once_are_echoed_whole) {
    std::vector<std::unique_ptr<KernelSocket>> sockets;
    for (std::uint64_t seed = 0; seed < 64; ++seed) {
        sockets.push_back(KernelSocket::connect(loop_, stack_ipv6_address, echo_port));
        sockets.back()->send_pattern(megabyte / 16, seed);
    }
    ASSERT_TRUE(
        run_until([&] { return std::ranges::all_of(sockets, [](const auto& each) { return each->at_end(); }); }));
    for (const auto& socket : sockets) EXPECT_EQ(socket->received(), socket->sent());
    EXPECT_TRUE(nothing_left());
    EXPECT_THAT(failures_, testing::AllOf(SizeIs(64), Each("")));
}

TEST_F(Ipv6, one_listener_serves_both_families) {
    const auto ipv4 = KernelSocket::connect(loop_, stack_address, sink_port);
    const auto ipv6 = KernelSocket::connect(loop_, stack_ipv6_address, sink_port);
    ipv4->send_pattern(megabyte, 1);
    ipv6->send_pattern(megabyte, 2);
    ASSERT_TRUE(run_until([&] { return ipv4->at_end() && ipv6->at_end(); }));
    EXPECT_EQ(ipv4->text(), services::digest_line(ipv4->sent()));
    EXPECT_EQ(ipv6->text(), services::digest_line(ipv6->sent()));
}

TEST_F(Ipv6, each_side_half_closes_with_a_megabyte_still_to_come) {
    const auto socket = KernelSocket::connect(loop_, stack_ipv6_address, source_port);
    socket->send_text(std::to_string(megabyte) + " 7\n", true);
    ASSERT_TRUE(run_until([&] { return socket->at_end(); })) << socket->error();
    EXPECT_EQ(socket->received().octets(), megabyte);

    KernelListener listener(loop_, kernel_port);
    services::PatternPayload payload(1000, 1);
    services::Put put(tap_->host(), {}, payload);
    ASSERT_TRUE(put.connect(kernel_ipv6_address, kernel_port, settings_));
    ASSERT_TRUE(run_until([&] { return !listener.accepted.empty() && listener.accepted[0]->at_end(); }));
    listener.accepted[0]->send_pattern(megabyte, 8);
    ASSERT_TRUE(run_until([&] { return put.over(); }));
    EXPECT_EQ(put.failure(), "");
    EXPECT_EQ(put.octets_received(), megabyte);
}

TEST_F(Ipv6, a_reset_ends_the_other_side_in_the_middle) {
    const std::uint64_t before = memory_held();
    const auto socket = KernelSocket::connect(loop_, stack_ipv6_address, source_port);
    socket->send_text("100000000 1\n");
    ASSERT_TRUE(run_until([&] { return socket->received().octets() > megabyte; }));
    socket->reset();
    EXPECT_TRUE(nothing_left());
    EXPECT_THAT(failures_, ElementsAre("reset by peer"));

    KernelListener listener(loop_, kernel_port);
    listener.on_accepted = [](KernelSocket& accepted) { accepted.send_pattern(100 * megabyte, 1); };
    services::Get get(tap_->host(), {}, 100 * megabyte, 1);
    ASSERT_TRUE(get.connect(kernel_ipv6_address, kernel_port, settings_));
    ASSERT_TRUE(run_until([&] { return get.octets_received() > megabyte; }));
    get.give_up("enough");
    ASSERT_TRUE(run_until([&] { return !listener.accepted[0]->is_open(); }));
    EXPECT_EQ(listener.accepted[0]->error(), ECONNRESET);
    EXPECT_TRUE(run_until([&] { return memory_held() <= before; })) << memory_held() << " " << before;
}

TEST_F(Ipv6, connecting_where_nobody_listens_is_refused) {
    services::Get get(tap_->host(), {}, 1, 1);
    ASSERT_TRUE(get.connect(kernel_ipv6_address, kernel_port, settings_));
    ASSERT_TRUE(run_until([&] { return get.over(); }));
    EXPECT_EQ(get.failure(), "reset by peer");

    const auto socket = KernelSocket::connect(loop_, stack_ipv6_address, std::uint16_t{99});
    ASSERT_TRUE(run_until([&] { return !socket->is_open(); }));
    EXPECT_EQ(socket->error(), ECONNREFUSED);
}

TEST_F(Ipv6, a_closed_window_of_either_side_stops_the_other_until_it_opens) {
    const auto source = KernelSocket::connect(loop_, stack_ipv6_address, source_port, 16384);
    const auto echo = KernelSocket::connect(loop_, stack_ipv6_address, echo_port, 16384);
    source->pause_reading();
    echo->pause_reading();
    source->send_text(std::to_string(2 * megabyte) + " 9\n");
    echo->send_pattern(20 * megabyte, 1);
    loop_.run_for(milliseconds(1500));
    EXPECT_EQ(source->received().octets(), 0U);
    EXPECT_LT(echo->sent().octets(), 20 * megabyte);
    source->resume_reading();
    echo->resume_reading();
    ASSERT_TRUE(run_until([&] { return source->at_end() && echo->at_end(); }, seconds(60)));
    EXPECT_EQ(source->received().octets(), 2 * megabyte);
    EXPECT_EQ(echo->received(), echo->sent());
}

TEST_F(Ipv6, a_link_that_goes_away_costs_no_data) {
    const auto socket = KernelSocket::connect(loop_, stack_ipv6_address, source_port, 16384);
    socket->send_text(std::to_string(8 * megabyte) + " 11\n");
    ASSERT_TRUE(run_until([&] { return socket->received().octets() > 100'000; }));
    InterfaceConfig interface("lfn0");
    ASSERT_TRUE(interface.bring_down());
    loop_.run_for(seconds(1));
    EXPECT_FALSE(socket->at_end());
    ASSERT_TRUE(interface.bring_up());
    ASSERT_TRUE(interface.set_ipv6_address(kernel_ipv6_address, 64));  // Linux forgets it when the interface goes down
    ASSERT_TRUE(run_until([&] { return socket->at_end(); }, seconds(60))) << socket->error();
    EXPECT_EQ(socket->received().octets(), 8 * megabyte);
}

TEST_F(Ipv6, offloads_move_it_whole_in_trains) {
    open({.offload = true, .ipv6 = true});
    const auto socket = KernelSocket::connect(loop_, stack_ipv6_address, echo_port);
    socket->send_pattern(8 * megabyte, 3);
    ASSERT_TRUE(run_until([&] { return socket->at_end(); })) << socket->error();
    EXPECT_EQ(socket->received(), socket->sent());
    const TapPortCounters& port = tap_->port().counters();
    EXPECT_EQ(port.frames_refused, 0U);
    EXPECT_LT(port.frames_in, port.packets_in / 2);
    EXPECT_LT(port.frames_out, port.packets_out);
}

TEST_F(Ipv6, other_networks_are_reached_by_the_gateway) {
    ASSERT_TRUE(InterfaceConfig("lo").set_ipv6_address(far_address, 128));
    KernelListener listener(loop_, kernel_port);
    {
        services::Get nowhere(tap_->host(), {}, 1, 1);
        EXPECT_FALSE(nowhere.connect(far_address, kernel_port, settings_) &&
                     run_until([&] { return !listener.accepted.empty(); }, milliseconds(500)));
    }

    open({.ipv6 = true, .ipv6_gateway = kernel_ipv6_address});
    listener.on_accepted = [](KernelSocket& accepted) { accepted.send_pattern(megabyte, 4); };
    services::Get get(tap_->host(), {}, megabyte, 4);
    ASSERT_TRUE(get.connect(far_address, kernel_port, settings_)) << get.failure();
    ASSERT_TRUE(run_until([&] { return get.over(); }));
    EXPECT_EQ(get.failure(), "");
    EXPECT_TRUE(get.complete());
}

}  // namespace

}  // namespace lfn::interop
