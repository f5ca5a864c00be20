// SPDX-License-Identifier: BSD-3-Clause
// Network namespaces of Linux: interfaces and sockets belong to the one in which they were made.
#pragma once

#include <string>

namespace lfn {

/// Makes this thread work in a namespace for as long as it lives.
class NetnsScope {
public:
    /// `name` as `ip netns` knows it, or, with a slash in it, a path such as /proc/PID/ns/net. Empty: stays here.
    explicit NetnsScope(const std::string& name);
    /// An open namespace.
    explicit NetnsScope(int fd);
    ~NetnsScope();
    NetnsScope(const NetnsScope&) = delete;
    NetnsScope& operator=(const NetnsScope&) = delete;

    /// Why the namespace could not be entered, as a sentence; empty if it was.
    const std::string& error() const { return error_; }

private:
    void enter(int fd, const std::string& name);

    int previous_ = -1;
    std::string error_;
};

}  // namespace lfn
