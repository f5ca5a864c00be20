// SPDX-License-Identifier: BSD-3-Clause
// A host on a real network, as `lfn serve`, `get` and `put` are asked for one.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "ports/realtime/stop_on_signals.hpp"
#include "ports/tap/tap_host.hpp"

namespace lfn::cli {

struct NetworkRequest {
    TapHostOptions tap;
    IpAddress address;  ///< own; in `tap`, too
    lfn_tcp_settings tcp{};
    std::string pcap;
};

/// --tap, --address, --gateway, --kernel-address, --mtu, --stack, --pcap.
void add_network_options(CLI::App& command, const std::shared_ptr<NetworkRequest>& request);
/// --window, --big-window, --nak, --wire and the rest of lfn_tcp_settings.
void add_tcp_options(CLI::App& command, const std::shared_ptr<NetworkRequest>& request);

/// The host, in a loop that SIGINT and SIGTERM end.
class NetworkHost {
public:
    /// False: error() is a sentence with the reason and the remedy.
    bool open(const NetworkRequest& request);
    const std::string& error() const { return error_; }

    /// Runs until stop(), a signal, or the end of the interface.
    void run();
    void stop() { loop_.stop(); }
    /// Why the interface is gone, as a sentence; empty if it is not.
    const std::string& host_failure() const { return tap_.host_failure(); }
    /// Lets what was closed be acknowledged, and writes the capture out. False: error().
    bool close();

    RealtimeHost& host() { return tap_.host(); }
    RealtimeLoop& loop() { return loop_; }
    const TapDevice& device() const { return tap_.device(); }
    TapPort& port() { return tap_.port(); }
    bool interrupted() const { return signals_.signal().has_value(); }

private:
    RealtimeLoop loop_;
    StopOnSignals signals_{loop_};
    CaptureWriter capture_;
    TapHost tap_{loop_};
    std::string error_;
};

}  // namespace lfn::cli
