// SPDX-License-Identifier: BSD-3-Clause
// A network namespace without a name: it goes with this object, or with the process, however that ends.
#pragma once

#include <string>

namespace lfn::compare {

class PrivateNetns {
public:
    PrivateNetns() = default;
    ~PrivateNetns();
    PrivateNetns(const PrivateNetns&) = delete;
    PrivateNetns& operator=(const PrivateNetns&) = delete;

    /// Makes it; the thread stays where it is. IPv6 is off in it: its announcements would share the link. False:
    /// error() is a sentence with the reason and the remedy.
    bool make();
    /// Sets /proc/sys/net/NAME in it. False: error().
    bool set_sysctl(const std::string& name, const std::string& value);
    int fd() const { return fd_; }
    /// For TapOptions::name: "PATH:".
    std::string prefix() const { return "/proc/self/fd/" + std::to_string(fd_) + ":"; }
    const std::string& error() const { return error_; }

private:
    int fd_ = -1;
    std::string error_;
};

/// What a file of /proc holds, without the end of the line; empty if it cannot be read.
std::string read_proc(const std::string& file);

}  // namespace lfn::compare
