// SPDX-License-Identifier: BSD-3-Clause
// A trace of port accesses: one line each, in the order of their times, to be read and to be compared with another
// run's by diff.
//
//   0.001234567 a W 30e 44 auxiliary command
//
// Virtual seconds, host, read or write, port and value in hexadecimal, and the register's name from the card's sheet.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <queue>
#include <string>
#include <string_view>
#include <vector>

#include "emulators/nic/device_sheet.hpp"
#include "emulators/time/time.hpp"

namespace lfn::lab {

class IoTrace {
public:
    /// Overwrites the file; "-" is the standard output. False, with a reason in error(), if it cannot be written.
    bool open(const std::string& file_name);
    bool is_open() const { return file_ != nullptr; }
    /// False, with a reason, if not all of it was written.
    bool close();
    const std::string& error() const { return error_; }

    /// `earliest`: no later access will be earlier than that; a host may be a little ahead of the others.
    void write(Time earliest, Time time, std::string_view host, Access access, std::uint32_t port, std::uint8_t value,
               std::string_view name);

private:
    struct Line {
        Time time;
        std::uint64_t number;
        std::string text;
        bool operator>(const Line& other) const {
            return time != other.time ? time > other.time : number > other.number;
        }
    };
    void put_until(Time time);

    struct Close {
        void operator()(std::FILE* file) const {
            if (file != stdout) std::fclose(file);
        }
    };
    std::unique_ptr<std::FILE, Close> file_;
    std::string file_name_, error_;
    std::priority_queue<Line, std::vector<Line>, std::greater<>> ahead_;
    std::uint64_t next_number_ = 0;
};

/// The name of a register in a card's sheet; empty if it has none.
std::string_view register_name(const DeviceSheet& sheet, unsigned offset, Access access);

}  // namespace lfn::lab
