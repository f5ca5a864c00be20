// SPDX-License-Identifier: BSD-3-Clause
// What is sent, and where it goes: patterns and files.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "ports/services/pattern.hpp"

namespace lfn::services {

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

class Payload {
public:
    virtual ~Payload() = default;
    /// Fills as much of `octets` as there is; 0: the end, or error(), or waits().
    virtual std::size_t read(std::span<std::uint8_t> octets) = 0;
    /// A descriptor to be watched for more, as there is none now but will be; -1: read on.
    virtual int waits() const { return -1; }
    /// If it is known.
    virtual std::optional<std::uint64_t> size() const = 0;
    /// A phrase; empty if all is well.
    virtual std::string error() const { return {}; }
};

class PatternPayload final : public Payload {
public:
    PatternPayload(std::uint64_t octets, std::uint64_t seed) : pattern_(seed), octets_(octets) {}
    std::size_t read(std::span<std::uint8_t> octets) override;
    std::optional<std::uint64_t> size() const override { return octets_; }

private:
    Pattern pattern_;
    std::uint64_t octets_;
    std::uint64_t at_ = 0;
};

class FilePayload final : public Payload {
public:
    /// "-" is the standard input. False: error() says why.
    bool open(const std::string& name);
    /// Never blocks for a pipe or a terminal that has nothing yet.
    std::size_t read(std::span<std::uint8_t> octets) override;
    int waits() const override { return waits_; }
    std::optional<std::uint64_t> size() const override { return size_; }
    std::string error() const override { return error_; }

private:
    File file_;
    std::string name_;
    std::optional<std::uint64_t> size_;
    int waits_ = -1;
    std::string error_;
};

}  // namespace lfn::services
