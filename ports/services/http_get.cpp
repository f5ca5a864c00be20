// SPDX-License-Identifier: BSD-3-Clause
#include "ports/services/http_get.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>

namespace lfn::services {

namespace {

constexpr std::size_t head_octets_max = 16384;
constexpr std::string_view end_of_head = "\r\n\r\n", end_of_line = "\r\n";

std::string small_letters(std::string_view text) {
    std::string small(text);
    std::transform(small.begin(), small.end(), small.begin(),
                   [](char letter) { return static_cast<char>(std::tolower(static_cast<unsigned char>(letter))); });
    return small;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

// "HTTP/1.0 200 OK".
bool parse_status_line(std::string_view line, HttpHead& head) {
    if (!line.starts_with("HTTP/1.") || line.size() < 12 || line[8] != ' ') return false;
    const auto [end, error] = std::from_chars(line.data() + 9, line.data() + 12, head.status);
    if (error != std::errc() || end != line.data() + 12 || head.status < 100) return false;
    head.reason = trimmed(line.substr(12));
    return true;
}

// False: a length that is none.
bool parse_field(std::string_view line, HttpHead& head) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return true;
    const std::string name = small_letters(line.substr(0, colon));
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (name == "transfer-encoding") head.encoded = head.encoded || small_letters(value) != "identity";
    if (name != "content-length") return true;
    std::uint64_t length = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), length);
    if (error != std::errc() || end != value.data() + value.size()) return false;
    head.content_length = length;
    return true;
}

}  // namespace

std::optional<HttpUrl> parse_http_url(std::string_view text) {
    constexpr std::string_view scheme = "http://";
    if (!text.starts_with(scheme)) return std::nullopt;
    text.remove_prefix(scheme.size());
    const bool printable =
        std::all_of(text.begin(), text.end(), [](char letter) { return letter > ' ' && letter < 127; });
    const std::size_t slash = text.find('/');
    if (!printable || slash == 0 || text.empty()) return std::nullopt;
    HttpUrl url{std::string(text.substr(0, slash))};
    if (slash != std::string_view::npos) url.path = text.substr(slash, text.find('#') - slash);
    return url;
}

std::optional<HttpHead> parse_http_head(std::string_view head) {
    HttpHead result;
    for (bool first = true; !head.empty() || first; first = false) {
        const std::size_t end = head.find(end_of_line);
        const std::string_view line = head.substr(0, end);
        if (first ? !parse_status_line(line, result) : !parse_field(line, result)) return std::nullopt;
        head.remove_prefix(end == std::string_view::npos ? head.size() : end + end_of_line.size());
    }
    return result;
}

HttpGet::HttpGet(RealtimeHost& host, Callback on_over, const HttpUrl& url, std::FILE* store)
    : Session(host, on_over),
      request_("GET " + url.path + " HTTP/1.0\r\nHost: " + url.host + "\r\nUser-Agent: lfn\r\n\r\n"),
      store_(store) {}

void HttpGet::on_connected() {
    say(request_);
}

void HttpGet::on_received(std::span<const std::uint8_t> octets) {
    if (head_) return take_body(octets);
    const std::size_t before = head_text_.size();
    head_text_.append(reinterpret_cast<const char*>(octets.data()), octets.size());
    const std::size_t end = head_text_.find(end_of_head);
    if (end == std::string::npos) {
        if (head_text_.size() > head_octets_max) give_up("what came is not HTTP: its head has no end");
        return;
    }
    head_ = parse_http_head(std::string_view(head_text_).substr(0, end));
    if (!head_) return give_up("what came is not HTTP");
    if (head_->status / 100 != 2) {
        return give_up("the server answers " + std::to_string(head_->status) + " " + head_->reason);
    }
    if (head_->encoded) {
        return give_up(
            "the server sends in chunks, or else encoded, though it was asked by HTTP/1.0, which has no such");
    }
    take_body(octets.subspan(end + end_of_head.size() - before));
}

void HttpGet::take_body(std::span<const std::uint8_t> octets) {
    digest_.add(octets);
    if (head_->content_length && digest_.octets() > *head_->content_length) {
        return give_up("the server sends more than it has announced");
    }
    if (store_ != nullptr && std::fwrite(octets.data(), 1, octets.size(), store_) != octets.size()) {
        give_up(std::string("cannot write what came: ") + std::strerror(errno));
    }
}

void HttpGet::on_peer_closed() {
    if (!head_) {
        set_failure("the server closed before it had answered");
    } else if (head_->content_length && digest_.octets() < *head_->content_length) {
        set_failure("the server closed before it had sent everything");
    }
    close();
}

}  // namespace lfn::services
