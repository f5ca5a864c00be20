// SPDX-License-Identifier: BSD-3-Clause
// `lfn serve`: a host on a real network, with services.
#include <fmt/format.h>

#include <array>
#include <memory>

#include "ports/cli/ip_address.hpp"
#include "ports/cli/network_commands.hpp"
#include "ports/cli/options.hpp"
#include "ports/cli/serve_report.hpp"
#include "ports/cli/tcp_options.hpp"
#include "ports/cli/units.hpp"
#include "ports/services/http_files.hpp"
#include "ports/services/server.hpp"

namespace lfn::cli {

namespace {

using services::Service;

constexpr std::array all_services = {Service::echo, Service::discard, Service::chargen, Service::sink, Service::source};
constexpr const char* http_name = "http";
constexpr const char* iperf_name = "iperf";
constexpr std::uint16_t http_port = 80;
constexpr std::uint16_t iperf_port = 5003;  // iperf's own, 5001, is ttcp's and so the sink's

constexpr const char* footer =
    "Examples (as root; with --slirp, as anybody):\n"
    "  lfn serve --tap lfn0 --address 10.0.0.2/24 --kernel-address 10.0.0.1\n"
    "  nc -N 10.0.0.2 5001 < FILE                 the sink answers with digest (xxh128sum) and length\n"
    "  echo 1000000 7 | nc 10.0.0.2 5002          the source answers with a million octets, pattern 7\n"
    "  curl http://10.0.0.2/pattern/7/1000000     the same over HTTP; /status.txt says what was served\n"
    "  iperf -c 10.0.0.2 -p 5003                  (iperf 2)\n"
    "  lfn serve --slirp --forward 8080:80        then: curl http://127.0.0.1:8080/\n"
    "\n"
    "Services: echo (7), discard (9), chargen (19), http (80), sink (5001), source (5002), iperf (5003).\n"
    "Ctrl-C ends it and prints what it did.";

struct ServeRequest : NetworkRequest {
    std::map<std::string, std::uint16_t> ports;
    std::uint64_t connections = 0;  ///< to end after; 0: never
    bool json = false;
};

bool set_port(ServeRequest& request, std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) return false;
    const auto port = within<std::uint64_t>(parse_count, 1, 65535)(text.substr(equals + 1));
    const auto found = request.ports.find(std::string(text.substr(0, equals)));
    if (!port || found == request.ports.end()) return false;
    found->second = static_cast<std::uint16_t>(*port);
    return true;
}

void check_ports(const ServeRequest& request) {
    std::map<std::uint16_t, std::string> owners;
    for (const auto& [service, port] : request.ports) {
        const auto [owner, is_free] = owners.try_emplace(port, service);
        if (is_free) continue;
        complain(fmt::format("--port: port {} is taken twice, by {} and by {}; give one of them another", port,
                             owner->second, service));
    }
}

class Serving {
public:
    explicit Serving(const ServeRequest& request) : request_(request) {}

    int run() {
        if (!network_->open(request_) || !listen()) return failed();
        server_->on_session_over = [this](Service service, services::Session& session) {
            over(name_of(service), served_by(session));
        };
        announce();
        network_->run();
        server_->shut_down();
        network_->close();
        tallies_[http_name] = {files_.opened(), 0, 0, files_.octets_read()};
        fmt::print("{}", request_.json ? serve_json(tallies_, *network_) : serve_text(tallies_, *network_));
        return network_->error().empty() ? exit_ok : failed();
    }

private:
    int failed() const {
        std::fflush(stdout);
        fmt::print(stderr, "lfn serve: {}\n", error_.empty() ? network_->error() : error_);
        return exit_failed;
    }

    bool listen() {
        server_.emplace(network_->host());
        for (const Service service : all_services) {
            const std::uint16_t port = request_.ports.at(name_of(service));
            if (!server_->listen(service, port, request_.tcp)) return taken(name_of(service));
        }
        const lfn_http_files files = files_.table();
        return network_->host().with_stack([&](const lfn_stack& stack) {
            if (!stack.serve_http(request_.ports.at(http_name), &request_.tcp, &files)) return taken(http_name);
            const bool well = stack.serve_iperf(request_.ports.at(iperf_name), &request_.tcp, &iperf_events, this);
            return well || taken(iperf_name);
        });
    }

    bool taken(const char* service) {
        error_ =
            fmt::format("port {} of {} is taken twice; give another with --port", request_.ports.at(service), service);
        return false;
    }

    void announce() const {
        std::string list;
        for (const auto& [service, port] : request_.ports) {
            list += fmt::format("{}{} {}", list.empty() ? "" : ", ", service, port);
        }
        fmt::print(stderr, "lfn serve: {} on {}, MTU {}: {}\n", format_address(network_->address()), network_->name(),
                   network_->mtu(), list);
    }

    void over(const std::string& service, const Served& served) {
        Tally& tally = tallies_[service];
        ++tally.connections;
        tally.octets_received += served.octets_received;
        tally.octets_sent += served.octets_sent;
        if (!served.failure.empty()) ++tally.failed;
        if (!request_.json) {
            fmt::print("{}", served_text(service, served));
            std::fflush(stdout);
        }
        if (++connections_ == request_.connections) network_->stop();
    }

    static constexpr lfn_iperf_events iperf_events = {
        .over = [](void* self, std::uint64_t octets, std::uint32_t duration_ms, const char* failure) {
            static_cast<Serving*>(self)->over(
                iperf_name, {octets, 0, static_cast<double>(duration_ms) / 1e3, {}, failure != nullptr ? failure : ""});
        }};

    const ServeRequest& request_;
    Tallies tallies_;
    services::HttpFiles files_{[this] { return status_text(tallies_, *network_); }};
    std::unique_ptr<NetworkHost> network_ = std::make_unique<NetworkHost>();
    std::optional<services::Server> server_;
    std::uint64_t connections_ = 0;
    std::string error_;
};

void add_port_option(Command& command, const std::shared_ptr<ServeRequest>& request) {
    for (const Service service : all_services) request->ports[name_of(service)] = default_port_of(service);
    request->ports[http_name] = http_port;
    request->ports[iperf_name] = iperf_port;
    command.add_texts({"--port", "SERVICE=N", "", "A service on another port than its own; may be given again", ""},
                      [request](const std::vector<std::string>& given) {
                          for (const std::string& text : given) {
                              if (set_port(*request, text)) continue;
                              complain("--port " + text + ": give a service and its port, as in sink=5001");
                          }
                      });
}

}  // namespace

void add_serve(Command& program, Run& run) {
    Command command = program.add_subcommand("serve", "Be a host on a real network, with services");
    command.footer(footer);
    const auto request = std::make_shared<ServeRequest>();
    add_network_options(command, request);
    add_forward_option(command, request);
    add_port_option(command, request);
    add_parsed<std::uint64_t>(
        command,
        {"--connections", "N", "", "End after N connections, HTTP's not counted (default: with Ctrl-C)",
         "give a number of connections from 1"},
        within<std::uint64_t>(parse_count, 1, UINT64_MAX),
        [request](std::uint64_t count) { request->connections = count; });
    command.add_flag("--json", request->json, "Print one JSON object at the end");
    add_connection_options(command, {request, &request->tcp});
    command.callback([&run, request, command] {
        check_network_options(command, *request);
        check_ports(*request);
        run = [request] { return Serving(*request).run(); };
    });
}

}  // namespace lfn::cli
