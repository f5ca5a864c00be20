// SPDX-License-Identifier: BSD-3-Clause
#include "ports/compare/private_netns.hpp"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "ports/realtime/netns.hpp"

namespace lfn::compare {

namespace {

constexpr const char* own_namespace = "/proc/self/ns/net";

std::string why_not(int error) {
    const std::string what = std::string("cannot make a network namespace: ") + std::strerror(error);
    return error == EPERM ? what + "; run as root" : what;
}

}  // namespace

PrivateNetns::~PrivateNetns() {
    if (fd_ >= 0) close(fd_);
}

bool PrivateNetns::make() {
    const int home = open(own_namespace, O_RDONLY | O_CLOEXEC);
    if (home < 0 || unshare(CLONE_NEWNET) != 0) {
        error_ = why_not(errno);
        if (home >= 0) close(home);
        return false;
    }
    fd_ = open(own_namespace, O_RDONLY | O_CLOEXEC);
    if (fd_ < 0) error_ = why_not(errno);
    // To go on elsewhere would be worse than to end.
    if (setns(home, CLONE_NEWNET) != 0) std::abort();
    close(home);
    if (fd_ < 0) return false;
    set_sysctl("ipv6/conf/default/disable_ipv6", "1");  // where there is no IPv6, there is nothing to disable
    error_.clear();
    return true;
}

bool PrivateNetns::set_sysctl(const std::string& name, const std::string& value) {
    const NetnsScope scope(fd_);
    std::ofstream file("/proc/sys/net/" + name);
    if (file << value << std::flush) return true;
    error_ = "sysctl net/" + name + " cannot be set to " + value + "; is /proc/sys read-only?";
    return false;
}

std::string read_proc(const std::string& file) {
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    return line;
}

}  // namespace lfn::compare
