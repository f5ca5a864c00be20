// SPDX-License-Identifier: BSD-3-Clause
// The kernel does part of the work: cuts and checks segments (virtio-net offloads), or merges them (GRO).
#include <unistd.h>

#include "tests/interop/tap_fixture.hpp"

namespace lfn::interop {

namespace {

using services::Service;

constexpr std::uint64_t octets = 8 * megabyte;

struct Case {
    const char* name;
    const lfn_stack* (*stack)();
    bool offload, merge;
};
constexpr Case cases[] = {
    {"lfn_offload", lfn_stack_lfn, true, false},
    {"lfn_merge", lfn_stack_lfn, false, true},
    {"lwip_offload", lfn_stack_lwip, true, false},
    {"lwip_merge", lfn_stack_lwip, false, true},
};

class Offload : public TapTest, public testing::WithParamInterface<Case> {
protected:
    void SetUp() override {
        TapTest::SetUp();
        if (IsSkipped()) return;
        settings_ = with_windows();
        open_host(GetParam().stack(), &settings_, {.offload = GetParam().offload, .merge = GetParam().merge});
        for (const Service service : {Service::echo, Service::sink, Service::source}) {
            ASSERT_TRUE(server_->listen(service, services::default_port_of(service), settings_));
        }
    }
    void TearDown() override {
        if (tap_ != nullptr) expect_plausible(tap_->port().counters());
        TapTest::TearDown();
    }
    const TapPortCounters& counters() { return tap_->port().counters(); }
    static void expect_plausible(const TapPortCounters& port) {
        EXPECT_EQ(port.frames_refused, 0U);
        EXPECT_EQ(port.frames_lost, 0U);
        if (GetParam().offload) return;
        EXPECT_EQ(port.packets_in, port.frames_in);
        EXPECT_EQ(port.packets_out, port.frames_out);
    }

    lfn_tcp_settings settings_{};
};

TEST_P(Offload, what_the_kernel_sends_arrives_whole) {
    const auto socket = KernelSocket::connect(loop_, stack_address, sink_port);
    socket->send_pattern(octets, 1);
    ASSERT_TRUE(run_until([&] { return socket->at_end(); })) << socket->error();
    EXPECT_EQ(socket->text(), services::digest_line(socket->sent()));
    EXPECT_THAT(failures_, testing::ElementsAre(""));
    EXPECT_GT(counters().packets_in, octets / 1460);
    if (GetParam().offload) {
        EXPECT_LT(counters().frames_in, counters().packets_in / 2);
    }
}

TEST_P(Offload, what_the_stack_sends_arrives_whole) {
    const auto socket = KernelSocket::connect(loop_, stack_address, source_port);
    socket->send_text(std::to_string(octets) + " 2\n");
    ASSERT_TRUE(run_until([&] { return socket->at_end(); })) << socket->error();
    socket->close();
    ASSERT_TRUE(run_until([&] { return server_->sessions() == 0; }));
    services::Digest expected;
    std::vector<std::uint8_t> pattern(octets);
    services::Pattern(2).fill(0, pattern);
    expected.add(pattern);
    EXPECT_EQ(socket->received(), expected);
    EXPECT_THAT(failures_, testing::ElementsAre(""));
    EXPECT_GT(counters().packets_out, octets / 1460);
    if (GetParam().offload) {
        EXPECT_LT(counters().frames_out, counters().packets_out / 2);
    }
}

TEST_P(Offload, both_directions_at_once_arrive_whole) {
    const auto socket = KernelSocket::connect(loop_, stack_address, echo_port);
    socket->send_pattern(octets, 3);
    ASSERT_TRUE(run_until([&] { return socket->at_end(); })) << socket->error();
    EXPECT_EQ(socket->received(), socket->sent());
    EXPECT_THAT(failures_, testing::ElementsAre(""));
}

// A lone octet is a segment with an open checksum; its echo must not wait for more.
TEST_P(Offload, an_octet_is_echoed_at_once) {
    const auto socket = KernelSocket::connect(loop_, stack_address, echo_port);
    for (int turn = 0; turn < 20; ++turn) {
        socket->send_text("x");
        ASSERT_TRUE(run_until([&] { return socket->received().octets() == static_cast<std::uint64_t>(turn) + 1; }));
    }
}

TEST_P(Offload, the_kernel_does_what_it_was_asked_for) {
    EXPECT_EQ(tap_->device().offload(), GetParam().offload);
    if (GetParam().merge && geteuid() == 0) {
        EXPECT_TRUE(tap_->device().merges());
    }
}

INSTANTIATE_TEST_SUITE_P(Interop, Offload, testing::ValuesIn(cases),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace

}  // namespace lfn::interop
