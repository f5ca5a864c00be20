// SPDX-License-Identifier: BSD-3-Clause
// The client sides: put sends a payload to a sink and checks the digest that it answers with; get asks a source for a
// pattern and checks what comes, octet by octet.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ports/services/digest.hpp"
#include "ports/services/payload.hpp"
#include "ports/services/session.hpp"

namespace lfn::services {

/// Sends all of a payload, FIN, and reads what the peer says up to its FIN.
class Put final : public Session {
public:
    Put(RealtimeHost& host, Callback on_over, Payload& payload);
    /// Called, from within the stack, when the payload has nothing yet: watch its waits(), and call more() when it is
    /// ready.
    void on_wait(Callback callback) { on_wait_ = callback; }
    void more();

    const Digest& digest() const { return digest_; }
    /// What the peer answered, its first 256 octets.
    const std::string& answer() const { return answer_; }
    /// The answer is the line of a sink that got what was sent.
    bool confirmed() const;
    /// When the last octet was handed to the stack; goodput is measured to ended().
    bool sent_all() const { return at_end_; }

private:
    void on_connected() override { send(); }
    void on_received(std::span<const std::uint8_t> octets) override;
    void on_room() override { send(); }
    void on_peer_closed() override;
    void send();
    bool next_piece();

    Payload& payload_;
    Callback on_wait_{};
    std::vector<std::uint8_t> piece_;
    std::size_t piece_at_ = 0, piece_size_ = 0;
    bool at_end_ = false;
    Digest digest_;
    std::string answer_;
};

/// Asks for so many octets of the pattern of `seed` and compares.
class Get final : public Session {
public:
    /// `store`, if not null, gets everything.
    Get(RealtimeHost& host, Callback on_over, std::uint64_t octets, std::uint64_t seed, std::FILE* store = nullptr);

    const Digest& digest() const { return digest_; }
    /// All that was asked for came, and was right.
    bool complete() const { return octets_received() == octets_ && !differs_; }

private:
    void on_connected() override;
    void on_received(std::span<const std::uint8_t> octets) override;
    void on_peer_closed() override;

    std::uint64_t octets_;
    std::uint64_t seed_;
    std::FILE* store_;
    std::vector<std::uint8_t> expected_;
    bool differs_ = false;
    Digest digest_;
};

}  // namespace lfn::services
