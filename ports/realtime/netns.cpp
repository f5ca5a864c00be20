// SPDX-License-Identifier: BSD-3-Clause
#include "ports/realtime/netns.hpp"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace lfn {

NetnsScope::NetnsScope(const std::string& name) {
    if (name.empty()) return;
    const std::string path = name.find('/') == std::string::npos ? "/run/netns/" + name : name;
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        error_ = "network namespace " + name + ": " + std::strerror(errno) + "; `ip netns list` shows what there is";
        return;
    }
    enter(fd, name);
    close(fd);
}

NetnsScope::NetnsScope(int fd) {
    enter(fd, "descriptor " + std::to_string(fd));
}

NetnsScope::~NetnsScope() {
    if (previous_ < 0) return;
    // To go on elsewhere would be worse than to end.
    if (setns(previous_, CLONE_NEWNET) != 0) std::abort();
    close(previous_);
}

void NetnsScope::enter(int fd, const std::string& name) {
    previous_ = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    if (previous_ >= 0 && setns(fd, CLONE_NEWNET) == 0) return;
    error_ = "network namespace " + name + ": " + std::strerror(errno) +
             (errno == EPERM ? "; entering it needs root (CAP_SYS_ADMIN)" : "");
    if (previous_ >= 0) close(previous_);
    previous_ = -1;
}

}  // namespace lfn
