// SPDX-License-Identifier: BSD-3-Clause
#include "ports/cli/transfer_request.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>

#include "lfn/loss_policy.h"
#include "lfn/nak_receiver.h"
#include "lfn/tcp_options.h"
#include "ports/cli/commands.hpp"
#include "ports/cli/options.hpp"
#include "ports/cli/units.hpp"

namespace lfn::cli {

namespace {

using Request = std::shared_ptr<TransferRequest>;

struct NakChoice {
    lfn_nak_mode mode;
    bool renak;
    std::string_view name;
};

// Below 1, however little.
constexpr double bit_error_rate_max = 1 - std::numeric_limits<double>::epsilon() / 2;
constexpr std::uint64_t rate_max_bps = 1'000'000'000'000;
constexpr std::uint64_t bytes_max = 1'000'000'000'000;
constexpr std::uint32_t window_max = 1U << 30;

void add_link_options(CLI::App& command, const Request& request) {
    add_parsed<const LinkProfile*>(
        command,
        {"--link", "NAME", "t1-satellite", "Link profile; `lfn links` lists them",
         "unknown link; there are " + link_names()},
        [](std::string_view name) -> std::optional<const LinkProfile*> {
            const LinkProfile* link = find_link_profile(name);
            return link != nullptr ? std::optional(link) : std::nullopt;
        },
        [request](const LinkProfile* link) { request->transfer.link = link; });
    add_parsed<double>(command,
                       {"--ber", "RATE", "", "Bit error rate of both directions, 0 <= RATE < 1 (default: the link's)",
                        "give a number from 0 up to but not 1, as in 1e-6"},
                       within<double>(parse_number, 0, bit_error_rate_max),
                       [request](double rate) { request->transfer.bit_error_rate = rate; });
    add_parsed<std::uint64_t>(
        command,
        {"--rate", "BITS", "",
         "Line rate in bits per second, as in 1.544M; K, M, G are powers of 1000 (default: the link's)",
         "give bits per second from 1 to 1000G, as in 1.544M"},
        within<std::uint64_t>(parse_rate, 1, rate_max_bps),
        [request](std::uint64_t rate) { request->transfer.rate_bps = rate; });
    add_parsed<Duration>(command,
                         {"--rtt", "MS", "", "Round trip of the link in milliseconds (default: the link's)",
                          "give milliseconds, as in 580, or a time, as in 0.58s"},
                         parse_milliseconds, [request](Duration duration) { request->transfer.round_trip = duration; });
    add_parsed<Duration>(command,
                         {"--jitter", "MS", "0", "Each frame's delay varies by so much either way; order is kept",
                          "give milliseconds, as in 20"},
                         parse_milliseconds, [request](Duration duration) { request->transfer.jitter = duration; });
}

void add_load_options(CLI::App& command, const Request& request) {
    add_parsed<std::uint64_t>(
        command,
        {"--window", "SIZE", "224K", "Receive window in bytes, up to 1G; K, M, G are 2^10, 2^20, 2^30",
         "give bytes from 1 to 1G (2^30), as in 224K"},
        within<std::uint64_t>(parse_window, 1, window_max),
        [request](std::uint64_t window) { request->transfer.window = static_cast<std::uint32_t>(window); });
    add_parsed<std::uint64_t>(command,
                              {"--mss", "N", "512", "Payload of a segment in bytes, 64 to 9140; packets are 40 longer",
                               "give bytes from 64 to 9140, as in 512"},
                              within<std::uint64_t>(parse_count, 64, 9140), [request](std::uint64_t mss) {
                                  request->transfer.mss = static_cast<std::uint16_t>(mss);
                              });
    add_parsed<std::uint64_t>(
        command,
        {"--bytes", "SIZE", "10M", "How much to send; K, M, G are powers of 1000, Ki, Mi, Gi of 1024",
         "give bytes from 1 to 1T, as in 10M"},
        within<std::uint64_t>(parse_bytes, 1, bytes_max),
        [request](std::uint64_t bytes) { request->transfer.octets = bytes; });
    add_parsed<std::uint64_t>(command,
                              {"--seed", "N", "1", "Seed of everything random: one seed, one history",
                               "give a whole number from 0 to 2^64-1"},
                              parse_count, [request](std::uint64_t seed) { request->transfer.seed = seed; });
}

void add_rfc1106_options(CLI::App& command, const Request& request) {
    add_choice<NakChoice>(command, "--nak",
                          "What the receiver reports: every new gap, and again when that is lost (renak);\n"
                          "nothing; only the gap at the left edge, as RFC 1106 2.1 has it; every new gap once",
                          {{"renak", {LFN_NAK_EVERY_GAP, true, "renak"}},
                           {"off", {LFN_NAK_OFF, false, "off"}},
                           {"left-edge", {LFN_NAK_LEFT_EDGE, false, "left-edge"}},
                           {"every-gap", {LFN_NAK_EVERY_GAP, false, "every-gap"}}},
                          [request](const NakChoice& nak) {
                              request->transfer.tcp.nak_mode = static_cast<std::uint8_t>(nak.mode);
                              request->transfer.tcp.renak = nak.renak;
                              request->nak_name = nak.name;
                          });
    add_choice<bool>(command, "--big-window", "RFC 1106's window options B and C; off: RFC 7323's scaling",
                     {{"on", true}, {"off", false}}, [request](bool on) { request->transfer.tcp.big_window = on; });
    add_choice<lfn_wire>(command, "--wire", "How the options are spelt: as in RFC 1106, or as in RFC 6994 (kind 253)",
                         {{"rfc1106", LFN_WIRE_RFC1106}, {"exid", LFN_WIRE_EXID}},
                         [request](lfn_wire wire) { request->transfer.tcp.wire = static_cast<std::uint8_t>(wire); });
}

void add_recovery_options(CLI::App& command, const Request& request) {
    add_choice<lfn_dup_acks>(
        command, "--dup-acks", "Retransmit on duplicate ACKs; auto: unless the peer speaks NAK (RFC 1106 4.3)",
        {{"auto", LFN_DUP_ACKS_AUTO}, {"on", LFN_DUP_ACKS_ON}, {"off", LFN_DUP_ACKS_OFF}},
        [request](lfn_dup_acks mode) { request->transfer.tcp.dup_acks = static_cast<std::uint8_t>(mode); });
    add_choice<lfn_loss_policy>(
        command, "--loss-policy", "What a loss means: congestion closes the window, noise keeps it (RFC 1106 4.2)",
        {{"congestion", LFN_LOSS_CONGESTION}, {"noise", LFN_LOSS_NOISE}},
        [request](lfn_loss_policy policy) { request->transfer.tcp.loss_policy = static_cast<std::uint8_t>(policy); });
    add_parsed<std::uint64_t>(
        command,
        {"--slow-start", "N", "1", "Packets that slow start opens by for each one acknowledged, 1 to 8",
         "give packets from 1 to 8; RFC 1106 4.2 proposes 2"},
        within<std::uint64_t>(parse_count, 1, 8),
        [request](std::uint64_t rate) { request->transfer.tcp.slow_start_rate = static_cast<std::uint8_t>(rate); });
    add_parsed<std::uint64_t>(
        command,
        {"--rto-margin", "MS", "0", "Added to the retransmission timeout, 0 to 60000 (RFC 1106 4.2)",
         "give whole milliseconds from 0 to 60000, as in 200"},
        within<std::uint64_t>(parse_count, 0, 60'000),
        [request](std::uint64_t margin) { request->transfer.tcp.rto_margin_ms = static_cast<std::uint32_t>(margin); });
}

void add_run_options(CLI::App& command, const Request& request) {
    add_choice<bool>(command, "--peer", "The other end: lfn, or lwIP 2.2.1 as released",
                     {{"lfn", false}, {"lwip", true}}, [request](bool lwip) { request->peer_is_lwip = lwip; });
    command.add_flag("--reverse", request->reverse, "The peer sends and lfn receives");
    add_text(command,
             {"--pcap", "FILE", "",
              "Write what the sender sees to FILE and what the receiver sees to a second\n"
              "file: FILE with \"-receiver\" before its suffix (nanosecond pcap)",
              ""},
             [request](const std::string& file) { request->pcap = file; });
    command.add_flag("--json", request->json, "Print one JSON object");
    add_progress_flags(command, {request, &request->progress});
}

// Tries it, and leaves no trace.
void check_writable(const std::string& file) {
    if (file == "-") complain("--pcap -: there are two captures; give the name of a file");
    std::error_code ignored;
    const bool existed = std::filesystem::exists(file, ignored);
    std::FILE* handle = std::fopen(file.c_str(), "ab");
    if (handle == nullptr) {
        complain("--pcap " + file + ": " + std::strerror(errno) + "; give a file that can be written");
    }
    std::fclose(handle);
    if (!existed) std::filesystem::remove(file, ignored);
}

void settle_captures(TransferRequest& request) {
    if (request.pcap.empty()) return;
    request.transfer.sender_capture = request.pcap;
    request.transfer.receiver_capture = receiver_capture_name(request.pcap);
    check_writable(request.transfer.sender_capture);
    check_writable(request.transfer.receiver_capture);
}

void check_jitter(const TransferRequest& request) {
    const Duration round_trip = request.transfer.round_trip.value_or(2 * request.transfer.link->one_way_delay.value);
    if (request.transfer.jitter > round_trip / 2) {
        complain("--jitter " + format_milliseconds(request.transfer.jitter) +
                 ": more than the one-way delay; give at most " + format_milliseconds(round_trip / 2) +
                 ", or a longer --rtt");
    }
}

}  // namespace

std::string receiver_capture_name(const std::string& sender_capture) {
    const std::size_t slash = sender_capture.find_last_of('/');
    const std::size_t base = slash == std::string::npos ? 0 : slash + 1;
    const std::size_t dot = sender_capture.find_last_of('.');
    const bool has_suffix = dot != std::string::npos && dot > base;
    std::string name = sender_capture;
    return name.insert(has_suffix ? dot : name.size(), "-receiver");
}

void add_transfer_options(CLI::App& command, const Request& request) {
    lab::TransferOptions& transfer = request->transfer;
    transfer.link = find_link_profile("t1-satellite");
    transfer.tcp.big_window = true;
    transfer.tcp.nak_mode = LFN_NAK_EVERY_GAP;
    transfer.tcp.renak = true;
    transfer.tcp.slow_start_rate = 1;
    transfer.tcp.wire = LFN_WIRE_RFC1106;
    request->nak_name = "renak";
    add_link_options(command, request);
    add_load_options(command, request);
    add_rfc1106_options(command, request);
    add_recovery_options(command, request);
    add_run_options(command, request);
}

void settle(TransferRequest& request) {
    check_jitter(request);
    settle_captures(request);
    lfn_tcp_settings& tcp = request.transfer.tcp;
    // Nothing in the SYN could say it, so the two ends must know it.
    tcp.nak_assumed =
        tcp.nak_mode != LFN_NAK_OFF && tcp.wire == LFN_WIRE_RFC1106 && !tcp.big_window && !request.peer_is_lwip;
    if (!request.peer_is_lwip) return;
    (request.reverse ? request.transfer.sender : request.transfer.receiver) = lfn_stack_lwip();
}

}  // namespace lfn::cli
