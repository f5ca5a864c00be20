// SPDX-License-Identifier: BSD-3-Clause
#include "ports/cli/client.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "ports/cli/commands.hpp"
#include "ports/cli/options.hpp"
#include "ports/cli/tcp_options.hpp"
#include "ports/cli/units.hpp"

namespace lfn::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t bytes_max = 1'000'000'000'000;
constexpr Duration look_interval = std::chrono::milliseconds(100);

}  // namespace

bool set_peer(ClientRequest& request, const std::string& text) {
    const auto peer = parse_address_with_port(text);
    if (peer) request.peer = *peer;
    return peer.has_value();
}

void add_client_options(Command& command, const std::shared_ptr<ClientRequest>& request) {
    add_parsed<std::uint64_t>(
        command,
        {"--bytes", "SIZE", "10M", "How much of the pattern; K, M, G are powers of 1000, Ki, Mi, Gi of 1024",
         "give bytes from 1 to 1T, as in 10M"},
        within<std::uint64_t>(parse_bytes, 1, bytes_max),
        [request](std::uint64_t octets) { request->octets = octets; });
    add_parsed<std::uint64_t>(command,
                              {"--seed", "N", "1", "Seed of the pattern", "give a whole number from 0 to 2^64-1"},
                              parse_count, [request](std::uint64_t seed) { request->seed = seed; });
    add_network_options(command, request);
    add_parsed<std::uint64_t>(
        command,
        {"--timeout", "S", "60", "Give up when nothing comes and nothing is acknowledged for S seconds; 0: never",
         "give whole seconds from 0 to 1000000"},
        within<std::uint64_t>(parse_count, 0, 1'000'000),
        [request](std::uint64_t seconds) { request->timeout_seconds = seconds; });
    command.add_flag("--json", request->json, "Print one JSON object");
    add_progress_flags(command, {request, &request->progress});
    add_connection_options(command, {request, &request->tcp});
}

Client::Client(const ClientRequest& request, const char* command, std::uint16_t port)
    : request_(request), command_(command), port_(request.peer.port != 0 ? request.peer.port : port) {}

int Client::run() {
    if (!prepare() || !network_.open(request_)) return complain_of(network_.error());
    services::Session& session = make_session();
    if (!session.connect(request_.peer.address, port_, request_.tcp)) return complain_of(session.failure());
    wait_for(session);
    const lfn_tcp_info info = session.info();
    if (!session.over()) session.give_up(stopped_by());
    network_.close();
    std::string failure = session.failure();
    if (!failure.empty()) failure = request_.peer_text + ": " + explained(failure, session.was_open());
    if (failure.empty()) failure = finish();
    if (failure.empty()) failure = network_.error();
    request_.json ? print_json(session, info, failure) : print_text(session, info, failure.empty());
    return failure.empty() ? exit_ok : complain_of(failure);
}

int Client::complain_of(const std::string& what) const {
    std::fflush(stdout);
    fmt::print(stderr, "lfn {}: {}\n", command_, error_.empty() ? what : error_);
    return exit_failed;
}

// What the user can do about it.
std::string Client::explained(const std::string& failure, bool was_open) const {
    if (failure == "reset by peer") {
        if (was_open) return fmt::format("reset by peer after {} bytes; begin again", format_count(moved()));
        return fmt::format("nobody listens at port {}; start `lfn serve` there, or give another port", port_);
    }
    if (failure == "timed out" && was_open) {
        return fmt::format("no answer any more after {} bytes; is the path still there? Begin again",
                           format_count(moved()));
    }
    if (failure == "timed out") return "no answer; is the address right, and is there a route to it?";
    return failure;
}

// Gives up if nothing has moved for too long.
void Client::look(services::Session& session) {
    const Time now = network_.loop().now();
    if (session.progress() != progress_ || waits_for_input()) {
        progress_ = session.progress();
        progress_at_ = now;
    }
    const std::uint64_t limit_seconds = request_.timeout_seconds;
    if (limit_seconds == 0 || now - progress_at_ < std::chrono::seconds(limit_seconds)) return;
    session.give_up(
        fmt::format("nothing came and nothing was acknowledged for {} s; is what answers at port {} what it should be? "
                    "--timeout gives it longer, --timeout 0 for ever",
                    limit_seconds, port_));
}

void Client::wait_for(services::Session& session) {
    Progress progress(request_.progress, command_, Progress::Of::bytes);
    Timer* again = nullptr;
    auto look = [&] {
        if (total()) progress.update(moved(), *total());
        this->look(session);
        again->schedule_after(look_interval);
    };
    Timer timer(network_.loop(), Callback::to(look));
    again = &timer;
    timer.schedule_after(look_interval);
    progress_at_ = network_.loop().now();
    if (!session.over()) network_.run();
}

double Client::goodput(const services::Session& session) const {
    const double seconds = seconds_of(session.ended() - session.began());
    return seconds > 0 ? static_cast<double>(moved()) / seconds : 0;
}

void Client::print_text(const services::Session& session, const lfn_tcp_info& info, bool intact) const {
    const std::string compared = compared_with();
    const std::string verdict = differs()          ? "differs from " + compared
                                : !intact          ? "not compared"
                                : compared.empty() ? "compared with nothing"
                                                   : "equal to " + compared;
    fmt::print("{} bytes in {:.3f} s: {:.3f} MB/s\ndigest {}, {}\nretransmitted {} segments, {} timeouts\n",
               format_count(moved()), seconds_of(session.ended() - session.began()), goodput(session) / 1e6,
               digest().text(), verdict, info.retransmitted_segments, info.rtos);
}

void Client::print_json(const services::Session& session, const lfn_tcp_info& info, const std::string& failure) const {
    const std::string compared = compared_with();
    const Json json = {{"intact", failure.empty()},
                       {"failure", failure.empty() ? Json(nullptr) : Json(failure)},
                       {"bytes", moved()},
                       {"seconds", seconds_of(session.ended() - session.began())},
                       {"goodput_bytes_per_second", goodput(session)},
                       {"digest", digest().text()},
                       {"compared_with", failure.empty() && !compared.empty() ? Json(compared) : Json(nullptr)},
                       {"retransmitted_segments", info.retransmitted_segments},
                       {"retransmitted_bytes", info.retransmitted_octets},
                       {"rtos", info.rtos},
                       {"naks_sent", info.naks_sent},
                       {"naks_received", info.naks_received},
                       {"sacks_received", info.sacks_received},
                       {"nak_agreed", info.nak_agreed},
                       {"mss", info.mss},
                       {"srtt_ms", info.srtt_ms}};
    fmt::print("{}\n", json.dump(2));
}

}  // namespace lfn::cli
