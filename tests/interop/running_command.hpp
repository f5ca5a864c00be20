// SPDX-License-Identifier: BSD-3-Clause
// A program that runs beside the test, in the namespace where the test is.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/scenario/cli/command.hpp"

namespace lfn::interop {

class RunningCommand {
public:
    /// `arguments`: the program first, found as the shell finds it.
    explicit RunningCommand(const std::vector<std::string>& arguments);
    /// Kills it if it still runs.
    ~RunningCommand();
    RunningCommand(const RunningCommand&) = delete;
    RunningCommand& operator=(const RunningCommand&) = delete;

    void signal(int number) const;
    bool running();
    /// What it has written so far.
    std::string out() const { return test::contents_of(streams_.path() / "out"); }
    std::string err() const { return test::contents_of(streams_.path() / "err"); }
    /// Waits for its end, or until `limit_seconds` are over, and then kills it (status 128 + SIGKILL).
    test::CommandOutcome wait(int limit_seconds = 60);
    /// Waits until `done` or its end, or until `limit_seconds` are over; returns done().
    bool wait_until(const std::function<bool()>& done, int limit_seconds = 30);

private:
    test::ScratchFolder streams_;
    pid_t pid_ = -1;
    bool ended_ = false;
    int status_ = -1;
};

/// The `lfn` of this build with these arguments.
std::vector<std::string> lfn_with(const std::vector<std::string>& arguments);
/// The same as an ordinary user (nobody), without any group.
std::vector<std::string> as_nobody(const std::vector<std::string>& arguments);
/// Why that cannot be, as a phrase for a skipped test; empty if it can.
std::string why_not_as_nobody();
/// Whether the shell would find it.
bool is_installed(const std::string& program);

}  // namespace lfn::interop
