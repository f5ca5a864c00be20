// SPDX-License-Identifier: BSD-3-Clause
#include "capture_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "ports/pcap/capture.hpp"

namespace lfn::test {

namespace {

std::uint32_t octets32(const std::uint8_t* at) {
    return static_cast<std::uint32_t>(at[0] << 24 | at[1] << 16 | at[2] << 8 | at[3]);
}

}  // namespace

std::vector<CapturedSegment> read_capture(const std::string& file) {
    CaptureReader reader;
    EXPECT_TRUE(reader.open(file)) << reader.error();
    std::vector<CapturedSegment> segments;
    for (CaptureRecord record; reader.read(record);) {
        const std::uint8_t* ip = record.octets.data();
        const std::size_t ip_header = (ip[0] & 0x0fU) * 4U;
        const std::uint8_t* tcp = ip + ip_header;
        const std::size_t tcp_header = (tcp[12] >> 4) * 4U;
        segments.push_back({.time_ns = nanoseconds_of(record.time),
                            .source = octets32(ip + 12),
                            .flags = tcp[13],
                            .window = static_cast<std::uint16_t>(tcp[14] << 8 | tcp[15]),
                            .options = {tcp + 20, tcp + tcp_header},
                            .payload = record.octets.size() - ip_header - tcp_header});
    }
    EXPECT_EQ(reader.error(), "");
    return segments;
}

std::vector<std::uint8_t> option_kinds(const CapturedSegment& segment) {
    std::vector<std::uint8_t> kinds;
    for (std::size_t at = 0; at < segment.options.size();) {
        const std::uint8_t kind = segment.options[at];
        if (kind == 0) break;
        if (kind == 1) {
            ++at;
            continue;
        }
        kinds.push_back(kind);
        if (at + 1 >= segment.options.size() || segment.options[at + 1] < 2) {
            ADD_FAILURE() << "option " << int{kind} << " has no proper length";
            break;
        }
        at += segment.options[at + 1];
    }
    return kinds;
}

std::string contents(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    EXPECT_TRUE(in.good()) << file;
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

std::string scratch(const std::string& name) {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    std::string stem = std::string(test->test_suite_name()) + "." + test->name() + "." + name;
    for (char& c : stem) {
        if (c == '/') c = '_';
    }
    return ::testing::TempDir() + stem;
}

}  // namespace lfn::test
