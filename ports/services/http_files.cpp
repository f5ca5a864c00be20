// SPDX-License-Identifier: BSD-3-Clause
#include "ports/services/http_files.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <span>

#include "ports/services/pattern.hpp"

namespace lfn::services {

namespace {

constexpr std::string_view pattern_prefix = "/pattern/";
constexpr std::string_view index_page =
    "<!DOCTYPE html>\n<title>lfn</title>\n<h1>lfn</h1>\n<ul>\n"
    "<li><a href=\"/status.txt\">status</a>\n"
    "<li><a href=\"/pattern/1/1000000\">/pattern/SEED/BYTES</a>: so many bytes of a pattern\n</ul>\n";

// Takes all of `text` as a number.
template <class Number>
bool parse(std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::optional<PatternName> parse_pattern_name(std::string_view name) {
    if (!name.starts_with(pattern_prefix)) return std::nullopt;
    name.remove_prefix(pattern_prefix.size());
    const std::size_t slash = name.find('/');
    PatternName pattern;
    if (slash == std::string_view::npos || !parse(name.substr(0, slash), pattern.seed) ||
        !parse(name.substr(slash + 1), pattern.octets) || pattern.octets < 0) {
        return std::nullopt;
    }
    return pattern;
}

// A text, or a pattern.
struct HttpFiles::File {
    std::string text;
    std::optional<PatternName> pattern;

    std::int32_t length() const { return pattern ? pattern->octets : static_cast<std::int32_t>(text.size()); }
    void read(std::uint32_t offset, std::span<std::uint8_t> octets) const {
        if (pattern) return Pattern(pattern->seed).fill(offset, octets);
        std::copy_n(text.begin() + offset, octets.size(), octets.begin());
    }
};

std::unique_ptr<HttpFiles::File> HttpFiles::make(std::string_view name) const {
    if (name == "/index.html") return std::make_unique<File>(File{std::string(index_page), std::nullopt});
    if (name == "/status.txt") return std::make_unique<File>(File{status_(), std::nullopt});
    const auto pattern = parse_pattern_name(name);
    return pattern ? std::make_unique<File>(File{{}, pattern}) : nullptr;
}

lfn_http_files HttpFiles::table() {
    lfn_http_files files{};
    files.context = this;
    files.open = [](void* self, const char* name, void** handle) -> std::int32_t {
        auto& all = *static_cast<HttpFiles*>(self);
        auto file = all.make(name);
        if (file == nullptr) return -1;
        ++all.opened_;
        ++all.open_;
        const std::int32_t length = file->length();
        *handle = file.release();
        return length;
    };
    files.read = [](void* self, void* handle, std::uint32_t offset, std::uint8_t* octets, std::size_t length) {
        static_cast<const File*>(handle)->read(offset, {octets, length});
        static_cast<HttpFiles*>(self)->octets_read_ += length;
    };
    files.close = [](void* self, void* handle) {
        delete static_cast<File*>(handle);
        --static_cast<HttpFiles*>(self)->open_;
    };
    return files;
}

}  // namespace lfn::services
