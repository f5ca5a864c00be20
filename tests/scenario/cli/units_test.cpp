// SPDX-License-Identifier: BSD-3-Clause
#include "ports/cli/units.hpp"

#include <gtest/gtest.h>

namespace lfn::cli {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

TEST(Units, windows_are_binary_as_in_rfc1106) {
    EXPECT_EQ(parse_window("64K"), 65536U);
    EXPECT_EQ(parse_window("64k"), 65536U);
    EXPECT_EQ(parse_window("64KiB"), 65536U);
    EXPECT_EQ(parse_window("64KB"), 65536U);
    EXPECT_EQ(parse_window("1G"), 1U << 30);
    EXPECT_EQ(parse_window("0.5M"), 524288U);
    EXPECT_EQ(parse_window("65535"), 65535U);
}

TEST(Units, data_are_decimal_unless_they_say_otherwise) {
    EXPECT_EQ(parse_bytes("10M"), 10'000'000U);
    EXPECT_EQ(parse_bytes("10MB"), 10'000'000U);
    EXPECT_EQ(parse_bytes("10Mi"), 10'485'760U);
    EXPECT_EQ(parse_bytes("1.5k"), 1500U);
    EXPECT_EQ(parse_bytes("1e6"), 1'000'000U);
}

TEST(Units, rates_are_decimal_bits_per_second) {
    EXPECT_EQ(parse_rate("1.544M"), 1'544'000U);
    EXPECT_EQ(parse_rate("1.544Mb/s"), 1'544'000U);
    EXPECT_EQ(parse_rate("56kbit/s"), 56'000U);
    EXPECT_EQ(parse_rate("9600bps"), 9600U);
    EXPECT_EQ(parse_rate("44.736M"), 44'736'000U);
}

TEST(Units, times_are_milliseconds_unless_they_say_otherwise) {
    EXPECT_EQ(parse_milliseconds("580"), milliseconds(580));
    EXPECT_EQ(parse_milliseconds("0.58s"), milliseconds(580));
    EXPECT_EQ(parse_milliseconds("20us"), microseconds(20));
    EXPECT_EQ(parse_milliseconds("-1"), std::nullopt);
    EXPECT_EQ(parse_milliseconds("25000000s"), std::nullopt);
    EXPECT_EQ(parse_milliseconds("1h"), std::nullopt);
}

TEST(Units, what_is_no_quantity_is_refused) {
    for (const char* text : {"", "K", "64Q", "64KK", "64iK", "6 4", " 64", "64 ", "-1", "1e99", "nan", "inf", "0x10",
                             "+5", "1.00001K", "64Kb/s"}) {
        EXPECT_EQ(parse_window(text), std::nullopt) << text;
    }
    EXPECT_EQ(parse_bytes("i"), std::nullopt);
    EXPECT_EQ(parse_bytes("1i"), std::nullopt);
    EXPECT_EQ(parse_rate("1MB/s"), std::nullopt) << "bytes are not bits";
    EXPECT_EQ(parse_number("1.5x"), std::nullopt);
    EXPECT_EQ(parse_count("18446744073709551616"), std::nullopt);
    EXPECT_EQ(parse_count("1.0"), std::nullopt);
    EXPECT_EQ(parse_count("18446744073709551615"), UINT64_MAX);
}

TEST(Units, quantities_are_written_as_people_write_them) {
    EXPECT_EQ(format_window(229'376), "224K");
    EXPECT_EQ(format_window(1U << 30), "1G");
    EXPECT_EQ(format_window(1000), "1000");
    EXPECT_EQ(format_count(0), "0");
    EXPECT_EQ(format_count(999), "999");
    EXPECT_EQ(format_count(1'234'567), "1,234,567");
    EXPECT_EQ(format_bytes(10'000'000), "10 MB");
    EXPECT_EQ(format_bytes(1), "1 byte");
    EXPECT_EQ(format_bytes(1'000'001), "1,000,001 bytes");
    EXPECT_EQ(format_rate(0), "unlimited");
    EXPECT_EQ(format_rate(1'544'000), "1.544 Mb/s");
    EXPECT_EQ(format_rate(9600), "9.6 kb/s");
    EXPECT_EQ(format_error_rate(1e-6), "1e-6");
    EXPECT_EQ(format_error_rate(1e-10), "1e-10");
    EXPECT_EQ(format_error_rate(0), "0");
    EXPECT_EQ(format_milliseconds(milliseconds(580)), "580 ms");
}

}  // namespace
}  // namespace lfn::cli
