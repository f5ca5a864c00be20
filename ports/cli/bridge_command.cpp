// SPDX-License-Identifier: BSD-3-Clause
// `lfn bridge`: two real interfaces at the ends of an emulated link.
#include <fmt/format.h>

#include <memory>

#include "ports/bridge/bridge.hpp"
#include "ports/cli/bridge_report.hpp"
#include "ports/cli/files.hpp"
#include "ports/cli/link_options.hpp"
#include "ports/cli/network_commands.hpp"
#include "ports/cli/network_host.hpp"
#include "ports/cli/options.hpp"
#include "ports/cli/units.hpp"
#include "ports/realtime/stop_on_signals.hpp"

namespace lfn::cli {

namespace {

constexpr const char* footer =
    "Example (as root): two network namespaces at the ends of a satellite link.\n"
    "  ip netns add earth; ip netns add ship\n"
    "  lfn bridge --left earth:sat0 --right ship:sat0 --link t1-satellite --ber 1e-6 &\n"
    "  ip -n earth addr add 10.9.0.1/24 dev sat0; ip -n ship addr add 10.9.0.2/24 dev sat0\n"
    "\n"
    "Ctrl-C ends it and prints what was dropped, and how well delay and rate were kept.";

struct BridgeRequest : BridgeOptions {
    std::uint64_t seconds = 0;  ///< to end after; 0: never
    std::string pcap;
    bool json = false;
};
using Request = std::shared_ptr<BridgeRequest>;

int failed(const std::string& what) {
    std::fflush(stdout);
    fmt::print(stderr, "lfn bridge: {}\n", what);
    return exit_failed;
}

int run_bridge(BridgeRequest& request) {
    for (TapOptions* tap : {&request.left, &request.right}) {
        if (tap->mtu == 0) tap->mtu = static_cast<std::uint16_t>(request.link->mtu_octets.value);
    }
    RealtimeLoop loop;
    const StopOnSignals signals(loop);
    Bridge bridge(loop);
    if (!bridge.open(request)) return failed(bridge.error());
    auto stop = [&] { loop.stop(); };
    bridge.on_gone(Callback::to(stop));
    fmt::print(stderr, "lfn bridge: {} and {} over {}\n", bridge.device(Bridge::left).name(),
               bridge.device(Bridge::right).name(), request.link->name);
    loop.run_until(request.seconds == 0 ? Time::max() : loop.now() + std::chrono::seconds(request.seconds));
    bridge.close_captures();
    fmt::print("{}{}", request.json ? bridge_json(bridge) : bridge_text(bridge), request.json ? "\n" : "");
    return bridge.error().empty() ? exit_ok : failed(bridge.error());
}

void settle(BridgeRequest& request) {
    check_tap_name("--left", request.left.name);
    check_tap_name("--right", request.right.name);
    if (request.left.name == request.right.name) {
        complain("--right " + request.right.name + ": is the left end already; give two interfaces");
    }
    if (request.pcap.empty()) return;
    request.left_capture = request.pcap;
    request.right_capture = with_suffix(request.pcap, "right");
    check_writable("--pcap", request.left_capture);
    check_writable("--pcap", request.right_capture);
}

void add_ends(Command& command, const Request& request) {
    add_text(command,
             {"--left", "TAP", "",
              "One end: a TAP interface, made if it is not there; NETNS:NAME for one\n"
              "in another network namespace",
              ""},
             [request](const std::string& name) { request->left.name = name; })
        .required();
    add_text(command, {"--right", "TAP", "", "The other end", ""}, [request](const std::string& name) {
        request->right.name = name;
    }).required();
    add_parsed<std::uint64_t>(command,
                              {"--mtu", "N", "", "MTU of both interfaces, 576 to 65520 (default: the link's)",
                               "give bytes from 576 to 65520"},
                              within<std::uint64_t>(parse_count, 576, 65520), [request](std::uint64_t mtu) {
                                  request->left.mtu = request->right.mtu = static_cast<std::uint16_t>(mtu);
                              });
}

void add_run(Command& command, const Request& request) {
    add_text(command,
             {"--pcap", "FILE", "",
              "Write what the left end sends and gets to FILE, and the right end's to a second\n"
              "file: FILE with \"-right\" before its suffix (nanosecond pcap)",
              ""},
             [request](const std::string& file) { request->pcap = file; });
    add_parsed<std::uint64_t>(
        command,
        {"--duration", "S", "", "End after S seconds (default: with Ctrl-C)", "give whole seconds from 1 to 1000000"},
        within<std::uint64_t>(parse_count, 1, 1'000'000),
        [request](std::uint64_t duration) { request->seconds = duration; });
    command.add_flag("--json", request->json, "Print one JSON object at the end");
}

}  // namespace

void add_bridge(Command& program, Run& run) {
    Command command =
        program.add_subcommand("bridge", "Join two real interfaces through an emulated link, in real time");
    command.footer(footer);
    const auto request = std::make_shared<BridgeRequest>();
    add_ends(command, request);
    add_link_options(command, {request, &request->link}, {request, &request->path});
    add_when_full(command, {request, &request->when_full});
    add_run(command, request);
    command.callback([&run, request] {
        settle(*request);
        run = [request] { return run_bridge(*request); };
    });
}

}  // namespace lfn::cli
