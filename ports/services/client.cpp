// SPDX-License-Identifier: BSD-3-Clause
#include "ports/services/client.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "ports/services/service_sessions.hpp"

namespace lfn::services {

namespace {
constexpr std::size_t piece_octets = 16384;
constexpr std::size_t answer_octets_max = 256;
}  // namespace

Put::Put(RealtimeHost& host, Callback on_over, Payload& payload)
    : Session(host, on_over), payload_(payload), piece_(piece_octets) {}

bool Put::confirmed() const {
    return answer_ == digest_line(digest_);
}

bool Put::next_piece() {
    piece_at_ = 0;
    piece_size_ = payload_.read(piece_);
    digest_.add(std::span(piece_).first(piece_size_));
    return piece_size_ > 0;
}

void Put::send() {
    while (!at_end_) {
        if (piece_at_ == piece_size_ && !next_piece()) {
            if (payload_.waits() >= 0) {
                if (on_wait_) on_wait_();
                return;
            }
            at_end_ = true;
            if (!payload_.error().empty()) return give_up(payload_.error());
            break;
        }
        const std::size_t taken = write(std::span(piece_).subspan(piece_at_, piece_size_ - piece_at_));
        if (taken == 0) return;
        piece_at_ += taken;
    }
    finish();
}

void Put::more() {
    host().with_stack([this](const lfn_stack&) {
        if (connected()) send();
    });
}

void Put::on_received(std::span<const std::uint8_t> octets) {
    const std::size_t count = std::min(octets.size(), answer_octets_max - answer_.size());
    answer_.append(reinterpret_cast<const char*>(octets.data()), count);
}

void Put::on_peer_closed() {
    if (!at_end_) return give_up("the peer closed before it had everything");
    close();
}

Get::Get(RealtimeHost& host, Callback on_over, std::uint64_t octets, std::uint64_t seed, std::FILE* store)
    : Session(host, on_over), octets_(octets), seed_(seed), store_(store) {}

void Get::on_connected() {
    say(std::to_string(octets_) + " " + std::to_string(seed_) + "\n");
}

void Get::on_received(std::span<const std::uint8_t> octets) {
    const std::uint64_t offset = octets_received() - octets.size();
    digest_.add(octets);
    expected_.resize(octets.size());
    Pattern(seed_).fill(offset, expected_);
    if (!std::ranges::equal(octets, expected_)) differs_ = true;
    if (store_ != nullptr && std::fwrite(octets.data(), 1, octets.size(), store_) != octets.size()) {
        give_up(std::string("cannot write what came: ") + std::strerror(errno));
    }
}

void Get::on_peer_closed() {
    if (octets_received() < octets_) set_failure("the peer closed before it had sent everything");
    if (octets_received() > octets_) set_failure("the peer sent more than was asked for");
    if (differs_) set_failure("what came differs from the pattern");
    close();
}

}  // namespace lfn::services
