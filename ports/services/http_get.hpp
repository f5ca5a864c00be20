// SPDX-License-Identifier: BSD-3-Clause
// A file from an HTTP server (RFC 1945: HTTP/1.0, which has no chunks): GET, and what comes is digested and stored.
#pragma once

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "ports/services/digest.hpp"
#include "ports/services/session.hpp"

namespace lfn::services {

/// "http://10.0.2.2:8000/file". The host is left as it is written.
struct HttpUrl {
    std::string host;        ///< with its port, if one is given
    std::string path = "/";  ///< and query
};
std::optional<HttpUrl> parse_http_url(std::string_view text);

/// The head of an answer, up to its empty line.
struct HttpHead {
    int status = 0;
    std::string reason;  ///< "Not Found"
    std::optional<std::uint64_t> content_length;
    bool encoded = false;  ///< Transfer-Encoding says something else than "identity" (RFC 9112 6.1)
};
/// `head` without the empty line. Nothing: it is none.
std::optional<HttpHead> parse_http_head(std::string_view head);

class HttpGet final : public Session {
public:
    /// `store`, if not null, gets the body.
    HttpGet(RealtimeHost& host, Callback on_over, const HttpUrl& url, std::FILE* store = nullptr);

    /// Of the body.
    const Digest& digest() const { return digest_; }
    /// As the server says it; nothing as long as it has not.
    std::optional<std::uint64_t> length() const { return head_ ? head_->content_length : std::nullopt; }

private:
    void on_connected() override;
    void on_received(std::span<const std::uint8_t> octets) override;
    void on_peer_closed() override;
    void take_body(std::span<const std::uint8_t> octets);

    std::string request_;
    std::FILE* store_;
    std::string head_text_;
    std::optional<HttpHead> head_;
    Digest digest_;
};

}  // namespace lfn::services
