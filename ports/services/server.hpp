// SPDX-License-Identifier: BSD-3-Clause
// Services of one host, each on its port.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "ports/services/service_sessions.hpp"

namespace lfn::services {

class Server {
public:
    explicit Server(RealtimeHost& host) : host_(host) {}
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    /// False: the port is taken, or no memory.
    bool listen(Service service, std::uint16_t port, const lfn_tcp_settings& settings);
    /// Resets all connections and stops listening.
    void shut_down();

    /// Called from the loop when a session is over.
    std::function<void(Service service, Session& session)> on_session_over;
    /// The session that began last, of those that are not over; null if there is none.
    const Session* newest() const { return sessions_.empty() ? nullptr : sessions_.back()->session.get(); }
    std::size_t sessions() const { return sessions_.size(); }
    std::uint64_t sessions_over() const { return sessions_over_; }

private:
    struct Listener {
        Server* server;
        Service service;
        lfn_conn* conn;
    };
    struct Running {
        void on_over() { server->remove(*this); }
        Server* server;
        Service service;
        std::unique_ptr<Session> session;
    };
    static const lfn_listener_events events;

    void accept(Listener& listener, lfn_conn* conn, void** context);
    void remove(Running& running);

    RealtimeHost& host_;
    std::vector<std::unique_ptr<Listener>> listeners_;
    std::vector<std::unique_ptr<Running>> sessions_;
    std::uint64_t sessions_over_ = 0;
};

}  // namespace lfn::services
