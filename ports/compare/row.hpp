// SPDX-License-Identifier: BSD-3-Clause
// One row of the comparison: one transfer over its own emulated link, between namespaces of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ports/bridge/bridge.hpp"
#include "ports/bridge/port_pair.hpp"
#include "ports/compare/ends.hpp"
#include "ports/compare/private_netns.hpp"
#include "ports/realtime/realtime_host.hpp"

namespace lfn::compare {

enum class Tcp : std::uint8_t { kernel, lfn };
/// "kernel", "lfn".
const char* name_of(Tcp tcp);

struct RowSpec {
    Tcp sender = Tcp::kernel, receiver = Tcp::kernel;
    std::string control;  ///< congestion control of a kernel that sends; empty if lfn does
    bool sack = true;     ///< offered by both ends
};

/// What all rows have in common.
struct Conditions {
    const LinkProfile* link = nullptr;
    PathOptions path;
    WhenFull when_full = WhenFull::hold;
    std::uint16_t mtu = 1500;
    std::uint64_t octets = 4'000'000;
    lfn_tcp_settings tcp{};            ///< of lfn's ends; `sack` is the row's
    Duration limit = Duration::max();  ///< a transfer that lasts longer is cut off
};

struct RowResult {
    RowSpec spec;
    std::string failure;         ///< a phrase; empty: none
    bool complete = false;       ///< all octets came
    bool intact = false;         ///< and the digest of what came is that of what was sent
    std::uint64_t octets = 0;    ///< that came
    Duration duration{};         ///< from the start of the connection to the last of them
    double goodput_bytes_s = 0;  ///< the one by the other
    Sent sent;
    BridgeReport link;  ///< in the direction of the data
};

class Row {
public:
    Row(RealtimeLoop& loop, const RowSpec& spec, const Conditions& conditions);
    ~Row();
    Row(const Row&) = delete;
    Row& operator=(const Row&) = delete;

    /// False: error() is a sentence with the reason and the remedy.
    bool start();
    const std::string& error() const { return error_; }

    /// Complete, failed, or cut off.
    bool over() const;
    std::uint64_t octets() const { return receiver_ == nullptr ? 0 : receiver_->octets(); }
    Time began() const { return began_; }
    RowResult result();

private:
    struct Place;  // where an end is: a namespace, or a stack on a port

    bool open(Place& place, Tcp tcp, TapOptions& tap, PairedPort*& port);
    void make_ends();
    bool cut_off() const { return loop_.now() - began_ >= conditions_.limit; }

    RealtimeLoop& loop_;
    RowSpec spec_;
    Conditions conditions_;
    std::unique_ptr<Place> left_, right_;
    std::unique_ptr<Bridge> bridge_;
    std::unique_ptr<SendingEnd> sender_;
    std::unique_ptr<ReceivingEnd> receiver_;
    Time began_{};
    std::string error_;
};

}  // namespace lfn::compare
