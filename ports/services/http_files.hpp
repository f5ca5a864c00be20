// SPDX-License-Identifier: BSD-3-Clause
// What our HTTP server shows: an index, a status page, and patterns of any size, made as they are asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "lfn/stack.h"

namespace lfn::services {

/// "/pattern/SEED/OCTETS".
struct PatternName {
    std::uint64_t seed = 0;
    std::int32_t octets = 0;  ///< lwIP's server counts with int
};
std::optional<PatternName> parse_pattern_name(std::string_view name);

class HttpFiles {
public:
    /// `status` makes the text of /status.txt.
    explicit HttpFiles(std::function<std::string()> status) : status_(std::move(status)) {}
    HttpFiles(const HttpFiles&) = delete;
    HttpFiles& operator=(const HttpFiles&) = delete;

    /// For lfn_stack::serve_http. This object must outlive the host.
    lfn_http_files table();

    std::uint64_t opened() const { return opened_; }
    std::uint64_t octets_read() const { return octets_read_; }
    /// Now.
    std::uint64_t open() const { return open_; }

private:
    struct File;
    std::unique_ptr<File> make(std::string_view name) const;

    std::function<std::string()> status_;
    std::uint64_t opened_ = 0, octets_read_ = 0, open_ = 0;
};

}  // namespace lfn::services
