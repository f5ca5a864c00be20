// SPDX-License-Identifier: BSD-3-Clause
#include "ports/services/server.hpp"

#include <algorithm>

namespace lfn::services {

const lfn_listener_events Server::events = {
    .accepted =
        [](void* self, lfn_conn* conn, const lfn_conn_events** conn_events, void** context) {
            auto& listener = *static_cast<Listener*>(self);
            *conn_events = &Session::events;
            listener.server->accept(listener, conn, context);
            return true;
        },
};

Server::~Server() {
    shut_down();
}

bool Server::listen(Service service, std::uint16_t port, const lfn_tcp_settings& settings) {
    auto listener = std::make_unique<Listener>(Listener{this, service, nullptr});
    listener->conn = host_.with_stack(
        [&](const lfn_stack& stack) { return stack.listen(port, &settings, &events, listener.get()); });
    if (listener->conn == nullptr) return false;
    listeners_.push_back(std::move(listener));
    return true;
}

void Server::shut_down() {
    sessions_.clear();
    host_.with_stack([this](const lfn_stack& stack) {
        for (const auto& listener : listeners_) stack.close(listener->conn);
    });
    listeners_.clear();
}

void Server::accept(Listener& listener, lfn_conn* conn, void** context) {
    auto running = std::make_unique<Running>(Running{this, listener.service, nullptr});
    running->session = make_session(listener.service, host_, Callback::bind<&Running::on_over>(*running));
    *context = running->session.get();
    running->session->adopt(conn);
    sessions_.push_back(std::move(running));
}

void Server::remove(Running& running) {
    ++sessions_over_;
    if (on_session_over) on_session_over(running.service, *running.session);
    std::erase_if(sessions_, [&](const auto& each) { return each.get() == &running; });
}

}  // namespace lfn::services
