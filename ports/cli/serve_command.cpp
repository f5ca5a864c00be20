// SPDX-License-Identifier: BSD-3-Clause
// `lfn serve`: a host on a real network, with services.
#include <fmt/format.h>

#include <array>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "ports/cli/ip_address.hpp"
#include "ports/cli/network_commands.hpp"
#include "ports/cli/network_host.hpp"
#include "ports/cli/options.hpp"
#include "ports/cli/units.hpp"
#include "ports/services/server.hpp"

namespace lfn::cli {

namespace {

using services::Service;
using Json = nlohmann::ordered_json;

constexpr std::array all_services = {Service::echo, Service::discard, Service::chargen, Service::sink, Service::source};

constexpr const char* footer =
    "Examples (as root):\n"
    "  lfn serve --tap lfn0 --address 10.0.0.2/24 --kernel-address 10.0.0.1\n"
    "  nc -N 10.0.0.2 5001 < FILE                 the sink answers with digest (xxh128sum) and length\n"
    "  echo 1000000 7 | nc 10.0.0.2 5002          the source answers with a million octets, pattern 7\n"
    "\n"
    "Services: echo (7), discard (9), chargen (19), sink (5001), source (5002).\n"
    "Ctrl-C ends it and prints what it did.";

struct ServeRequest : NetworkRequest {
    std::map<Service, std::uint16_t> ports;
    std::uint64_t connections = 0;  ///< to end after; 0: never
    bool json = false;
};

struct Tally {
    std::uint64_t connections = 0, failed = 0, octets_received = 0, octets_sent = 0;
};

std::optional<std::pair<Service, std::uint16_t>> parse_service_port(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    const auto port = parse_count(text.substr(equals + 1));
    if (!port || *port == 0 || *port > 65535) return std::nullopt;
    for (const Service service : all_services) {
        if (text.substr(0, equals) == name_of(service)) return std::pair{service, static_cast<std::uint16_t>(*port)};
    }
    return std::nullopt;
}

class Serving {
public:
    explicit Serving(const ServeRequest& request) : request_(request) {}

    int run() {
        if (!network_.open(request_) || !listen()) return failed();
        server_->on_session_over = [this](Service service, services::Session& session) { over(service, session); };
        announce();
        network_.run();
        server_->shut_down();
        network_.close();
        report();
        return network_.error().empty() ? exit_ok : failed();
    }

private:
    int failed() const {
        std::fflush(stdout);
        fmt::print(stderr, "lfn serve: {}\n", error_.empty() ? network_.error() : error_);
        return exit_failed;
    }

    bool listen() {
        server_.emplace(network_.host());
        for (const auto& [service, port] : request_.ports) {
            if (server_->listen(service, port, request_.tcp)) continue;
            error_ = fmt::format("port {} of {} is taken twice; give another with --port", port, name_of(service));
            return false;
        }
        return true;
    }

    void announce() const {
        std::string list;
        for (const auto& [service, port] : request_.ports) {
            list += fmt::format("{}{} {}", list.empty() ? "" : ", ", name_of(service), port);
        }
        fmt::print(stderr, "lfn serve: {} on {}, MTU {}: {}\n", format_address(request_.address),
                   network_.device().name(), network_.device().mtu(), list);
    }

    void over(Service service, services::Session& session) {
        Tally& tally = tallies_[service];
        ++tally.connections;
        tally.octets_received += session.octets_received();
        tally.octets_sent += session.octets_sent();
        if (!session.failure().empty()) ++tally.failed;
        if (!request_.json) print(service, session);
        if (server_->sessions_over() == request_.connections) network_.stop();
    }

    static void print(Service service, services::Session& session) {
        const double seconds = seconds_of(session.ended() - session.began());
        const auto octets = std::max(session.octets_received(), session.octets_sent());
        fmt::print("{:<8} {} in, {} out, {:.3f} s, {:.3f} MB/s{}{}\n", name_of(service),
                   format_count(session.octets_received()), format_count(session.octets_sent()), seconds,
                   seconds > 0 ? static_cast<double>(octets) / seconds / 1e6 : 0.0,
                   session.remark().empty() ? "" : ", " + session.remark(),
                   session.failure().empty() ? "" : "; failed: " + session.failure());
        std::fflush(stdout);
    }

    void report() {
        if (request_.json) {
            fmt::print("{}\n", json().dump(2));
            return;
        }
        for (const auto& [service, tally] : tallies_) {
            fmt::print("{:<8} {} connections, {} failed, {} bytes in, {} out\n", name_of(service),
                       format_count(tally.connections), format_count(tally.failed), format_count(tally.octets_received),
                       format_count(tally.octets_sent));
        }
        const TapPortCounters& port = network_.port().counters();
        fmt::print("{}: {} frames in ({} batches), {} out, {} ACKs thinned, {} lost\n", network_.device().name(),
                   format_count(port.frames_in), format_count(port.batches_in), format_count(port.frames_out),
                   format_count(port.acks_thinned), format_count(port.frames_lost));
    }

    Json json() {
        Json services = Json::object();
        for (const auto& [service, tally] : tallies_) {
            services[name_of(service)] = {{"connections", tally.connections},
                                          {"failed", tally.failed},
                                          {"bytes_received", tally.octets_received},
                                          {"bytes_sent", tally.octets_sent}};
        }
        const TapPortCounters& port = network_.port().counters();
        return {{"address", format_address(request_.address)},
                {"interface", network_.device().name()},
                {"services", services},
                {"frames_in", port.frames_in},
                {"batches_in", port.batches_in},
                {"frames_out", port.frames_out},
                {"acks_thinned", port.acks_thinned},
                {"frames_lost", port.frames_lost}};
    }

    const ServeRequest& request_;
    NetworkHost network_;
    std::optional<services::Server> server_;
    std::map<Service, Tally> tallies_;
    std::string error_;
};

}  // namespace

void add_serve(CLI::App& program, Run& run) {
    CLI::App* command = program.add_subcommand("serve", "Be a host on a real network, with services");
    command->footer(footer);
    const auto request = std::make_shared<ServeRequest>();
    for (const Service service : all_services) request->ports[service] = services::default_port_of(service);
    add_network_options(*command, request);
    command
        ->add_option_function<std::vector<std::string>>(
            "--port",
            [request](const std::vector<std::string>& given) {
                for (const std::string& text : given) {
                    const auto chosen = parse_service_port(text);
                    if (!chosen) complain("--port " + text + ": give a service and its port, as in sink=5001");
                    request->ports[chosen->first] = chosen->second;
                }
            },
            "A service on another port than its own; may be given again")
        ->type_name("SERVICE=N");
    add_parsed<std::uint64_t>(*command,
                              {"--connections", "N", "", "End after N connections (default: with Ctrl-C)",
                               "give a number of connections from 1"},
                              within<std::uint64_t>(parse_count, 1, UINT64_MAX),
                              [request](std::uint64_t count) { request->connections = count; });
    command->add_flag("--json", request->json, "Print one JSON object at the end");
    add_tcp_options(*command, request);
    command->callback([&run, request] { run = [request] { return Serving(*request).run(); }; });
}

}  // namespace lfn::cli
