// SPDX-License-Identifier: BSD-3-Clause
// `lfn` as a user runs it, in the namespace of the test: the kernel has 10.77.0.1 on the command's TAP interface.
#pragma once

#include <net/if.h>

#include <filesystem>

#include "ports/services/digest.hpp"
#include "ports/services/pattern.hpp"
#include "ports/tap/tap_device.hpp"
#include "tests/interop/kernel_socket.hpp"
#include "tests/interop/netns_fixture.hpp"
#include "tests/interop/running_command.hpp"

namespace lfn::interop {

inline std::vector<std::string> with_tap(std::vector<std::string> arguments) {
    for (const char* each : {"--tap", "lfn0", "--address", "10.77.0.2/24", "--kernel-address", "10.77.0.1"}) {
        arguments.emplace_back(each);
    }
    return lfn_with(arguments);
}

/// XXH3 of a pattern, as xxh128sum prints it.
inline std::string digest_of_pattern(std::uint64_t octets, std::uint64_t seed) {
    std::vector<std::uint8_t> pattern(octets);
    services::Pattern(seed).fill(0, pattern);
    services::Digest digest;
    digest.add(pattern);
    return digest.text();
}

inline std::string digest_of_file(const std::filesystem::path& file) {
    const std::string text = test::contents_of(file);
    services::Digest digest;
    digest.add({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    return digest.text();
}

class CommandTest : public InteropTest {
protected:
    static constexpr std::uint32_t kernel_address = 0x0a4d0001, command_address = 0x0a4d0002;

    void TearDown() override {
        EXPECT_EQ(if_nametoindex("lfn0"), 0U) << "the interface is left behind";
        InteropTest::TearDown();
    }
    /// Runs the test's loop until the command has ended.
    test::CommandOutcome finish(RunningCommand& command, Duration limit = seconds(60)) {
        EXPECT_TRUE(run_until([&] { return !command.running(); }, limit)) << command.err();
        return command.wait(0);
    }
    /// A server that has told that it is ready.
    static bool is_ready(RunningCommand& server) {
        return server.wait_until([&] { return server.err().find("iperf 5003") != std::string::npos; });
    }
    static std::size_t lines_in(const std::string& text) { return test::lines_of(text).size(); }

    test::ScratchFolder folder_;
};

}  // namespace lfn::interop
