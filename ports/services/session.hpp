// SPDX-License-Identifier: BSD-3-Clause
// One connection of a host and what is to be done on it. Derived classes say what.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "ports/realtime/ip_address.hpp"
#include "ports/realtime/realtime_host.hpp"

namespace lfn::services {

class Session {
public:
    /// `on_over` runs from the loop, once, when the connection is over; it may destroy the session.
    Session(RealtimeHost& host, Callback on_over);
    /// Resets a connection that is still there.
    virtual ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// False: the stack refused; failure() says so, and on_over does not follow.
    bool connect(const IpAddress& address, std::uint16_t port, const lfn_tcp_settings& settings);
    /// Takes over a connection that a listener accepted.
    void adopt(lfn_conn* conn);
    static const lfn_conn_events events;

    /// Resets the connection; `reason` becomes the failure, and on_over follows.
    void give_up(const std::string& reason);

    bool over() const { return over_; }
    /// The handshake was completed, whatever came of it.
    bool was_open() const { return was_open_; }
    /// Why it did not end in good order, as a phrase; empty if it did, or has not ended.
    const std::string& failure() const { return failure_; }
    std::uint64_t octets_received() const { return octets_received_; }
    /// When the last of them came.
    Time last_received() const { return last_received_; }
    /// Handed to the stack.
    std::uint64_t octets_sent() const { return octets_sent_; }
    /// Octets that came, or that the peer acknowledged: what grows while the connection moves.
    std::uint64_t progress() const { return octets_received_ + octets_acknowledged_; }
    /// What else there is to say, as a phrase: the sink's digest.
    virtual std::string remark() const { return {}; }
    Time began() const { return began_; }
    Time ended() const { return ended_; }
    /// Of the connection; as it was last, when that is over.
    lfn_tcp_info info();

protected:
    // From within the stack; on_connected() also when a listener has accepted. The connection may be written, finished
    // and closed only here, or in with_stack().
    virtual void on_connected() {}
    virtual void on_received(std::span<const std::uint8_t> octets) = 0;
    virtual void on_room() {}
    virtual void on_peer_closed() { close(); }

    RealtimeHost& host() { return host_; }
    bool connected() const { return conn_ != nullptr; }
    /// Octets that write() would take now.
    std::size_t room() const;
    /// Returns how many octets were taken.
    std::size_t write(std::span<const std::uint8_t> octets);
    /// Writes a short text, now and as room comes; nothing else is to be written before all_said().
    void say(const std::string& text);
    bool all_said() const { return unsaid_.empty(); }
    /// From now on the receive window opens only by consume(), octet by octet of what was received.
    void hold_window() { holds_window_ = true; }
    void consume(std::size_t octets);
    /// No more is written; sends FIN. Call again after on_room() as long as it returns false.
    bool finish();
    /// Both directions are done; the stack sends what it still holds, then FIN.
    void close();
    void set_failure(const std::string& reason) { failure_ = reason; }

private:
    void say_more();
    void end();
    void run_over();

    RealtimeHost& host_;
    Callback on_over_;
    Timer over_timer_;
    lfn_conn* conn_ = nullptr;
    bool over_ = false;
    bool was_open_ = false;
    bool reset_ = false;  // the connection is to be reset, outside of the stack
    bool finished_ = false;
    bool holds_window_ = false;
    std::string failure_;
    std::string unsaid_;
    std::uint64_t octets_received_ = 0, octets_sent_ = 0, octets_acknowledged_ = 0;
    Time began_{}, ended_{}, last_received_{};
    lfn_tcp_info info_{};
};

}  // namespace lfn::services
