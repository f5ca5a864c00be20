// SPDX-License-Identifier: BSD-3-Clause
// Reading our own captures back, segment by segment.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lfn::test {

struct CapturedSegment {
    std::int64_t time_ns;
    std::uint32_t source;  // IPv4 address, host byte order
    std::uint8_t flags;
    std::uint16_t window;
    std::vector<std::uint8_t> options;
    std::size_t payload;
};

// Every TCP segment in the file; fails the test if the file cannot be read to its end.
std::vector<CapturedSegment> read_capture(const std::string& file);

// The kinds of all options that are more than padding.
std::vector<std::uint8_t> option_kinds(const CapturedSegment& segment);

std::string contents(const std::string& file);

// A file name in the test's own folder.
std::string scratch(const std::string& name);

}  // namespace lfn::test
