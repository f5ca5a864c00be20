// SPDX-License-Identifier: BSD-3-Clause
#include "ports/services/payload.hpp"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace lfn::services {

std::size_t PatternPayload::read(std::span<std::uint8_t> octets) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(octets.size(), octets_ - at_));
    pattern_.fill(at_, octets.first(count));
    at_ += count;
    return count;
}

bool FilePayload::open(const std::string& name) {
    name_ = name;
    file_.reset(name == "-" ? fdopen(dup(STDIN_FILENO), "rb") : std::fopen(name.c_str(), "rb"));
    struct stat status {};
    if (file_ == nullptr || fstat(fileno(file_.get()), &status) != 0) {
        error_ = name + ": " + std::strerror(errno);
        return false;
    }
    if (S_ISDIR(status.st_mode)) {
        error_ = name + ": is a directory; give a file";
        return false;
    }
    if (S_ISREG(status.st_mode)) size_ = static_cast<std::uint64_t>(status.st_size);
    return true;
}

std::size_t FilePayload::read(std::span<std::uint8_t> octets) {
    const int fd = fileno(file_.get());
    pollfd ready{fd, POLLIN, 0};
    waits_ = poll(&ready, 1, 0) == 0 ? fd : -1;
    if (waits_ >= 0) return 0;
    const ssize_t count = ::read(fd, octets.data(), octets.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) waits_ = fd;
    if (count < 0 && waits_ < 0) error_ = name_ + ": " + std::strerror(errno);
    return count > 0 ? static_cast<std::size_t>(count) : 0;
}

}  // namespace lfn::services
