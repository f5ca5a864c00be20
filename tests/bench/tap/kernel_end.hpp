// SPDX-License-Identifier: BSD-3-Clause
// The kernel's end of a measured transfer: a process of its own, with blocking sockets, in our network namespace.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lfn::bench {

/// What is sent: a block of pseudo-random octets, again and again. Its length is a prime number, so that no two places
/// that a stack might take for each other are alike.
std::span<const std::uint8_t> block();
/// XXH3 of the first `octets` of that.
std::string digest_of_stream(std::uint64_t octets);

enum class Role : std::uint8_t {
    source,  ///< sends so many octets, then FIN
    sink,    ///< reads up to FIN, then closes
};

class KernelEnd {
public:
    /// Listens on `port`, forks and accepts one connection. False: error() says why.
    bool start(Role role, std::uint16_t port, std::uint64_t octets);
    ~KernelEnd();

    /// Waits for the end. What a sink has read: its digest; nothing if something went wrong.
    std::optional<std::string> digest();
    const std::string& error() const { return error_; }

private:
    bool fail(const std::string& what);

    pid_t child_ = -1;
    int result_ = -1;
    std::string error_;
};

}  // namespace lfn::bench
