// SPDX-License-Identifier: BSD-3-Clause
// HTTP as `lfn get` reads it and `lfn serve` names its files.
#include <gtest/gtest.h>

#include <array>

#include "ports/services/http_files.hpp"
#include "ports/services/http_get.hpp"
#include "ports/services/pattern.hpp"

namespace lfn::services {
namespace {

TEST(HttpUrl, is_a_host_and_a_path) {
    const auto url = parse_http_url("http://10.0.2.2:8000/a/b?c=d");
    ASSERT_TRUE(url);
    EXPECT_EQ(url->host, "10.0.2.2:8000");
    EXPECT_EQ(url->path, "/a/b?c=d");
    EXPECT_EQ(parse_http_url("http://10.0.2.2")->path, "/");
    EXPECT_EQ(parse_http_url("http://10.0.2.2/a#b")->path, "/a");
}

TEST(HttpUrl, what_could_not_stand_in_a_request_is_none) {
    for (const char* text :
         {"", "10.0.2.2", "https://10.0.2.2/", "http://", "http:///a", "http://a/b c", "http://a/\r\n"}) {
        EXPECT_FALSE(parse_http_url(text)) << text;
    }
}

TEST(HttpHead, has_a_status_a_reason_and_a_length) {
    const auto head = parse_http_head("HTTP/1.1 404 Not Found\r\nServer: x\r\ncontent-LENGTH:  12 \r\nOdd line");
    ASSERT_TRUE(head);
    EXPECT_EQ(head->status, 404);
    EXPECT_EQ(head->reason, "Not Found");
    EXPECT_EQ(head->content_length, 12U);
}

TEST(HttpHead, length_may_be_missing_and_the_reason_empty) {
    const auto head = parse_http_head("HTTP/1.0 200");
    ASSERT_TRUE(head);
    EXPECT_EQ(head->status, 200);
    EXPECT_EQ(head->reason, "");
    EXPECT_FALSE(head->content_length);
}

TEST(HttpHead, tells_of_a_transfer_encoding) {
    EXPECT_TRUE(parse_http_head("HTTP/1.1 200 OK\r\ntransfer-ENCODING: Chunked")->encoded);
    EXPECT_TRUE(parse_http_head("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: identity")->encoded);
    EXPECT_FALSE(parse_http_head("HTTP/1.1 200 OK\r\nTransfer-Encoding: identity")->encoded);
    EXPECT_FALSE(parse_http_head("HTTP/1.1 200 OK\r\nContent-Encoding: gzip")->encoded);
}

TEST(HttpHead, what_is_none_is_refused) {
    for (const char* text :
         {"", "\r\n", "SSH-2.0-x", "HTTP/2 200", "HTTP/1.1 2x0 OK", "HTTP/1.1 099 Low", "HTTP/1.1200 OK",
          "HTTP/1.1 200 OK\r\nContent-Length: -1", "HTTP/1.1 200 OK\r\nContent-Length: 1x",
          "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999"}) {
        EXPECT_FALSE(parse_http_head(text)) << text;
    }
}

TEST(PatternName, is_seed_and_length) {
    const auto name = parse_pattern_name("/pattern/18446744073709551615/2147483647");
    ASSERT_TRUE(name);
    EXPECT_EQ(name->seed, UINT64_MAX);
    EXPECT_EQ(name->octets, INT32_MAX);
    for (const char* text : {"/pattern", "/pattern/", "/pattern/1", "/pattern//1", "/pattern/1/", "/pattern/1/-1",
                             "/pattern/1/2147483648", "/pattern/1/2/3", "/pattern/x/1", "/other/1/1"}) {
        EXPECT_FALSE(parse_pattern_name(text)) << text;
    }
}

TEST(HttpFiles, are_read_in_pieces_and_closed) {
    HttpFiles files([] { return std::string("well"); });
    const lfn_http_files table = files.table();
    void* handle = nullptr;
    EXPECT_EQ(table.open(table.context, "/none", &handle), -1);
    ASSERT_EQ(table.open(table.context, "/pattern/7/100", &handle), 100);
    std::array<std::uint8_t, 100> got{}, expected{};
    table.read(table.context, handle, 0, got.data(), 33);
    table.read(table.context, handle, 33, got.data() + 33, 67);
    Pattern(7).fill(0, expected);
    EXPECT_EQ(got, expected);
    EXPECT_EQ(files.open(), 1U);
    table.close(table.context, handle);
    EXPECT_EQ(files.open(), 0U);
    EXPECT_EQ(files.octets_read(), 100U);
    ASSERT_EQ(table.open(table.context, "/status.txt", &handle), 4);
    table.close(table.context, handle);
}

}  // namespace
}  // namespace lfn::services
