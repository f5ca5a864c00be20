// SPDX-License-Identifier: BSD-3-Clause
// One namespace, one TAP interface: the kernel has 10.77.0.1, the stack 10.77.0.2; over IPv6, where a test asks for it,
// fd77::1 and fd77::2.
#pragma once

#include <unistd.h>

#include "ports/services/client.hpp"
#include "ports/services/server.hpp"
#include "ports/tap/tap_host.hpp"
#include "tests/interop/kernel_socket.hpp"
#include "tests/interop/netns_fixture.hpp"

namespace lfn::interop {

inline constexpr std::uint32_t kernel_address = 0x0a4d0001;
inline constexpr std::uint32_t stack_address = 0x0a4d0002;
constexpr Ipv6Address ipv6_address(std::uint8_t net, std::uint8_t host) {
    return {0xfd, net, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, host};
}
inline constexpr Ipv6Address kernel_ipv6_address = ipv6_address(0x77, 1);
inline constexpr Ipv6Address stack_ipv6_address = ipv6_address(0x77, 2);
inline constexpr std::uint16_t sink_port = 5001, source_port = 5002, echo_port = 7, kernel_port = 6001;
inline constexpr std::uint64_t megabyte = 1'000'000;

struct Features {
    bool offload = false, merge = false;  ///< as in TapOptions
    bool ipv6 = false;
    Ipv6Address ipv6_gateway{};
};

class TapTest : public InteropTest {
protected:
    void SetUp() override {
        InteropTest::SetUp();
        if (IsSkipped()) return;
        open_host(lfn_stack_lfn());
    }
    /// The host goes before what it stands on.
    void TearDown() override {
        server_.reset();
        tap_.reset();
        InteropTest::TearDown();
    }

    static bool kernel_has_ipv6() { return access("/proc/net/if_inet6", F_OK) == 0; }

    void open_host(const lfn_stack* stack, const lfn_tcp_settings* defaults = nullptr, const Features& features = {}) {
        server_.reset();
        tap_.reset();
        tap_ = std::make_unique<TapHost>(loop_);
        TapHostOptions options;
        options.tap.name = "lfn0";
        options.tap.kernel_address = kernel_address;
        options.tap.offload = features.offload;
        options.tap.merge = features.merge;
        if (features.ipv6) {
            options.tap.kernel_ipv6_address = kernel_ipv6_address;
            options.ipv6 = true;
            options.ipv6_address = stack_ipv6_address;
            options.ipv6_gateway = features.ipv6_gateway;
        }
        options.address = stack_address;
        options.stack = stack;
        options.defaults = defaults;
        ASSERT_TRUE(tap_->open(options)) << tap_->error();
        if (!capture_) capture_ = &capture();
        tap_->port().set_capture(capture_);
        server_ = std::make_unique<services::Server>(tap_->host());
        server_->on_session_over = [this](services::Service, services::Session& session) {
            failures_.push_back(session.failure());
            last_info_ = session.info();
        };
    }

    static lfn_tcp_settings with_windows(lfn_tcp_settings settings = {}) {
        settings.receive_window = 1U << 20;
        settings.send_buffer = 1U << 20;
        return settings;
    }

    std::unique_ptr<TapHost> tap_;
    std::unique_ptr<services::Server> server_;
    std::vector<std::string> failures_;  // of the server's sessions that are over; empty strings are good
    lfn_tcp_info last_info_{};

private:
    CaptureWriter* capture_ = nullptr;
};

}  // namespace lfn::interop
