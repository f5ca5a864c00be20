// SPDX-License-Identifier: BSD-3-Clause
// Quantities as people write them, and back. Suffixes may be small or capital letters; nothing else may follow.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "emulators/time/time.hpp"

namespace lfn::cli {

/// "1e-6", "0.5". No unit, no sign but a minus, finite.
std::optional<double> parse_number(std::string_view text);

/// "42". Digits only.
std::optional<std::uint64_t> parse_count(std::string_view text);

/// Octets of memory, as RFC 1106 writes windows: "64K" is 65536. K, M, G are 2^10, 2^20, 2^30; Ki, Mi, Gi and a B
/// behind them mean the same. The result must be whole.
std::optional<std::uint64_t> parse_window(std::string_view text);

/// Octets of data: "10M" is 10,000,000. K, M, G, T are powers of 1000; Ki, Mi, Gi, Ti are powers of 1024; a B may
/// follow.
std::optional<std::uint64_t> parse_bytes(std::string_view text);

/// Bits per second: "1.544M" is 1,544,000. K, M, G are powers of 1000; "b/s", "bps" and "bit/s" may follow.
std::optional<std::uint64_t> parse_rate(std::string_view text);

/// Time: "580", "580ms", "0.58s", "20us"; a bare number is milliseconds. Not negative, at most 24 hours.
std::optional<Duration> parse_milliseconds(std::string_view text);

/// 229376 -> "224K", 1000 -> "1000".
std::string format_window(std::uint64_t octets);
/// 10000000 -> "10 MB", 1234567 -> "1,234,567 bytes".
std::string format_bytes(std::uint64_t octets);
/// 1234567 -> "1,234,567".
std::string format_count(std::uint64_t count);
/// 1544000 -> "1.544 Mb/s"; 0 -> "unlimited".
std::string format_rate(std::uint64_t bits_per_second);
/// 1e-6 -> "1e-6".
std::string format_error_rate(double rate);
/// 290 ms -> "290 ms", 5 us -> "0.005 ms".
std::string format_milliseconds(Duration duration);

}  // namespace lfn::cli
