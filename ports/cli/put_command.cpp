// SPDX-License-Identifier: BSD-3-Clause
// `lfn put`: data to a sink, checked.
#include "ports/cli/client.hpp"
#include "ports/cli/files.hpp"
#include "ports/cli/network_commands.hpp"
#include "ports/cli/options.hpp"
#include "ports/services/client.hpp"
#include "ports/services/service_sessions.hpp"

namespace lfn::cli {

namespace {

using services::Service;

constexpr const char* footer =
    "Examples (as root; with --slirp, as anybody):\n"
    "  lfn put 10.0.0.1 --file FILE --tap lfn0 --address 10.0.0.2/24\n"
    "  lfn put 10.0.0.1:5001 --bytes 100M --tap lfn0 --address 10.0.0.2/24 --json\n"
    "  lfn put 10.0.2.2:9000 --slirp --unchecked          to whatever listens at port 9000 of this machine\n"
    "\n"
    "The peer is expected to answer with digest and length, as `lfn serve`'s sink does; --unchecked if it does not.";

struct PutRequest : ClientRequest {
    bool unchecked = false;
};

class PutClient final : public Client {
public:
    explicit PutClient(const PutRequest& request)
        : Client(request, "put", default_port_of(Service::sink)), request_(request) {}

private:
    bool prepare() override {
        if (request_.file.empty()) {
            payload_ = std::make_unique<services::PatternPayload>(request_.octets, request_.seed);
            return true;
        }
        auto file = std::make_unique<services::FilePayload>();
        if (!file->open(request_.file)) set_error(file->error());
        payload_ = std::move(file);
        return !has_error();
    }
    services::Session& make_session() override {
        put_ = std::make_unique<services::Put>(network().host(), Callback::bind<&PutClient::on_over>(*this), *payload_);
        put_->on_wait(Callback::bind<&PutClient::watch_input>(*this));
        return *put_;
    }
    std::string finish() override {
        if (request_.unchecked || put_->confirmed()) return {};
        return put_->answer().empty() ? "the peer sent no digest; is it a sink? (--unchecked asks for none)"
                                      : "the peer's digest differs: it got other data";
    }
    const services::Digest& digest() const override { return put_->digest(); }
    std::string compared_with() const override { return request_.unchecked ? "" : "what the peer got"; }
    std::uint64_t moved() const override { return put_->octets_sent(); }
    std::optional<std::uint64_t> total() const override { return payload_->size(); }
    bool waits_for_input() const override { return payload_->waits() >= 0; }

    // The connection's timers run while a pipe or a terminal has nothing to say.
    void watch_input() { input_.set(payload_->waits(), POLLIN); }
    void input_ready() {
        input_.clear();
        put_->more();
    }

    const PutRequest& request_;
    std::unique_ptr<services::Payload> payload_;
    std::unique_ptr<services::Put> put_;
    FdWatch input_{network().loop(), Callback::bind<&PutClient::input_ready>(*this)};
};

void settle(const Command& command, const PutRequest& request) {
    if (request.file.empty()) return;
    for (const char* option : {"--bytes", "--seed"}) {
        if (command.count(option) == 0) continue;
        complain(std::string(option) + ": is of the pattern, but --file sends a file; leave one of them out");
    }
    check_readable("--file", request.file);
}

}  // namespace

void add_put(Command& program, Run& run) {
    Command command = program.add_subcommand("put", "Send a file or a pattern over a real network, checked");
    command.footer(footer);
    const auto request = std::make_shared<PutRequest>();
    add_text(command, {"PEER", "", "", "Address, or address:port", ""}, [request](const std::string& text) {
        if (!set_peer(*request, text)) {
            complain("PEER " + text + ": give an IP address, and a port if need be: 10.0.0.1:5001 or [fd00::1]:5001");
        }
        request->peer_text = text;
    }).required();
    add_text(command, {"--file", "FILE", "", "Send FILE, - for standard input, rather than a pattern", ""},
             [request](const std::string& file) { request->file = file; });
    command.add_flag("--unchecked", request->unchecked, "The peer sends no digest");
    add_client_options(command, request);
    command.callback([&run, request, command] {
        check_network_options(command, *request);
        settle(command, *request);
        run = [request] { return PutClient(*request).run(); };
    });
}

}  // namespace lfn::cli
