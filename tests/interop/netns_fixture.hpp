// SPDX-License-Identifier: BSD-3-Clause
// Tests against the kernel, in network namespaces of their own. They have no names and go with the process, however it
// ends; nothing of the test's traffic can leave them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "ports/pcap/capture.hpp"
#include "ports/realtime/realtime_loop.hpp"

namespace lfn::interop {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// An open namespace without a name.
class Netns {
public:
    Netns() = default;
    ~Netns();
    Netns(const Netns&) = delete;
    Netns& operator=(const Netns&) = delete;

    /// Makes one and leaves the thread in it. False: `reason` says why it cannot be.
    bool make_and_enter(std::string& reason);
    int fd() const { return fd_; }
    /// For TapOptions::name: "PATH:".
    std::string prefix() const { return "/proc/self/fd/" + std::to_string(fd_) + ":"; }

private:
    int fd_ = -1;
};

/// Removes an interface of the current namespace, as `ip link del` does.
bool delete_interface(const std::string& name);

/// Writes to /proc/sys/net/NAME of the current namespace. False: it cannot be written.
bool set_sysctl(const std::string& name, const std::string& value);

class InteropTest : public testing::Test {
protected:
    /// Skips where namespaces or TAP interfaces are not to be had.
    void SetUp() override;
    /// A capture stays only if the test failed; its name is in the test's output then.
    void TearDown() override;

    /// Runs the loop until `done` or for `limit`, whichever is first; returns done().
    bool run_until(const std::function<bool()>& done, Duration limit = seconds(30));
    /// Opens a capture file that is named for the test.
    CaptureWriter& capture(const std::string& part = {});

    Netns netns_;
    RealtimeLoop loop_;

private:
    struct Kept {
        std::string file;
        std::unique_ptr<CaptureWriter> writer;
    };
    std::vector<Kept> captures_;
};

}  // namespace lfn::interop
