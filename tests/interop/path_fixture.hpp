// SPDX-License-Identifier: BSD-3-Clause
// A kernel and a stack, or two stacks, at the ends of an emulated path in which a test can do as it likes.
//
// Left is 10.77.0.1: the kernel, in the test's namespace, or a stack. Right is 10.77.0.2: a stack. Over IPv6, where a
// test asks for it, fd77::1 and fd77::2.
#pragma once

#include <functional>
#include <optional>

#include "ports/bridge/bridge.hpp"
#include "ports/services/client.hpp"
#include "ports/services/server.hpp"
#include "tests/interop/kernel_socket.hpp"
#include "tests/interop/netns_fixture.hpp"

namespace lfn::interop {

/// Sees each frame of a direction, may change it; false: it is lost.
class FrameEditor final : public Stage {
public:
    using Edit = std::function<bool(Frame&)>;
    explicit FrameEditor(Edit edit) : edit_(std::move(edit)) {}
    void accept(FramePtr frame) override;

private:
    Edit edit_;
};

/// A stack on its end of the path.
struct StackEnd {
    StackEnd(RealtimeLoop& loop, std::uint32_t address, const Ipv6Address* ipv6_address = nullptr);
    PortPair ports;
    RealtimeHost host;
};

class PathTest : public InteropTest {
protected:
    static constexpr std::uint32_t left_address = 0x0a4d0001, right_address = 0x0a4d0002;
    static constexpr std::uint16_t echo_port = 7, discard_port = 9, chargen_port = 19, sink_port = 5001,
                                   source_port = 5002, kernel_port = 6001;
    static constexpr std::uint64_t kilobyte = 1000, megabyte = 1'000'000;

    static constexpr Ipv6Address left_ipv6_address = {0xfd, 0x77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    static constexpr Ipv6Address right_ipv6_address = {0xfd, 0x77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2};

    enum class Left : std::uint8_t { kernel, stack };
    /// Milliseconds each way; by default as quick as the loop is. Services are at the right end.
    void open_path(Left left = Left::kernel, Duration one_way = Duration::zero(), std::uint64_t rate_bps = 100'000'000,
                   double bit_error_rate = 0);
    void TearDown() override;

    static lfn_tcp_settings settings(bool big_window = true, bool nak = true, bool sack = true);
    void serve(const lfn_tcp_settings& settings);

    /// What comes from the left, or from the right.
    FrameEditor& edit(Bridge::Side from, FrameEditor::Edit edit);
    /// Puts a frame on the way from that side, as if it had been sent there.
    void inject(Bridge::Side from, std::span<const std::uint8_t> frame);

    RealtimeHost& right() { return right_->host; }
    RealtimeHost& left() { return left_->host; }
    bool nothing_left() {
        return run_until([this] { return server_->sessions() == 0; });
    }

    std::unique_ptr<StackEnd> left_, right_;
    std::unique_ptr<Bridge> bridge_;
    std::unique_ptr<services::Server> server_;
    std::vector<std::string> failures_;  // of the server's sessions that are over; empty strings are good
    lfn_tcp_info last_info_{};
    // Before the path is opened.
    std::size_t mark_frames_ = 0;  // as in PathOptions
    bool ipv6_ = false;

private:
    FramePool injected_{2000};
};

}  // namespace lfn::interop
