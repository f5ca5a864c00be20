// SPDX-License-Identifier: BSD-3-Clause
// `lfn put` and `lfn get`: data to a sink and from a source, checked.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "ports/cli/ip_address.hpp"
#include "ports/cli/network_commands.hpp"
#include "ports/cli/network_host.hpp"
#include "ports/cli/options.hpp"
#include "ports/cli/progress.hpp"
#include "ports/cli/units.hpp"
#include "ports/services/client.hpp"
#include "ports/services/service_sessions.hpp"

namespace lfn::cli {

namespace {

using services::Service;
using Json = nlohmann::ordered_json;

constexpr std::uint64_t bytes_default = 10'000'000;
constexpr std::uint64_t bytes_max = 1'000'000'000'000;
constexpr Duration look_interval = std::chrono::milliseconds(100);

constexpr const char* put_footer =
    "Examples (as root):\n"
    "  lfn put 10.0.0.1 --file FILE --tap lfn0 --address 10.0.0.2/24\n"
    "  lfn put 10.0.0.1:5001 --bytes 100M --tap lfn0 --address 10.0.0.2/24 --json\n"
    "\n"
    "The peer is expected to answer with digest and length, as `lfn serve`'s sink does; --unchecked if it does not.";
constexpr const char* get_footer =
    "Examples (as root):\n"
    "  lfn get 10.0.0.1 --bytes 100M --tap lfn0 --address 10.0.0.2/24\n"
    "  lfn get 10.0.0.1:5002 --seed 7 --output FILE --tap lfn0 --address 10.0.0.2/24\n"
    "\n"
    "The peer is `lfn serve`'s source, or answers like it; every octet is compared with the pattern.";

struct ClientRequest : NetworkRequest {
    AddressWithPort peer;
    std::string peer_text;
    std::string file;  ///< put: what to send; get: where to
    std::uint64_t octets = bytes_default;
    std::uint64_t seed = 1;
    bool unchecked = false;
    bool json = false;
    ProgressMode progress = ProgressMode::automatic;
};
using Request = std::shared_ptr<ClientRequest>;

void add_client_options(CLI::App& command, const Request& request) {
    command
        .add_option_function<std::string>(
            "PEER",
            [request](const std::string& text) {
                const auto peer = parse_address_with_port(text);
                if (!peer)
                    complain("PEER " + text +
                             ": give an IP address, and a port if need be: 10.0.0.1:5001 or [fd00::1]:5001");
                request->peer = *peer;
                request->peer_text = text;
            },
            "Address, or address:port")
        ->required();
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
    command.add_flag("--json", request->json, "Print one JSON object");
    command.add_flag_callback(
        "--progress", [request] { request->progress = ProgressMode::always; },
        "Show progress on standard error (default: after 2 s, on a terminal)");
    command.add_flag_callback(
        "--no-progress", [request] { request->progress = ProgressMode::never; }, "Show no progress");
    add_tcp_options(command, request);
}

// A client session on its host, from its start to its summary.
class Client {
public:
    Client(const ClientRequest& request, const char* command, Service service)
        : request_(request),
          command_(command),
          port_(request.peer.port != 0 ? request.peer.port : default_port_of(service)) {}
    virtual ~Client() = default;

    int run() {
        if (!prepare() || !network_.open(request_)) return complain_of(network_.error());
        services::Session& session = make_session();
        if (!session.connect(request_.peer.address, port_, request_.tcp)) return complain_of(session.failure());
        wait_for(session);
        const lfn_tcp_info info = session.info();
        if (!session.over()) session.give_up(stopped_by());
        network_.close();
        std::string failure = session.failure();
        if (!failure.empty()) failure = request_.peer_text + ": " + failure;
        if (failure.empty()) failure = finish();
        if (failure.empty()) failure = network_.error();
        request_.json ? print_json(session, info, failure) : print_text(session, info);
        return failure.empty() ? exit_ok : complain_of(failure);
    }

protected:
    /// Before the network. False: error_ says why.
    virtual bool prepare() { return true; }
    virtual services::Session& make_session() = 0;
    /// After the network. A phrase: what is wrong with what came of it; empty if nothing is.
    virtual std::string finish() = 0;
    virtual const services::Digest& digest() const = 0;
    virtual std::uint64_t moved() const = 0;
    virtual std::optional<std::uint64_t> total() const { return request_.octets; }

    void on_over() { network_.stop(); }

    const ClientRequest& request_;
    NetworkHost network_;
    std::string error_;

private:
    int complain_of(const std::string& what) const {
        std::fflush(stdout);
        fmt::print(stderr, "lfn {}: {}\n", command_, error_.empty() ? what : error_);
        return exit_failed;
    }

    std::string stopped_by() const { return network_.interrupted() ? "interrupted" : network_.host_failure(); }

    void wait_for(const services::Session& session) {
        Progress progress(request_.progress, command_);
        Timer* again = nullptr;
        auto look = [&] {
            if (total()) progress.update(moved(), *total());
            again->schedule_after(look_interval);
        };
        Timer timer(network_.loop(), Callback::to(look));
        again = &timer;
        timer.schedule_after(look_interval);
        if (!session.over()) network_.run();
    }

