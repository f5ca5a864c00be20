// SPDX-License-Identifier: BSD-3-Clause
// Whole transfers between the stack and the kernel, each as client and as server, in each direction.
#include <ostream>

#include "lfn/big_window.h"
#include "lfn/nak_receiver.h"
#include "lfn/tcp_options.h"
#include "tests/interop/tap_fixture.hpp"

namespace lfn::interop {

namespace {

using services::Service;

struct Case {
    const char* name;
    const lfn_stack* (*stack)();
    lfn_tcp_settings tcp;
    bool ipv6 = false;
};

void PrintTo(const Case& c, std::ostream* out) {
    *out << c.name;
}

lfn_tcp_settings tcp(bool big_window, bool nak, lfn_wire wire) {
    lfn_tcp_settings settings{};
    settings.big_window = big_window;
    settings.nak_mode = nak ? LFN_NAK_EVERY_GAP : LFN_NAK_OFF;
    settings.renak = nak;
    settings.wire = static_cast<std::uint8_t>(wire);
    return settings;
}

const Case cases[] = {
    {"lfn_plain", lfn_stack_lfn, {}},
    {"lfn_big_window_exid", lfn_stack_lfn, tcp(true, false, LFN_WIRE_EXID)},
    {"lfn_nak_exid", lfn_stack_lfn, tcp(false, true, LFN_WIRE_EXID)},
    {"lfn_big_window_nak_exid", lfn_stack_lfn, tcp(true, true, LFN_WIRE_EXID)},
    {"lfn_big_window_nak_rfc1106", lfn_stack_lfn, tcp(true, true, LFN_WIRE_RFC1106)},
    {"lwip_unpatched", lfn_stack_lwip, {}},
    {"lfn_plain_ipv6", lfn_stack_lfn, {}, true},
    {"lfn_big_window_exid_ipv6", lfn_stack_lfn, tcp(true, false, LFN_WIRE_EXID), true},
    {"lfn_nak_exid_ipv6", lfn_stack_lfn, tcp(false, true, LFN_WIRE_EXID), true},
    {"lfn_big_window_nak_exid_ipv6", lfn_stack_lfn, tcp(true, true, LFN_WIRE_EXID), true},
    {"lfn_big_window_nak_rfc1106_ipv6", lfn_stack_lfn, tcp(true, true, LFN_WIRE_RFC1106), true},
    {"lwip_unpatched_ipv6", lfn_stack_lwip, {}, true},
};

class Transfer : public TapTest, public testing::WithParamInterface<Case> {
protected:
    static constexpr std::uint64_t octets = 4 * megabyte;

    void SetUp() override {
        TapTest::SetUp();
        if (IsSkipped()) return;
        settings_ = with_windows(GetParam().tcp);
        if (GetParam().ipv6 && !kernel_has_ipv6()) GTEST_SKIP() << "the kernel has no IPv6";
        if (GetParam().ipv6) {
            kernel_ = kernel_ipv6_address;
            stack_ = stack_ipv6_address;
        }
        open_host(GetParam().stack(), &settings_, {.ipv6 = GetParam().ipv6});
        ASSERT_TRUE(server_->listen(Service::sink, sink_port, settings_));
        ASSERT_TRUE(server_->listen(Service::source, source_port, settings_));
    }

    // Linux knows none of our options, so the stack has to fall back to RFC 7323.
    void expect_fallback(const lfn_tcp_info& info) {
        if (!tap_->host().stack().has_lfn_tcp) return;
        EXPECT_EQ(info.window_rule, LFN_WINDOW_RFC7323);
        EXPECT_FALSE(info.nak_agreed);
        EXPECT_EQ(info.naks_sent, 0U);
        EXPECT_EQ(info.mss, GetParam().ipv6 ? 1440 : 1460);
    }

    lfn_tcp_settings settings_{};
    IpAddress kernel_ = kernel_address, stack_ = stack_address;
};

TEST_P(Transfer, kernel_connects_and_sends) {
    const auto socket = KernelSocket::connect(loop_, stack_, sink_port);
    socket->send_pattern(octets, 1);
    ASSERT_TRUE(run_until([&] { return socket->at_end() && server_->sessions() == 0; })) << socket->error();
    EXPECT_EQ(socket->text(), services::digest_line(socket->sent()));
    EXPECT_EQ(socket->sent().octets(), octets);
    EXPECT_THAT(failures_, testing::ElementsAre(""));
    expect_fallback(last_info_);
}

TEST_P(Transfer, kernel_connects_and_receives) {
    const auto socket = KernelSocket::connect(loop_, stack_, source_port);
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
    expect_fallback(last_info_);
}

TEST_P(Transfer, stack_connects_and_sends) {
    KernelListener listener(loop_, kernel_port);
    services::PatternPayload payload(octets, 3);
    services::Put put(tap_->host(), {}, payload);
    ASSERT_TRUE(put.connect(kernel_, kernel_port, settings_)) << put.failure();
    ASSERT_TRUE(run_until([&] { return listener.accepted.size() == 1 && listener.accepted[0]->at_end(); }));
    listener.accepted[0]->send_text(services::digest_line(listener.accepted[0]->received()), true);
    ASSERT_TRUE(run_until([&] { return put.over(); }));
    EXPECT_EQ(put.failure(), "");
    EXPECT_TRUE(put.confirmed());
    EXPECT_EQ(listener.accepted[0]->received(), put.digest());
    EXPECT_EQ(put.digest().octets(), octets);
    expect_fallback(put.info());
}

TEST_P(Transfer, stack_connects_and_receives) {
    KernelListener listener(loop_, kernel_port);
    listener.on_accepted = [](KernelSocket& socket) { socket.send_pattern(octets, 4); };
    services::Get get(tap_->host(), {}, octets, 4);
    ASSERT_TRUE(get.connect(kernel_, kernel_port, settings_)) << get.failure();
    ASSERT_TRUE(run_until([&] { return get.over(); }));
    EXPECT_EQ(get.failure(), "");
    EXPECT_TRUE(get.complete());
    EXPECT_EQ(get.digest(), listener.accepted.at(0)->sent());
    expect_fallback(get.info());
}

INSTANTIATE_TEST_SUITE_P(Interop, Transfer, testing::ValuesIn(cases),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace

}  // namespace lfn::interop
