// SPDX-License-Identifier: BSD-3-Clause
#include "ports/compare/row.hpp"

#include "ports/compare/kernel_ends.hpp"
#include "ports/compare/stack_ends.hpp"

namespace lfn::compare {

namespace {

constexpr std::uint32_t left_address = 0x0a4e0001, right_address = 0x0a4e0002;  // 10.78.0.1, 10.78.0.2
constexpr std::uint16_t sink_port = 5001;

lfn_tcp_settings settings_for(const RowSpec& spec, const Conditions& conditions) {
    lfn_tcp_settings settings = conditions.tcp;
    settings.sack = spec.sack;
    return settings;
}

}  // namespace

const char* name_of(Tcp tcp) {
    return tcp == Tcp::kernel ? "kernel" : "lfn";
}

struct Row::Place {
    explicit Place(std::uint32_t own_address) : address(own_address) {}
    std::uint32_t address;
    PrivateNetns netns;
    std::unique_ptr<PortPair> ports;
    std::unique_ptr<RealtimeHost> host;
};

Row::Row(RealtimeLoop& loop, const RowSpec& spec, const Conditions& conditions)
    : loop_(loop),
      spec_(spec),
      conditions_(conditions),
      left_(std::make_unique<Place>(left_address)),
      right_(std::make_unique<Place>(right_address)),
      bridge_(std::make_unique<Bridge>(loop)) {}

Row::~Row() = default;

bool Row::open(Place& place, Tcp tcp, TapOptions& tap, PairedPort*& port) {
    if (tcp == Tcp::lfn) {
        place.ports = std::make_unique<PortPair>(loop_, conditions_.mtu + ethernet_header_octets);
        place.host =
            std::make_unique<RealtimeHost>(loop_, place.ports->first(), *lfn_stack_lfn(),
                                           ethernet_interface(place.address, conditions_.mtu), random_seed(), nullptr);
        port = &place.ports->second();
        return true;
    }
    if (!place.netns.make() || !place.netns.set_sysctl("ipv4/tcp_sack", spec_.sack ? "1" : "0")) {
        error_ = place.netns.error();
        return false;
    }
    tap = {.name = place.netns.prefix() + "lfn0", .mtu = conditions_.mtu, .kernel_address = place.address};
    return true;
}

bool Row::start() {
    BridgeOptions options;
    options.link = conditions_.link;
    options.path = conditions_.path;
    options.when_full = conditions_.when_full;
    if (!open(*left_, spec_.sender, options.left, options.left_port) ||
        !open(*right_, spec_.receiver, options.right, options.right_port)) {
        return false;
    }
    if (!bridge_->open(options)) {
        error_ = bridge_->error();
        return false;
    }
    make_ends();
    began_ = loop_.now();
    if (!receiver_->start(sink_port)) error_ = receiver_->failure();
    if (error_.empty() && !sender_->start(right_->address, sink_port)) error_ = sender_->failure();
    return error_.empty();
}

void Row::make_ends() {
    const lfn_tcp_settings settings = settings_for(spec_, conditions_);
    const std::uint64_t octets = conditions_.octets, seed = conditions_.path.seed;
    if (spec_.receiver == Tcp::lfn) {
        receiver_ = std::make_unique<StackReceiver>(*right_->host, settings);
    } else {
        receiver_ = std::make_unique<KernelReceiver>(loop_, right_->netns.fd());
    }
    if (spec_.sender == Tcp::lfn) {
        sender_ = std::make_unique<StackSender>(*left_->host, settings, octets, seed);
    } else {
        sender_ = std::make_unique<KernelSender>(loop_, left_->netns.fd(), spec_.control, octets, seed);
    }
}

bool Row::over() const {
    return sender_->over() || !receiver_->failure().empty() || cut_off();
}

RowResult Row::result() {
    RowResult result;
    result.spec = spec_;
    result.octets = receiver_->octets();
    result.complete = result.octets == conditions_.octets;
    result.failure = sender_->failure().empty() ? receiver_->failure() : sender_->failure();
    result.intact = result.complete && sender_->confirmed();
    if (result.failure.empty() && sender_->over() && !result.intact) result.failure = "what came differs";
    result.duration = (result.complete ? receiver_->last_came() : loop_.now()) - began_;
    const double seconds = seconds_of(result.duration);
    result.goodput_bytes_s = seconds > 0 ? static_cast<double>(result.octets) / seconds : 0;
    result.sent = sender_->sent();
    result.link = bridge_->report(Bridge::left);
    return result;
}

}  // namespace lfn::compare
