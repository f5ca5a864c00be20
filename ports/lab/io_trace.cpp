// SPDX-License-Identifier: BSD-3-Clause
#include "ports/lab/io_trace.hpp"

#include <cerrno>
#include <cinttypes>
#include <cstring>

namespace lfn::lab {

bool IoTrace::open(const std::string& file_name) {
    file_name_ = file_name;
    file_.reset(file_name == "-" ? stdout : std::fopen(file_name.c_str(), "w"));
    if (file_ == nullptr) error_ = file_name + ": " + std::strerror(errno);
    return is_open();
}

bool IoTrace::close() {
    if (file_ == nullptr) return true;
    put_until(Time::max());
    const bool written = std::fflush(file_.get()) == 0 && std::ferror(file_.get()) == 0;
    if (!written) error_ = file_name_ + ": " + std::strerror(errno);
    file_.reset();
    return written;
}

void IoTrace::write(Time earliest, Time time, std::string_view host, Access access, std::uint32_t port,
                    std::uint8_t value, std::string_view name) {
    const std::int64_t ns = nanoseconds_of(time);
    char text[160];
    std::snprintf(text, sizeof(text), "%" PRId64 ".%09" PRId64 " %.*s %c %03x %02x %.*s\n", ns / 1'000'000'000,
                  ns % 1'000'000'000, static_cast<int>(host.size()), host.data(), static_cast<char>(access), port,
                  value, static_cast<int>(name.size()), name.data());
    ahead_.push({time, next_number_++, text});
    put_until(earliest);
}

void IoTrace::put_until(Time time) {
    while (!ahead_.empty() && ahead_.top().time < time) {
        std::fputs(ahead_.top().text.c_str(), file_.get());
        ahead_.pop();
    }
}

std::string_view register_name(const DeviceSheet& sheet, unsigned offset, Access access) {
    for (const RegisterRow& row : sheet.registers) {
        if (row.access == access && row.first <= offset && offset <= row.last) return row.name;
    }
    return {};
}

}  // namespace lfn::lab
