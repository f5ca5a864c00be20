// SPDX-License-Identifier: BSD-3-Clause
// `lfn get`: a pattern from a source, or a file from an HTTP server, checked.
#include <cerrno>
#include <cstring>

#include <filesystem>

#include "ports/cli/client.hpp"
#include "ports/cli/files.hpp"
#include "ports/cli/network_commands.hpp"
#include "ports/cli/options.hpp"
#include "ports/services/client.hpp"
#include "ports/services/http_get.hpp"
#include "ports/services/payload.hpp"
#include "ports/services/service_sessions.hpp"

namespace lfn::cli {

namespace {

using services::Service;

constexpr std::uint16_t http_port = 80;

constexpr const char* footer =
    "Examples (as root; with --slirp, as anybody):\n"
    "  lfn get 10.0.0.1 --bytes 100M --tap lfn0 --address 10.0.0.2/24\n"
    "  lfn get 10.0.0.1:5002 --seed 7 --output FILE --tap lfn0 --address 10.0.0.2/24\n"
    "  lfn get http://10.0.2.2:8000/FILE --output FILE --slirp      from an HTTP server on this machine\n"
    "\n"
    "The peer is `lfn serve`'s source, or answers like it, and every octet is compared with the pattern; or it is an\n"
    "HTTP server, and the file's digest is compared with --digest (`xxh128sum` prints it; Debian: xxhash).";

struct GetRequest : ClientRequest {
    std::optional<services::HttpUrl> url;
    std::string expected_digest;
};

// Where what comes goes to, if anywhere: a file of that name with ".part" behind it, which takes its place when all is
// well. What was there before is kept if it is not. A device or a pipe is written as it is.
class Store {
public:
    Store() = default;
    ~Store() {
        if (!part_.empty()) std::remove(part_.c_str());
    }
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    bool open(const std::string& name) {
        name_ = name;
        if (name.empty()) return true;
        std::error_code ignored;
        const bool special = std::filesystem::exists(name, ignored) && !std::filesystem::is_regular_file(name, ignored);
        if (!special) part_ = name + ".part";
        file_.reset(std::fopen(special ? name.c_str() : part_.c_str(), "wb"));
        if (file_ == nullptr) part_.clear();
        return file_ != nullptr;
    }
    std::FILE* file() const { return file_.get(); }
    std::string why() const { return name_ + ": " + std::strerror(errno) + "; give a file that can be written"; }
    bool close() {
        if (file_ != nullptr && std::fclose(file_.release()) != 0) return false;
        if (!part_.empty() && std::rename(part_.c_str(), name_.c_str()) != 0) return false;
        part_.clear();
        return true;
    }

private:
    std::string name_, part_;
    services::File file_;
};

class PatternClient final : public Client {
public:
    explicit PatternClient(const GetRequest& request)
        : Client(request, "get", default_port_of(Service::source)), request_(request) {}

private:
    bool prepare() override {
        if (!store_.open(request_.file)) set_error(store_.why());
        return !has_error();
    }
    services::Session& make_session() override {
        get_ = std::make_unique<services::Get>(network().host(), Callback::bind<&PatternClient::on_over>(*this),
                                               request_.octets, request_.seed, store_.file());
        return *get_;
    }
    std::string finish() override {
        if (!get_->complete()) return "not all data arrived";
        return store_.close() ? "" : store_.why();
    }
    const services::Digest& digest() const override { return get_->digest(); }
    std::string compared_with() const override { return "the pattern"; }
    std::uint64_t moved() const override { return get_->octets_received(); }
    std::optional<std::uint64_t> total() const override { return request_.octets; }

    const GetRequest& request_;
    Store store_;
    std::unique_ptr<services::Get> get_;
};

class HttpClient final : public Client {
public:
    explicit HttpClient(const GetRequest& request) : Client(request, "get", http_port), request_(request) {}

private:
    bool prepare() override {
        if (!store_.open(request_.file)) set_error(store_.why());
        return !has_error();
    }
    services::Session& make_session() override {
        get_ = std::make_unique<services::HttpGet>(network().host(), Callback::bind<&HttpClient::on_over>(*this),
                                                   *request_.url, store_.file());
        return *get_;
    }
    std::string finish() override {
        differs_ = !request_.expected_digest.empty() && request_.expected_digest != get_->digest().text();
        if (differs_) {
            return "what came differs: its digest is " + get_->digest().text() + ", not " + request_.expected_digest;
        }
        return store_.close() ? "" : store_.why();
    }
    const services::Digest& digest() const override { return get_->digest(); }
    std::string compared_with() const override {
        return request_.expected_digest.empty() ? "" : "the one that was given";
    }
    bool differs() const override { return differs_; }
    std::uint64_t moved() const override { return get_->digest().octets(); }
    std::optional<std::uint64_t> total() const override { return get_->length(); }

    const GetRequest& request_;
    Store store_;
    std::unique_ptr<services::HttpGet> get_;
    bool differs_ = false;
};

void set_peer_or_url(GetRequest& request, const std::string& text) {
    request.peer_text = text;
    request.url = services::parse_http_url(text);
    if (set_peer(request, request.url ? request.url->host : text)) return;
    complain("PEER " + text +
             ": give an IP address, and a port if need be: 10.0.0.1:5002 or [fd00::1]:5002, or http://10.0.0.1/FILE");
}

void set_digest(GetRequest& request, const std::string& text) {
    if (text.size() != 32 || text.find_first_not_of("0123456789abcdef") != std::string::npos) {
        complain("--digest " + text + ": give 32 hexadecimal digits, as xxh128sum prints them");
    }
    request.expected_digest = text;
}

void settle(const Command& command, const GetRequest& request) {
    for (const char* option : {"--bytes", "--seed"}) {
        if (!request.url || command.count(option) == 0) continue;
        complain(std::string(option) + ": is of the pattern, but a URL names a file; leave it out");
    }
    if (!request.url && !request.expected_digest.empty()) {
        complain("--digest: a pattern is compared octet by octet; leave it out, or give a URL");
    }
    if (!request.file.empty()) check_writable("--output", request.file);
}

}  // namespace

void add_get(Command& program, Run& run) {
    Command command = program.add_subcommand("get", "Receive a pattern or a file over a real network, checked");
    command.footer(footer);
    const auto request = std::make_shared<GetRequest>();
    add_text(command, {"PEER", "", "", "Address, address:port, or URL (http://)", ""},
             [request](const std::string& text) { set_peer_or_url(*request, text); })
        .required();
    add_text(command, {"--output", "FILE", "", "Write what comes to FILE", ""},
             [request](const std::string& file) { request->file = file; });
    add_text(command, {"--digest", "HEX", "", "What the digest of a file must be", ""},
             [request](const std::string& text) { set_digest(*request, text); });
    add_client_options(command, request);
    command.callback([&run, request, command] {
        check_network_options(command, *request);
        settle(command, *request);
        run = [request] { return request->url ? HttpClient(*request).run() : PatternClient(*request).run(); };
    });
}

}  // namespace lfn::cli
