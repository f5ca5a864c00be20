// SPDX-License-Identifier: BSD-3-Clause
#include "ports/cli/network_host.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ports/cli/files.hpp"
#include "ports/cli/ip_address.hpp"
#include "ports/cli/options.hpp"
#include "ports/cli/tcp_options.hpp"
#include "ports/cli/units.hpp"
#include "ports/realtime/freed_memory.hpp"
#if LFN_HAS_SLIRP
#include "ports/slirp/slirp_host.hpp"
#endif

namespace lfn::cli {

namespace {

using Request = std::shared_ptr<NetworkRequest>;

constexpr std::uint64_t window_default = 1U << 20;
constexpr Duration closing_time =
    std::chrono::milliseconds(100);            // guess: a round trip to the kernel, and its thinking
constexpr std::uint16_t slirp_mtu_max = 9000;  // beyond, libslirp collapses (observed in 4.7)

// "8080:80", "127.0.0.1:8080:80".
std::optional<SlirpForward> parse_forward(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) return std::nullopt;
    SlirpForward forward;
    std::string_view host = text.substr(0, colon);
    if (const std::size_t inner = host.rfind(':'); inner != std::string_view::npos) {
        const auto address = parse_address(host.substr(0, inner));
        if (!address || address->is_ipv6) return std::nullopt;
        forward.host_address = address->ipv4;
        host.remove_prefix(inner + 1);
    }
    const auto parse_port = within<std::uint64_t>(parse_count, 1, 65535);
    const auto host_port = parse_port(host);
    const auto guest_port = parse_port(text.substr(colon + 1));
    if (!host_port || !guest_port) return std::nullopt;
    forward.host_port = static_cast<std::uint16_t>(*host_port);
    forward.guest_port = static_cast<std::uint16_t>(*guest_port);
    return forward;
}

// libslirp's network is what it is.
constexpr std::array only_with_tap = {"--address", "--gateway", "--kernel-address", "--offload"};
constexpr std::size_t tap_name_max = 15;  // IFNAMSIZ, with its end

bool is_taken(const std::vector<SlirpForward>& forwards, const SlirpForward& forward) {
    return std::ranges::any_of(forwards, [&](const SlirpForward& other) {
        return other.host_address == forward.host_address && other.host_port == forward.host_port;
    });
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

void add_network_options(Command& command, const Request& request) {
    request->tap.tap.offload = true;
    add_text(
        command,
        {"--tap", "NAME", "", "TAP interface, made if it is not there; NETNS:NAME in another network namespace", ""},
        [request](const std::string& name) { request->tap.tap.name = name; });
    command.add_flag("--slirp", request->slirp,
                     "Be behind libslirp, which needs no privilege: 10.0.2.15, and 10.0.2.2 is this machine");
    add_parsed<AddressWithLength>(command,
                                  {"--address", "A/LEN", "", "Own IP address and prefix length, with --tap",
                                   "give an IP address with its length (of IPv6: 64), as in 10.0.0.2/24 or fd00::2/64"},
                                  parse_own_address,
                                  [request](const AddressWithLength& own) { set_own_address(*request, own); });
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

void add_forward_option(Command& command, const Request& request) {
    command.add_texts(
        {"--forward", "PORT:PORT", "",
         "With --slirp: a port of this machine, on 127.0.0.1, that leads to one of ours; may be given again", ""},
        [request](const std::vector<std::string>& given) {
            for (const std::string& text : given) {
                const auto forward = parse_forward(text);
                if (!forward) complain("--forward " + text + ": give a port of this machine and one of ours: 8080:80");
                if (is_taken(request->forwards, *forward)) {
                    complain("--forward " + text + ": that port of this machine is given already; give another");
                }
                request->forwards.push_back(*forward);
            }
        });
}

void add_connection_options(Command& command, const std::shared_ptr<lfn_tcp_settings>& tcp) {
    add_window_option(command, tcp, window_default);
    add_rfc1106_options(command, tcp, LFN_WIRE_EXID);
    add_recovery_options(command, tcp, real_network);
    add_safety_options(command, tcp, false);
    add_keepalive_option(command, tcp);
}

void check_tap_name(const std::string& option, const std::string& text) {
    const std::size_t colon = text.rfind(':');
    const std::string name = colon == std::string::npos ? text : text.substr(colon + 1);
    if (!name.empty() && name.size() <= tap_name_max && name.find('/') == std::string::npos) return;
    complain(option + " " + text + ": no interface can have that name; give 1 to 15 characters, none of them a slash");
}

void check_network_options(const Command& command, const NetworkRequest& request) {
    const bool tap = !request.tap.tap.name.empty();
    if (!tap && !request.slirp) complain("--tap is required, or --slirp");
    if (tap && request.slirp) complain("--tap and --slirp: give one of them");
    if (tap) check_tap_name("--tap", request.tap.tap.name);
    if (tap && !request.tap.ipv6 && request.tap.address == 0) complain("--address is required");
    for (const char* option : only_with_tap) {
        if (!request.slirp || command.count(option) == 0) continue;
        complain(std::string(option) + ": belongs to a TAP interface; leave it out with --slirp");
    }
    if (request.slirp && request.tap.tap.mtu > slirp_mtu_max) {
        complain(fmt::format("--mtu {}: libslirp takes at most {}", request.tap.tap.mtu, slirp_mtu_max));
    }
    if (!request.slirp && !request.forwards.empty()) complain("--forward goes with --slirp");
    if (!request.pcap.empty()) check_writable("--pcap", request.pcap);
}

NetworkHost::NetworkHost() = default;
NetworkHost::~NetworkHost() = default;

bool NetworkHost::open(const NetworkRequest& request) {
    keep_freed_memory();
    if (!request.pcap.empty() && !capture_.open(request.pcap, CaptureLink::ethernet)) {
        error_ = capture_.error();
        return false;
    }
    if (!(request.slirp ? open_slirp(request) : open_tap(request))) return false;
    host_->on_gone(Callback::bind<&NetworkHost::stop>(*this));
    return true;
}

bool NetworkHost::open_tap(const NetworkRequest& request) {
    TapHostOptions options = request.tap;
    options.defaults = &request.tcp;
    tap_ = std::make_unique<TapHost>(loop_);
    if (!tap_->open(options)) {
        error_ = tap_->error();
        return false;
    }
    if (capture_.is_open()) tap_->port().set_capture(&capture_);
    host_ = &tap_->host();
    address_ = request.address;
    return true;
}

#if LFN_HAS_SLIRP

bool NetworkHost::open_slirp(const NetworkRequest& request) {
    SlirpHostOptions options;
    if (request.tap.tap.mtu != 0) options.mtu = request.tap.tap.mtu;
    options.forwards = request.forwards;
    options.stack = request.tap.stack;
    options.defaults = &request.tcp;
    slirp_ = std::make_shared<SlirpHost>(loop_);
    if (!slirp_->open(options)) {
        error_ = slirp_->error();
        return false;
    }
    if (capture_.is_open()) slirp_->port().set_capture(&capture_);
    host_ = &slirp_->host();
    address_ = slirp_guest_address;
    slirp_mtu_ = options.mtu;
    return true;
}

std::uint64_t NetworkHost::frames_in() const {
    return slirp_ != nullptr ? slirp_->port().frames_in() : tap_->port().counters().frames_in;
}

std::uint64_t NetworkHost::frames_out() const {
    return slirp_ != nullptr ? slirp_->port().frames_out() : tap_->port().counters().frames_out;
}

#else

bool NetworkHost::open_slirp(const NetworkRequest&) {
    error_ = "--slirp: this lfn was built without libslirp; install it (Debian: libslirp-dev) and build again";
    return false;
}

std::uint64_t NetworkHost::frames_in() const {
    return tap_->port().counters().frames_in;
}

std::uint64_t NetworkHost::frames_out() const {
    return tap_->port().counters().frames_out;
}

#endif

std::string NetworkHost::name() const {
    return tap_ != nullptr ? tap_->device().name() : "slirp";
}

std::uint16_t NetworkHost::mtu() const {
    return tap_ != nullptr ? tap_->device().mtu() : slirp_mtu_;
}

const TapPortCounters* NetworkHost::tap_counters() const {
    return tap_ != nullptr ? &tap_->port().counters() : nullptr;
}

void NetworkHost::run() {
    loop_.run_until(Time::max());
    if (error_.empty()) error_ = host_->failure();
}

bool NetworkHost::close() {
    if (host_->failure().empty()) loop_.run_for(closing_time);
    if (capture_.close()) return true;
    error_ = capture_.error();
    return false;
}

}  // namespace lfn::cli
