// SPDX-License-Identifier: BSD-3-Clause
#include "ports/cli/network_host.hpp"

#include "ports/cli/ip_address.hpp"
#include "ports/cli/options.hpp"
#include "ports/cli/tcp_options.hpp"
#include "ports/cli/units.hpp"

namespace lfn::cli {

namespace {

using Request = std::shared_ptr<NetworkRequest>;

constexpr std::uint32_t window_default = 1U << 20;
constexpr std::uint32_t window_max = 1U << 30;
constexpr Duration closing_time =
    std::chrono::milliseconds(100);  // guess: a round trip to the kernel, and its thinking

void set_window(NetworkRequest& request, std::uint64_t octets) {
    request.tcp.receive_window = static_cast<std::uint32_t>(octets);
    request.tcp.send_buffer = static_cast<std::uint32_t>(octets);
}

}  // namespace

void add_network_options(CLI::App& command, const Request& request) {
    add_text(
        command,
        {"--tap", "NAME", "", "TAP interface, made if it is not there; NETNS:NAME in another network namespace", ""},
        [request](const std::string& name) { request->tap.tap.name = name; })
        ->required();
    add_parsed<AddressWithLength>(command,
                                  {"--address", "A/LEN", "", "Own IPv4 address and prefix length",
                                   "give an IPv4 address with its length, as in 10.0.0.2/24"},
                                  parse_address_with_length,
                                  [request](const AddressWithLength& own) {
                                      request->tap.address = own.address;
                                      request->tap.prefix_length = own.prefix_length;
                                      request->tap.tap.kernel_prefix_length = own.prefix_length;
                                  })
        ->required();
    add_parsed<std::uint32_t>(command,
                              {"--gateway", "A", "", "Where packets for other networks go (default: nowhere)",
                               "give an IPv4 address, as in 10.0.0.1"},
                              parse_address, [request](std::uint32_t gateway) { request->tap.gateway = gateway; });
    add_parsed<std::uint32_t>(
        command,
        {"--kernel-address", "A", "", "Gives the kernel's end of the interface this address, for as long as we run",
         "give an IPv4 address, as in 10.0.0.1"},
        parse_address, [request](std::uint32_t address) { request->tap.tap.kernel_address = address; });
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
    set_window(*request, window_default);
    add_parsed<std::uint64_t>(
        command,
        {"--window", "SIZE", "1M", "Receive window and send buffer in bytes, up to 1G; K, M, G are 2^10, 2^20, 2^30",
         "give bytes from 1 to 1G (2^30), as in 224K"},
        within<std::uint64_t>(parse_window, 1, window_max),
        [request](std::uint64_t window) { set_window(*request, window); });
    const TcpSettings tcp(request, &request->tcp);
    add_rfc1106_options(command, tcp, LFN_WIRE_EXID);
    add_recovery_options(command, tcp);
    add_safety_options(command, tcp, false);
}

bool NetworkHost::open(const NetworkRequest& request) {
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
