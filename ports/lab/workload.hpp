// SPDX-License-Identifier: BSD-3-Clause
// A source that sends a given number of octets and a sink that takes them, each with a digest over what passed.
#pragma once

#include <xxhash.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "emulators/time/loop.hpp"
#include "lfn/stack.h"
#include "ports/lab/stack_host.hpp"

namespace lfn::lab {

/// XXH3, 128 bits, over the octets of one direction.
class Digest {
public:
    Digest();
    void add(const std::uint8_t* octets, std::size_t length);
    std::uint64_t octets() const { return octets_; }
    /// 32 hexadecimal digits.
    std::string text() const;
    friend bool operator==(const Digest& left, const Digest& right);

private:
    struct Free {
        void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
    };
    std::unique_ptr<XXH3_state_t, Free> state_;
    std::uint64_t octets_ = 0;
};

/// The octets that a source sends: without end, from a seed. No two pieces are alike, so that a piece at the wrong
/// place shows in the digest.
class Pattern {
public:
    explicit Pattern(std::uint64_t seed);
    /// The next piece, 16 KiB; good until the next call.
    std::span<const std::uint8_t> next();

private:
    std::vector<std::uint64_t> block_;  // random; each piece is made from it
    std::vector<std::uint64_t> piece_;
    std::uint64_t pieces_ = 0;
};

/// Of the first octets that a source with that seed sends.
Digest digest_of_pattern(std::uint64_t seed, std::uint64_t octets);

/// What either end knows when the connection is over, or as far as it came.
struct End {
    Digest digest;
    lfn_tcp_info info{};
    bool finished = false;  ///< the connection was closed in good order
    std::string failure;    ///< why not, as a phrase
    Time first{};           ///< when the connection was asked for, or made
    Time last{};            ///< of the last octet
};

/// Connects, sends `octets` octets of a pattern that depends on `seed`, closes.
class Source {
public:
    Source(StackHost& host, Loop& loop, std::uint64_t octets, std::uint64_t seed);
    ~Source();
    bool start(std::uint32_t address, std::uint16_t port, const lfn_tcp_settings& settings);
    const End& end() const { return end_; }
    /// A snapshot of the running connection.
    lfn_tcp_info info();

private:
    static const lfn_conn_events events;
    void fill();
    void on_peer_closed();
    void next_piece();

    StackHost& host_;
    Loop& loop_;
    std::uint64_t left_;
    Pattern pattern_;
    std::span<const std::uint8_t> piece_;  // what the stack has not taken yet
    lfn_conn* conn_ = nullptr;
    bool finish_sent_ = false;
    End end_;
};

/// Listens, takes what comes, closes when the peer does.
class Sink {
public:
    Sink(StackHost& host, Loop& loop) : host_(host), loop_(loop) {}
    ~Sink();
    bool start(std::uint16_t port, const lfn_tcp_settings& settings);
    const End& end() const { return end_; }
    lfn_tcp_info info();

private:
    static const lfn_conn_events events;
    static const lfn_listener_events listener_events;

    StackHost& host_;
    Loop& loop_;
    lfn_conn* listener_ = nullptr;
    lfn_conn* conn_ = nullptr;
    End end_;
};

}  // namespace lfn::lab
