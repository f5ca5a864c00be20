// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "ports/cli/sweep.hpp"

namespace lfn::cli {

namespace {

constexpr std::string_view row_start = "{\"link\":";
constexpr const char* not_ours = ": has a line that is no cell of a sweep; give another file";

}  // namespace

SweepFile::~SweepFile() {
    if (file_ >= 0) close(file_);
}

std::string SweepFile::open(const std::string& name) {
    name_ = name;
    std::error_code ignored;
    if (std::filesystem::exists(name, ignored) && !std::filesystem::is_regular_file(name, ignored)) {
        return name + ": is no file that a sweep can go on from; give a regular one";
    }
    file_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file_ < 0) return name + ": " + std::strerror(errno) + "; give a file that can be written";
    if (flock(file_, LOCK_EX | LOCK_NB) != 0) {
        return name + ": another sweep is writing it; give each shard a file of its own";
    }
    return read();
}

std::string SweepFile::read() {
    std::string text;
    std::array<char, 65536> buffer;
    for (ssize_t length = 0; (length = ::read(file_, buffer.data(), buffer.size())) != 0;) {
        if (length < 0) return name_ + ": " + std::strerror(errno) + "; give a file that can be read and written";
        text.append(buffer.data(), static_cast<std::size_t>(length));
    }
    std::size_t at = 0;
    for (std::size_t end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
        const std::string line = text.substr(at, end - at);
        const std::string key = key_of(SweepRow::parse(line, nullptr, false));
        if (key.empty()) return name_ + not_ours;
        rows_[key] = line;
    }
    // The sweep that wrote it was stopped in the middle of a line.
    const std::string cut = text.substr(at, row_start.size());
    if (row_start.substr(0, cut.size()) != cut) return name_ + not_ours;
    if (at < text.size() && ftruncate(file_, static_cast<off_t>(at)) != 0) {
        return name_ + ": " + std::strerror(errno) + "; give a file that can be written";
    }
    return {};
}

void SweepFile::append(const std::string& row) {
    const std::string line = row + "\n";
    ssize_t written = 0;
    do {
        written = write(file_, line.data(), line.size());
    } while (written < 0 && errno == EINTR);
    if (written == static_cast<ssize_t>(line.size())) return;
    throw std::runtime_error(name_ + ": " + (written < 0 ? std::strerror(errno) : "the disk is full") +
                             "; what was written before is kept, and a new run goes on from there");
}

}  // namespace lfn::cli
