// SPDX-License-Identifier: BSD-3-Clause
#include "ports/cli/network_host.hpp"

#include "lfn/loss_policy.h"
#include "lfn/nak_receiver.h"
#include "lfn/tcp_options.h"
#include "ports/cli/ip_address.hpp"
#include "ports/cli/options.hpp"
#include "ports/cli/units.hpp"
#include "ports/realtime/freed_memory.hpp"

namespace lfn::cli {

namespace {

using Request = std::shared_ptr<NetworkRequest>;

constexpr std::uint32_t window_default = 1U << 20;
constexpr std::uint32_t window_max = 1U << 30;
constexpr Duration closing_time =
    std::chrono::milliseconds(100);  // guess: a round trip to the kernel, and its thinking

struct NakChoice {
    lfn_nak_mode mode;
    bool renak;
};

void set_window(NetworkRequest& request, std::uint64_t octets) {
    request.tcp.receive_window = static_cast<std::uint32_t>(octets);
    request.tcp.send_buffer = static_cast<std::uint32_t>(octets);
}

struct Offload {
    bool tcp, merge;
};

// Of IPv6, what the stack takes for its link.
std::optional<AddressWithLength> parse_own_address(std::string_view text) {
    const auto own = parse_address_with_length(text);
    return own && own->address.is_ipv6 && own->prefix_length != 64 ? std::nullopt : own;
}

void set_own_address(NetworkRequest& request, const AddressWithLength& own) {
    request.address = own.address;
    request.tap.ipv6 = own.address.is_ipv6;
    request.tap.ipv6_address = own.address.ipv6;
    request.tap.address = own.address.ipv4;
    if (own.address.is_ipv6) return;
    request.tap.prefix_length = own.prefix_length;
    request.tap.tap.kernel_prefix_length = own.prefix_length;
}

}  // namespace

void add_network_options(CLI::App& command, const Request& request) {
    request->tap.tap.offload = true;
    add_text(
        command,
        {"--tap", "NAME", "", "TAP interface, made if it is not there; NETNS:NAME in another network namespace", ""},
        [request](const std::string& name) { request->tap.tap.name = name; })
        ->required();
    add_parsed<AddressWithLength>(command,
                                  {"--address", "A/LEN", "", "Own IP address and prefix length",
                                   "give an IP address with its length (of IPv6: 64), as in 10.0.0.2/24 or fd00::2/64"},
                                  parse_own_address,
                                  [request](const AddressWithLength& own) { set_own_address(*request, own); })
        ->required();
    add_parsed<IpAddress>(command,
                          {"--gateway", "A", "", "Where packets for other networks go (default: nowhere)",
                           "give an IP address, as in 10.0.0.1"},
                          parse_address, [request](const IpAddress& gateway) {
                              if (gateway.is_ipv6) request->tap.ipv6_gateway = gateway.ipv6;
                              if (!gateway.is_ipv6) request->tap.gateway = gateway.ipv4;
                          });
    add_parsed<IpAddress>(
        command,
        {"--kernel-address", "A", "", "Gives the kernel's end of the interface this address, for as long as we run",
         "give an IP address, as in 10.0.0.1"},
        parse_address, [request](const IpAddress& address) {
            if (address.is_ipv6) request->tap.tap.kernel_ipv6_address = address.ipv6;
            if (!address.is_ipv6) request->tap.tap.kernel_address = address.ipv4;
        });
    add_choice<Offload>(
        command, "--offload",
        "TCP's segmentation and checksums are left to the kernel; or it merges what is sent; or neither",
        {{"tcp", {true, false}}, {"merge", {false, true}}, {"off", {false, false}}}, [request](Offload offload) {
            request->tap.tap.offload = offload.tcp;
            request->tap.tap.merge = offload.merge;
        });
    add_parsed<std::uint64_t>(command,
                              {"--mtu", "N", "", "Sets the interface's MTU, 576 to 65520 (default: as it is)",
                               "give bytes from 576 to 65520"},
                              within<std::uint64_t>(parse_count, 576, 65520),
                              [request](std::uint64_t mtu) { request->tap.tap.mtu = static_cast<std::uint16_t>(mtu); });
    add_choice<bool>(command, "--stack", "lfn, or lwIP 2.2.1 as released", {{"lfn", false}, {"lwip", true}},
                     [request](bool lwip) { request->tap.stack = lwip ? lfn_stack_lwip() : lfn_stack_lfn(); });
    add_text(command, {"--pcap", "FILE", "", "Write what passes the interface to FILE (nanosecond pcap)", ""},
             [request](const std::string& file) { request->pcap = file; });
}

void add_tcp_options(CLI::App& command, const Request& request) {
    lfn_tcp_settings& tcp = request->tcp;
    set_window(*request, window_default);
    tcp.big_window = true;
    tcp.nak_mode = LFN_NAK_EVERY_GAP;
    tcp.renak = true;
    tcp.wire = LFN_WIRE_EXID;
    add_parsed<std::uint64_t>(
        command,
        {"--window", "SIZE", "1M", "Receive window and send buffer in bytes, up to 1G; K, M, G are 2^10, 2^20, 2^30",
         "give bytes from 1 to 1G (2^30), as in 224K"},
        within<std::uint64_t>(parse_window, 1, window_max),
        [request](std::uint64_t window) { set_window(*request, window); });
    add_choice<bool>(command, "--big-window",
                     "Offer RFC 1106's window options B and C; RFC 7323's scaling is offered too",
                     {{"on", true}, {"off", false}}, [request](bool on) { request->tcp.big_window = on; });
    add_choice<NakChoice>(command, "--nak", "Offer RFC 1106's NAK, and when it is sent (see `lfn transfer --help`)",
                          {{"renak", {LFN_NAK_EVERY_GAP, true}},
                           {"off", {LFN_NAK_OFF, false}},
                           {"left-edge", {LFN_NAK_LEFT_EDGE, false}},
                           {"every-gap", {LFN_NAK_EVERY_GAP, false}}},
                          [request](const NakChoice& nak) {
                              request->tcp.nak_mode = static_cast<std::uint8_t>(nak.mode);
                              request->tcp.renak = nak.renak;
                          });
    add_choice<lfn_wire>(command, "--wire", "How the options are spelt: as in RFC 6994 (kind 253), or as in RFC 1106",
                         {{"exid", LFN_WIRE_EXID}, {"rfc1106", LFN_WIRE_RFC1106}},
                         [request](lfn_wire wire) { request->tcp.wire = static_cast<std::uint8_t>(wire); });
    add_choice<lfn_dup_acks>(command, "--dup-acks",
                             "Retransmit on duplicate ACKs; auto: unless the peer speaks NAK (RFC 1106 4.3)",
                             {{"auto", LFN_DUP_ACKS_AUTO}, {"on", LFN_DUP_ACKS_ON}, {"off", LFN_DUP_ACKS_OFF}},
                             [request](lfn_dup_acks mode) { request->tcp.dup_acks = static_cast<std::uint8_t>(mode); });
    add_choice<lfn_loss_policy>(
        command, "--loss-policy", "What a loss means: congestion closes the window, noise keeps it (RFC 1106 4.2)",
        {{"congestion", LFN_LOSS_CONGESTION}, {"noise", LFN_LOSS_NOISE}},
        [request](lfn_loss_policy policy) { request->tcp.loss_policy = static_cast<std::uint8_t>(policy); });
    add_parsed<std::uint64_t>(
        command,
        {"--slow-start", "N", "1", "Packets that slow start opens by for each one acknowledged, 1 to 8",
         "give packets from 1 to 8; RFC 1106 4.2 proposes 2"},
        within<std::uint64_t>(parse_count, 1, 8),
        [request](std::uint64_t rate) { request->tcp.slow_start_rate = static_cast<std::uint8_t>(rate); });
    add_parsed<std::uint64_t>(
        command,
        {"--rto-margin", "MS", "0", "Added to the retransmission timeout, 0 to 60000 (RFC 1106 4.2)",
         "give whole milliseconds from 0 to 60000, as in 200"},
        within<std::uint64_t>(parse_count, 0, 60'000),
        [request](std::uint64_t margin) { request->tcp.rto_margin_ms = static_cast<std::uint32_t>(margin); });
}

bool NetworkHost::open(const NetworkRequest& request) {
    keep_freed_memory();
    if (!request.pcap.empty() && !capture_.open(request.pcap, CaptureLink::ethernet)) {
        error_ = capture_.error();
        return false;
    }
    TapHostOptions options = request.tap;
    options.defaults = &request.tcp;
    if (!tap_.open(options)) {
        error_ = tap_.error();
        return false;
    }
    if (capture_.is_open()) tap_.port().set_capture(&capture_);
    tap_.host().on_gone(Callback::bind<&NetworkHost::stop>(*this));
    return true;
}

void NetworkHost::run() {
    loop_.run_until(Time::max());
    if (error_.empty()) error_ = tap_.host().failure();
}

bool NetworkHost::close() {
    if (device().is_open()) loop_.run_for(closing_time);
    if (capture_.close()) return true;
    error_ = capture_.error();
    return false;
}

}  // namespace lfn::cli
