// SPDX-License-Identifier: BSD-3-Clause
// What `lfn put` and `lfn get` have in common: a session on a host of its own, from its start to its summary.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "ports/cli/ip_address.hpp"
#include "ports/cli/network_host.hpp"
#include "ports/cli/progress.hpp"
#include "ports/services/digest.hpp"
#include "ports/services/session.hpp"

namespace lfn::cli {

struct ClientRequest : NetworkRequest {
    AddressWithPort peer;
    std::string peer_text;
    std::string file;  ///< put: what to send; get: where to
    std::uint64_t octets = 10'000'000;
    std::uint64_t seed = 1;
    std::uint64_t timeout_seconds = 60;  ///< without progress; 0: never
    bool json = false;
    ProgressMode progress = ProgressMode::automatic;
};

/// All but PEER.
void add_client_options(Command& command, const std::shared_ptr<ClientRequest>& request);
/// PEER as an address, with a port if need be. False: it is none.
bool set_peer(ClientRequest& request, const std::string& text);

class Client {
public:
    /// `port` is used if the peer has none.
    Client(const ClientRequest& request, const char* command, std::uint16_t port);
    virtual ~Client() = default;
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    /// Returns the exit status.
    int run();

protected:
    /// Before the network. False: error_ says why.
    virtual bool prepare() { return true; }
    virtual services::Session& make_session() = 0;
    /// After the network. A phrase: what is wrong with what came of it; empty if nothing is.
    virtual std::string finish() = 0;
    virtual const services::Digest& digest() const = 0;
    /// What the digest was compared with, for the summary; empty: with nothing.
    virtual std::string compared_with() const = 0;
    /// It was compared, and differs.
    virtual bool differs() const { return false; }
    virtual std::uint64_t moved() const = 0;
    virtual std::optional<std::uint64_t> total() const = 0;
    /// It is not the peer's turn, but that of whoever gives us the data.
    virtual bool waits_for_input() const { return false; }

    void on_over() { network_.stop(); }
    NetworkHost& network() { return network_; }
    void set_error(const std::string& error) { error_ = error; }
    bool has_error() const { return !error_.empty(); }

private:
    int complain_of(const std::string& what) const;
    std::string stopped_by() const { return network_.interrupted() ? "interrupted" : network_.host_failure(); }
    std::string explained(const std::string& failure, bool was_open) const;
    void wait_for(services::Session& session);
    void look(services::Session& session);
    double goodput(const services::Session& session) const;
    void print_text(const services::Session& session, const lfn_tcp_info& info, bool intact) const;
    void print_json(const services::Session& session, const lfn_tcp_info& info, const std::string& failure) const;

    const ClientRequest& request_;
    const char* command_;
    std::uint16_t port_;
    NetworkHost network_;
    std::uint64_t progress_ = 0;  // of the session, at
    Time progress_at_{};
    std::string error_;
};

}  // namespace lfn::cli
