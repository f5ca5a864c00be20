// SPDX-License-Identifier: BSD-3-Clause
// A host on a real network, as `lfn serve`, `get` and `put` are asked for one: on a TAP interface, or behind libslirp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ports/cli/command_line.hpp"
#include "ports/realtime/stop_on_signals.hpp"
#include "ports/slirp/slirp_port.hpp"
#include "ports/tap/tap_host.hpp"

namespace lfn {
class SlirpHost;
}

namespace lfn::cli {

struct NetworkRequest {
    TapHostOptions tap;
    IpAddress address;   ///< own; in `tap`, too
    bool slirp = false;  ///< in place of the TAP interface
    std::vector<SlirpForward> forwards;
    lfn_tcp_settings tcp{};
    std::string pcap;
};

/// --tap or --slirp, --address, --gateway, --kernel-address, --mtu, --stack, --pcap.
void add_network_options(Command& command, const std::shared_ptr<NetworkRequest>& request);
/// --forward, for servers behind libslirp.
void add_forward_option(Command& command, const std::shared_ptr<NetworkRequest>& request);
/// The TCP settings of `serve`, `get` and `put`.
void add_connection_options(Command& command, const std::shared_ptr<lfn_tcp_settings>& tcp);
/// Once all options are known: complains if they do not make a host, or if one of them would be of no effect.
void check_network_options(const Command& command, const NetworkRequest& request);
/// NAME or NETNS:NAME. Complains in the option's name.
void check_tap_name(const std::string& option, const std::string& text);

/// The host, in a loop that SIGINT and SIGTERM end.
class NetworkHost {
public:
    NetworkHost();
    ~NetworkHost();
    NetworkHost(const NetworkHost&) = delete;
    NetworkHost& operator=(const NetworkHost&) = delete;

    /// False: error() is a sentence with the reason and the remedy.
    bool open(const NetworkRequest& request);
    const std::string& error() const { return error_; }

    /// Runs until stop(), a signal, or the end of the interface.
    void run();
    void stop() { loop_.stop(); }
    /// Why the interface is gone, as a sentence; empty if it is not.
    const std::string& host_failure() const { return host_->failure(); }
    /// Lets what was closed be acknowledged, and writes the capture out. False: error().
    bool close();
    bool interrupted() const { return signals_.signal().has_value(); }

    RealtimeLoop& loop() { return loop_; }
    /// These need an open host.
    RealtimeHost& host() { return *host_; }
    std::string name() const;  ///< of the interface
    const IpAddress& address() const { return address_; }
    std::uint16_t mtu() const;
    std::uint64_t frames_in() const;
    std::uint64_t frames_out() const;
    /// Of the TAP interface; null behind libslirp.
    const TapPortCounters* tap_counters() const;

private:
    bool open_tap(const NetworkRequest& request);
    bool open_slirp(const NetworkRequest& request);

    RealtimeLoop loop_;
    StopOnSignals signals_{loop_};
    CaptureWriter capture_;
    std::unique_ptr<TapHost> tap_;
    std::shared_ptr<SlirpHost> slirp_;  // the one pointer that may be destroyed where SlirpHost is not known
    RealtimeHost* host_ = nullptr;
    IpAddress address_;
    std::uint16_t slirp_mtu_ = 1500;
    std::string error_;
};

}  // namespace lfn::cli
