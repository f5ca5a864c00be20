// SPDX-License-Identifier: BSD-3-Clause
#include "ports/services/service_sessions.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <vector>

namespace lfn::services {

namespace {

class Discard final : public Session {
public:
    using Session::Session;

private:
    void on_received(std::span<const std::uint8_t>) override {}
};

// What could not be written back yet waits here, and stays in the receive window: who does not read is held up.
class Echo final : public Session {
public:
    Echo(RealtimeHost& host, Callback on_over) : Session(host, on_over) { hold_window(); }

private:
    void on_received(std::span<const std::uint8_t> octets) override {
        backlog_.insert(backlog_.end(), octets.begin(), octets.end());
        send();
    }
    void on_room() override { send(); }
    void on_peer_closed() override {
        closing_ = true;
        send();
    }
    void send() {
        while (at_ < backlog_.size()) {
            const std::size_t taken = write(std::span(backlog_).subspan(at_));
            if (taken == 0) break;
            at_ += taken;
            consume(taken);
        }
        if (at_ >= backlog_.size() / 2) {
            backlog_.erase(backlog_.begin(), backlog_.begin() + static_cast<std::ptrdiff_t>(at_));
            at_ = 0;
        }
        if (closing_ && backlog_.empty()) close();
    }

    std::vector<std::uint8_t> backlog_;
    std::size_t at_ = 0;
    bool closing_ = false;
};

// RFC 864's rotating lines of 72 characters.
class Chargen final : public Session {
public:
    using Session::Session;

private:
    static constexpr std::size_t line_octets = 74, characters = 95;
    static constexpr std::size_t period = line_octets * characters;

    static std::array<std::uint8_t, period> make_lines() {
        std::array<std::uint8_t, period> lines{};
        for (std::size_t i = 0; i < period; ++i) {
            const std::size_t line = i / line_octets, column = i % line_octets;
            lines[i] = static_cast<std::uint8_t>(' ' + (line + column) % characters);
            if (column == 72) lines[i] = '\r';
            if (column == 73) lines[i] = '\n';
        }
        return lines;
    }

    void on_connected() override { send(); }
    void on_received(std::span<const std::uint8_t>) override {}
    void on_room() override { send(); }
    void send() {
        static const std::array<std::uint8_t, period> lines = make_lines();
        while (const std::size_t taken = write(std::span(lines).subspan(at_))) at_ = (at_ + taken) % period;
    }

    std::size_t at_ = 0;
};

class Sink final : public Session {
public:
    using Session::Session;
    std::string remark() const override { return "digest " + digest_.text(); }

private:
    void on_received(std::span<const std::uint8_t> octets) override { digest_.add(octets); }
    void on_peer_closed() override {
        answered_ = true;
        say(digest_line(digest_));
        on_room();
    }
    void on_room() override {
        if (answered_ && all_said()) close();
    }

    Digest digest_;
    bool answered_ = false;
};

struct SourceRequest {
    std::uint64_t octets = 0, seed = 0;
};

std::optional<SourceRequest> parse_request(const std::string& line) {
    SourceRequest request;
    const char* const end = line.data() + line.size();
    const auto octets = std::from_chars(line.data(), end, request.octets);
    if (octets.ec != std::errc() || octets.ptr == end || *octets.ptr != ' ') return std::nullopt;
    const auto seed = std::from_chars(octets.ptr + 1, end, request.seed);
    const bool well = seed.ec == std::errc() && (seed.ptr == end || (*seed.ptr == '\r' && seed.ptr + 1 == end));
    return well ? std::optional(request) : std::nullopt;
}

class Source final : public Session {
public:
    using Session::Session;

private:
    static constexpr std::size_t line_octets_max = 64;

    void on_received(std::span<const std::uint8_t> octets) override {
        if (request_) return;
        for (const std::uint8_t octet : octets) {
            if (octet == '\n') return begin();
            line_.push_back(static_cast<char>(octet));
        }
        if (line_.size() > line_octets_max) give_up("the request is too long");
    }
    void begin() {
        request_ = parse_request(line_);
        if (!request_) return give_up("the request is not OCTETS SEED");
        send();
    }
    void on_room() override { send(); }
    void send() {
        if (!request_) return;
        const Pattern pattern(request_->seed);
        std::array<std::uint8_t, 16384> piece;
        while (sent_ < request_->octets) {
            const std::size_t room = std::min<std::uint64_t>({request_->octets - sent_, piece.size(), this->room()});
            if (room == 0) return;
            pattern.fill(sent_, std::span(piece).first(room));
            const std::size_t taken = write(std::span(piece).first(room));
            if (taken == 0) return;
            sent_ += taken;
        }
        if (peer_closed_) return close();
        finish();
    }
    void on_peer_closed() override {
        peer_closed_ = true;
        if (!request_) return give_up("the peer closed before it had asked");
        send();
    }

    std::string line_;
    std::optional<SourceRequest> request_;
    std::uint64_t sent_ = 0;
    bool peer_closed_ = false;
};

}  // namespace

std::string digest_line(const Digest& digest) {
    return digest.text() + " " + std::to_string(digest.octets()) + "\n";
}

const char* name_of(Service service) {
    static constexpr std::array names = {"echo", "discard", "chargen", "sink", "source"};
    return names[static_cast<std::size_t>(service)];
}

std::uint16_t default_port_of(Service service) {
    static constexpr std::array<std::uint16_t, 5> ports = {7, 9, 19, 5001, 5002};
    return ports[static_cast<std::size_t>(service)];
}

std::unique_ptr<Session> make_session(Service service, RealtimeHost& host, Callback on_over) {
    switch (service) {
        case Service::echo:
            return std::make_unique<Echo>(host, on_over);
        case Service::discard:
            return std::make_unique<Discard>(host, on_over);
        case Service::chargen:
            return std::make_unique<Chargen>(host, on_over);
        case Service::sink:
            return std::make_unique<Sink>(host, on_over);
        case Service::source:
            return std::make_unique<Source>(host, on_over);
    }
    return nullptr;
}

}  // namespace lfn::services
