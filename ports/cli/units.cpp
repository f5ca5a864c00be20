// SPDX-License-Identifier: BSD-3-Clause
#include "ports/cli/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace lfn::cli {

namespace {

constexpr double octets_max = 0x1p53;  // whole numbers are exact up to here

// A number and what follows it, in small letters.
struct Quantity {
    double number;
    std::string unit;
};

std::optional<Quantity> split(std::string_view text) {
    Quantity quantity{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), quantity.number);
    if (error != std::errc{} || !std::isfinite(quantity.number)) return std::nullopt;
    for (const char* at = end; at != text.data() + text.size(); ++at) {
        const char letter = *at;
        quantity.unit += letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    }
    return quantity;
}

// Takes `suffix` off the end of `unit`; says whether it was there.
bool take_suffix(std::string& unit, std::string_view suffix) {
    if (!unit.ends_with(suffix)) return false;
    unit.resize(unit.size() - suffix.size());
    return true;
}

// What one letter of "kmgt" multiplies by, `base` to the power of its place; nothing for another unit.
std::optional<double> prefix(std::string_view unit, double base) {
    if (unit.empty()) return 1.0;
    const std::size_t place = std::string_view("kmgt").find(unit[0]);
    if (unit.size() != 1 || place == std::string_view::npos) return std::nullopt;
    double factor = base;
    for (std::size_t i = 0; i < place; ++i) factor *= base;
    return factor;
}

std::optional<std::uint64_t> whole(double value) {
    if (value < 0 || value > octets_max || value != std::floor(value)) return std::nullopt;
    return static_cast<std::uint64_t>(value);
}

std::optional<std::uint64_t> parse_octets(std::string_view text, double base) {
    auto quantity = split(text);
    if (!quantity) return std::nullopt;
    take_suffix(quantity->unit, "b");
    if (quantity->unit.size() == 2 && take_suffix(quantity->unit, "i")) base = 1024;
    const auto factor = prefix(quantity->unit, base);
    if (!factor) return std::nullopt;
    return whole(quantity->number * *factor);
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
    const auto quantity = split(text);
    if (!quantity || !quantity->unit.empty()) return std::nullopt;
    return quantity->number;
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
    std::uint64_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return count;
}

std::optional<std::uint64_t> parse_window(std::string_view text) {
    return parse_octets(text, 1024);
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
    return parse_octets(text, 1000);
}

std::optional<std::uint64_t> parse_rate(std::string_view text) {
    auto quantity = split(text);
    const bool in_bytes = text.find('B') != std::string_view::npos;  // the one letter whose size matters
    if (!quantity || in_bytes) return std::nullopt;
    for (const std::string_view suffix : {"bit/s", "bps", "b/s"}) {
        if (take_suffix(quantity->unit, suffix)) break;
    }
    const auto factor = prefix(quantity->unit, 1000);
    if (!factor) return std::nullopt;
    return whole(std::round(quantity->number * *factor));
}

std::optional<Duration> parse_milliseconds(std::string_view text) {
    const auto quantity = split(text);
    if (!quantity) return std::nullopt;
    struct Unit {
        std::string_view name;
        double nanoseconds;
    };
    constexpr std::array units = {Unit{"", 1e6}, Unit{"ms", 1e6}, Unit{"s", 1e9}, Unit{"us", 1e3}};
    const auto* const unit =
        std::find_if(units.begin(), units.end(), [&](const Unit& each) { return each.name == quantity->unit; });
    if (unit == units.end()) return std::nullopt;
    constexpr double day_ns = 86'400e9;
    const double duration_ns = std::round(quantity->number * unit->nanoseconds);
    if (duration_ns < 0 || duration_ns > day_ns) return std::nullopt;
    return Duration(static_cast<std::int64_t>(duration_ns));
}

std::string format_window(std::uint64_t octets) {
    constexpr std::array<std::string_view, 3> letters = {"G", "M", "K"};
    std::uint64_t unit = 1U << 30;
    for (const std::string_view letter : letters) {
        if (octets >= unit && octets % unit == 0) return fmt::format("{}{}", octets / unit, letter);
        unit >>= 10;
    }
    return fmt::format("{}", octets);
}

std::string format_count(std::uint64_t count) {
    const std::string digits = fmt::format("{}", count);
    std::string grouped;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0) grouped += ',';
        grouped += digits[i];
    }
    return grouped;
}

std::string format_bytes(std::uint64_t octets) {
    constexpr std::uint64_t million = 1'000'000;
    if (octets >= million && octets % million == 0) return format_count(octets / million) + " MB";
    return format_count(octets) + (octets == 1 ? " byte" : " bytes");
}

std::string format_rate(std::uint64_t bits_per_second) {
    if (bits_per_second == 0) return "unlimited";
    const auto rate = static_cast<double>(bits_per_second);
    if (bits_per_second >= 1'000'000) return fmt::format("{} Mb/s", rate / 1e6);
    if (bits_per_second >= 1'000) return fmt::format("{} kb/s", rate / 1e3);
    return fmt::format("{} b/s", bits_per_second);
}

std::string format_error_rate(double rate) {
    std::string text = fmt::format("{}", rate);
    const std::size_t exponent = text.find("e-0");
    if (exponent != std::string::npos) text.erase(exponent + 2, 1);
    return text;
}

std::string format_milliseconds(Duration duration) {
    return fmt::format("{} ms", static_cast<double>(duration.count()) / 1e6);
}

}  // namespace lfn::cli
