// SPDX-License-Identifier: BSD-3-Clause
#include "ports/services/session.hpp"

namespace lfn::services {

const lfn_conn_events Session::events = {
    .connected =
        [](void* self) {
            auto& session = *static_cast<Session*>(self);
            session.was_open_ = true;
            session.on_connected();
        },
    .received =
        [](void* self, const std::uint8_t* octets, std::size_t length) {
            auto& session = *static_cast<Session*>(self);
            if (session.over_) return;
            session.octets_received_ += length;
            session.last_received_ = session.host_.loop().now();
            session.on_received({octets, length});
            if (!session.holds_window_) session.consume(length);
        },
    .says_what_it_consumed = true,
    .acknowledged =
        [](void* self, std::uint32_t octets) {
            auto& session = *static_cast<Session*>(self);
            session.octets_acknowledged_ += octets;
            if (session.over_) return;
            session.say_more();
            if (session.all_said()) session.on_room();
        },
    .peer_closed =
        [](void* self) {
            auto& session = *static_cast<Session*>(self);
            if (!session.over_) session.on_peer_closed();
        },
    .gone =
        [](void* self, const char* reason) {
            auto& session = *static_cast<Session*>(self);
            session.conn_ = nullptr;
            if (session.failure_.empty()) session.failure_ = reason;
            session.end();
        },
};

Session::Session(RealtimeHost& host, Callback on_over)
    : host_(host),
      on_over_(on_over),
      over_timer_(host.loop(), Callback::bind<&Session::run_over>(*this)),
      began_(host.loop().now()) {}

Session::~Session() {
    if (conn_ != nullptr) host_.with_stack([this](const lfn_stack& stack) { stack.abort(conn_); });
}

bool Session::connect(const IpAddress& address, std::uint16_t port, const lfn_tcp_settings& settings) {
    began_ = host_.loop().now();
    conn_ = host_.with_stack([&](const lfn_stack& stack) {
        if (address.is_ipv6) return stack.connect_ipv6(address.ipv6.data(), port, &settings, &events, this);
        return stack.connect(address.ipv4, port, &settings, &events, this);
    });
    if (conn_ == nullptr) failure_ = "the stack has no memory for a connection, or no route";
    return conn_ != nullptr;
}

void Session::adopt(lfn_conn* conn) {
    conn_ = conn;
    was_open_ = true;
    on_connected();
}

lfn_tcp_info Session::info() {
    if (conn_ != nullptr) host_.with_stack([this](const lfn_stack& stack) { stack.info(conn_, &info_); });
    return info_;
}

std::size_t Session::room() const {
    return host_.stack().send_room(conn_);
}

std::size_t Session::write(std::span<const std::uint8_t> octets) {
    const std::size_t taken = host_.stack().write(conn_, octets.data(), octets.size());
    octets_sent_ += taken;
    return taken;
}

void Session::say(const std::string& text) {
    unsaid_ += text;
    say_more();
}

void Session::say_more() {
    if (unsaid_.empty()) return;
    unsaid_.erase(0, write({reinterpret_cast<const std::uint8_t*>(unsaid_.data()), unsaid_.size()}));
}

void Session::consume(std::size_t octets) {
    if (conn_ != nullptr) host_.stack().consumed(conn_, octets);
}

bool Session::finish() {
    if (!finished_) finished_ = host_.stack().finish(conn_);
    return finished_;
}

void Session::close() {
    host_.stack().info(conn_, &info_);
    host_.stack().close(conn_);
    conn_ = nullptr;
    end();
}

void Session::give_up(const std::string& reason) {
    if (over_) return;
    failure_ = reason;
    reset_ = true;
    end();
}

// The rest waits until the stack has returned to the loop.
void Session::end() {
    if (over_) return;
    over_ = true;
    ended_ = host_.loop().now();
    over_timer_.schedule_after(Duration::zero());
}

void Session::run_over() {
    if (reset_ && conn_ != nullptr) {
        info();
        host_.with_stack([this](const lfn_stack& stack) { stack.abort(conn_); });
        conn_ = nullptr;
    }
    if (on_over_) on_over_();
}

}  // namespace lfn::services
