// SPDX-License-Identifier: BSD-3-Clause
#include "ports/cli/files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "ports/cli/command_line.hpp"

namespace lfn::cli {

void check_writable(const std::string& option, const std::string& file) {
    const std::string named = option + " " + file;
    if (file == "-") complain(named + ": the standard output has the report; give the name of a file");
    std::error_code ignored;
    const bool existed = std::filesystem::exists(file, ignored);
    if (existed && std::filesystem::is_fifo(file, ignored)) return;  // to open one is to wait for its reader
    std::FILE* handle = std::fopen(file.c_str(), "ab");
    if (handle == nullptr) complain(named + ": " + std::strerror(errno) + "; give a file that can be written");
    std::fclose(handle);
    if (!existed) std::filesystem::remove(file, ignored);
}

void check_readable(const std::string& option, const std::string& file) {
    if (file == "-") {
        const int mode = fcntl(STDIN_FILENO, F_GETFL);
        if (mode != -1 && (mode & O_ACCMODE) != O_WRONLY) return;
        complain(option + " -: the standard input cannot be read; is it closed? Give it a pipe or a file");
    }
    std::error_code ignored;
    const std::string named = option + " " + file;
    if (std::filesystem::is_directory(file, ignored)) complain(named + ": is a directory; give a file");
    if (access(file.c_str(), R_OK) == 0) return;
    complain(named + ": " + std::strerror(errno) + "; give a file that can be read");
}

std::string with_suffix(const std::string& file, const std::string& suffix) {
    const std::size_t slash = file.find_last_of('/');
    const std::size_t base = slash == std::string::npos ? 0 : slash + 1;
    const std::size_t dot = file.find_last_of('.');
    std::string name = file;
    return name.insert(dot != std::string::npos && dot > base ? dot : name.size(), "-" + suffix);
}

}  // namespace lfn::cli
