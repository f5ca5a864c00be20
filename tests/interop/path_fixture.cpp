// SPDX-License-Identifier: BSD-3-Clause
#include "tests/interop/path_fixture.hpp"

#include <algorithm>

#include "lfn/nak_receiver.h"
#include "lfn/tcp_options.h"

namespace lfn::interop {

namespace {

constexpr std::uint16_t mtu = 1500;

lfn_interface interface_of(std::uint32_t address, const Ipv6Address* ipv6_address) {
    lfn_interface interface {};
    interface.kind = LFN_LINK_ETHERNET;
    interface.address = address;
    interface.netmask = 0xffffff00;
    interface.mtu = mtu;
    interface.hardware_address[0] = 0x02;
    interface.hardware_address[5] = static_cast<std::uint8_t>(address);
    if (ipv6_address != nullptr) {
        interface.has_ipv6 = true;
        std::ranges::copy(*ipv6_address, interface.ipv6_address);
    }
    return interface;
}

// The link of these tests has no numbers of its own: they are in the options.
const LinkProfile& bare_link() {
    static const LinkProfile& link = *find_link_profile("ideal");
    return link;
}

}  // namespace

void FrameEditor::accept(FramePtr frame) {
    count_in(*frame);
    const std::size_t size = frame->size();
    const bool passes = edit_(*frame);
    frame->resize(size);  // what changes may not change the count
    if (!passes) return drop(std::move(frame), DropCause::chosen);
    forward(std::move(frame));
}

StackEnd::StackEnd(RealtimeLoop& loop, std::uint32_t address, const Ipv6Address* ipv6_address)
    : ports(loop, mtu + ethernet_header_octets),
      host(loop, ports.first(), *lfn_stack_lfn(), interface_of(address, ipv6_address), random_seed()) {}

void PathTest::open_path(Left left, Duration one_way, std::uint64_t rate_bps, double bit_error_rate) {
    right_ = std::make_unique<StackEnd>(loop_, right_address, ipv6_ ? &right_ipv6_address : nullptr);
    BridgeOptions options;
    options.link = &bare_link();
    options.path.one_way_delay = one_way;
    options.path.rate_bps = rate_bps;
    options.path.bit_error_rate = bit_error_rate;
    options.path.queue_frames = 1000;
    if (mark_frames_ != 0) options.path.mark_frames = mark_frames_;
    if (left == Left::stack) {
        left_ = std::make_unique<StackEnd>(loop_, left_address, ipv6_ ? &left_ipv6_address : nullptr);
        options.left_port = &left_->ports.second();
    } else {
        options.left = {.name = "lfn0", .mtu = mtu, .kernel_address = left_address};
        if (ipv6_) options.left.kernel_ipv6_address = left_ipv6_address;
    }
    options.right_port = &right_->ports.second();
    bridge_ = std::make_unique<Bridge>(loop_);
    ASSERT_TRUE(bridge_->open(options)) << bridge_->error();
    CaptureWriter& seen = capture();
    bridge_->path(Bridge::left).tap_sent(seen);
    bridge_->path(Bridge::left).tap_received(seen);
    bridge_->path(Bridge::right).tap_sent(seen);
    bridge_->path(Bridge::right).tap_received(seen);
    server_ = std::make_unique<services::Server>(right());
    server_->on_session_over = [this](services::Service, services::Session& session) {
        failures_.push_back(session.failure());
        last_info_ = session.info();
    };
}

// What stands at the path's ends goes first. A stack that is shut down has given everything back.
void PathTest::TearDown() {
    server_.reset();
    for (const auto* end : {&left_, &right_}) {
        if (*end == nullptr) continue;
        (*end)->host.with_stack([](const lfn_stack& stack) {
            stack.shutdown();
            EXPECT_EQ(stack.memory_held(), 0U);
        });
    }
    bridge_.reset();
    left_.reset();
    right_.reset();
    InteropTest::TearDown();
}

lfn_tcp_settings PathTest::settings(bool big_window, bool nak, bool sack) {
    lfn_tcp_settings settings{};
    settings.receive_window = settings.send_buffer = 1U << 20;
    settings.big_window = big_window;
    settings.nak_mode = nak ? LFN_NAK_EVERY_GAP : LFN_NAK_OFF;
    settings.renak = nak;
    settings.sack = sack;
    settings.wire = LFN_WIRE_EXID;
    return settings;
}

void PathTest::serve(const lfn_tcp_settings& settings) {
    using services::Service;
    for (const Service service : {Service::echo, Service::discard, Service::chargen, Service::sink, Service::source}) {
        ASSERT_TRUE(server_->listen(service, services::default_port_of(service), settings));
    }
}

FrameEditor& PathTest::edit(Bridge::Side from, FrameEditor::Edit edit) {
    return bridge_->path(from).add<FrameEditor>(std::move(edit));
}

void PathTest::inject(Bridge::Side from, std::span<const std::uint8_t> frame) {
    bridge_->path(from).transmitter().accept(injected_.make(frame));
}

}  // namespace lfn::interop