    double goodput(const services::Session& session) const {
        const double seconds = seconds_of(session.ended() - session.began());
        return seconds > 0 ? static_cast<double>(moved()) / seconds : 0;
    }

    void print_text(const services::Session& session, const lfn_tcp_info& info) const {
        fmt::print("{} bytes in {:.3f} s: {:.3f} MB/s\ndigest {}\nretransmitted {} segments, {} timeouts\n",
                   format_count(moved()), seconds_of(session.ended() - session.began()), goodput(session) / 1e6,
                   digest().text(), info.retransmitted_segments, info.rtos);
    }

    void print_json(const services::Session& session, const lfn_tcp_info& info, const std::string& failure) const {
        const Json json = {{"intact", failure.empty()},
                           {"failure", failure.empty() ? Json(nullptr) : Json(failure)},
                           {"bytes", moved()},
                           {"seconds", seconds_of(session.ended() - session.began())},
                           {"goodput_bytes_per_second", goodput(session)},
                           {"digest", digest().text()},
                           {"retransmitted_segments", info.retransmitted_segments},
                           {"retransmitted_bytes", info.retransmitted_octets},
                           {"rtos", info.rtos},
                           {"naks_sent", info.naks_sent},
                           {"naks_received", info.naks_received},
                           {"nak_agreed", info.nak_agreed},
                           {"mss", info.mss},
                           {"srtt_ms", info.srtt_ms}};
        fmt::print("{}\n", json.dump(2));
    }

    const char* command_;
    std::uint16_t port_;
};

class PutClient final : public Client {
public:
    explicit PutClient(const ClientRequest& request) : Client(request, "put", Service::sink) {}

private:
    bool prepare() override {
        if (request_.file.empty()) {
            payload_ = std::make_unique<services::PatternPayload>(request_.octets, request_.seed);
            return true;
        }
        auto file = std::make_unique<services::FilePayload>();
        if (!file->open(request_.file)) error_ = file->error();
        payload_ = std::move(file);
        return error_.empty();
    }
    services::Session& make_session() override {
        put_ = std::make_unique<services::Put>(network_.host(), Callback::bind<&PutClient::on_over>(*this), *payload_);
        return *put_;
    }
    std::string finish() override {
        if (request_.unchecked || put_->confirmed()) return {};
        return put_->answer().empty() ? "the peer sent no digest; is it a sink? (--unchecked asks for none)"
                                      : "the peer's digest differs: it got other data";
    }
    const services::Digest& digest() const override { return put_->digest(); }
    std::uint64_t moved() const override { return put_->octets_sent(); }
    std::optional<std::uint64_t> total() const override { return payload_->size(); }

    std::unique_ptr<services::Payload> payload_;
    std::unique_ptr<services::Put> put_;
};

class GetClient final : public Client {
public:
    explicit GetClient(const ClientRequest& request) : Client(request, "get", Service::source) {}

private:
    bool prepare() override {
        if (request_.file.empty()) return true;
        file_.reset(std::fopen(request_.file.c_str(), "wb"));
        if (file_ == nullptr)
            error_ = request_.file + ": " + std::strerror(errno) + "; give a file that can be written";
        return file_ != nullptr;
    }
    services::Session& make_session() override {
        get_ = std::make_unique<services::Get>(network_.host(), Callback::bind<&GetClient::on_over>(*this),
                                               request_.octets, request_.seed, file_.get());
        return *get_;
    }
    std::string finish() override {
        if (file_ != nullptr && std::fclose(file_.release()) != 0) {
            return request_.file + ": " + std::strerror(errno);
        }
        return get_->complete() ? "" : "not all data arrived";
    }
    const services::Digest& digest() const override { return get_->digest(); }
    std::uint64_t moved() const override { return get_->octets_received(); }

    services::File file_;
    std::unique_ptr<services::Get> get_;
};

}  // namespace

void add_put(CLI::App& program, Run& run) {
    CLI::App* command = program.add_subcommand("put", "Send a file or a pattern over a real network, checked");
    command->footer(put_footer);
    const auto request = std::make_shared<ClientRequest>();
    add_text(*command, {"--file", "FILE", "", "Send FILE, - for standard input, rather than a pattern", ""},
             [request](const std::string& file) { request->file = file; });
    command->add_flag("--unchecked", request->unchecked, "The peer sends no digest");
    add_client_options(*command, request);
    command->callback([&run, request] { run = [request] { return PutClient(*request).run(); }; });
}

void add_get(CLI::App& program, Run& run) {
    CLI::App* command = program.add_subcommand("get", "Receive a pattern over a real network, checked");
    command->footer(get_footer);
    const auto request = std::make_shared<ClientRequest>();
    add_text(*command, {"--output", "FILE", "", "Write what comes to FILE", ""},
             [request](const std::string& file) { request->file = file; });
    add_client_options(*command, request);
    command->callback([&run, request] { run = [request] { return GetClient(*request).run(); }; });
}

}  // namespace lfn::cli
