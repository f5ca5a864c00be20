// SPDX-License-Identifier: BSD-3-Clause
#include "ports/cli/transfer_request.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>

#include "lfn/nak_receiver.h"
#include "ports/cli/commands.hpp"
#include "ports/cli/files.hpp"
#include "ports/cli/options.hpp"
#include "ports/cli/tcp_options.hpp"
#include "ports/cli/units.hpp"

namespace lfn::cli {

namespace {

using Request = std::shared_ptr<TransferRequest>;

// Below 1, however little.
constexpr double bit_error_rate_max = 1 - std::numeric_limits<double>::epsilon() / 2;
constexpr std::uint64_t rate_max_bps = 1'000'000'000'000;
constexpr std::uint64_t bytes_max = 1'000'000'000'000;
constexpr std::uint32_t window_max = 1U << 30;

void add_link_options(Command& command, const Request& request) {
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
                          "give milliseconds from 0 to 86400000, as in 580, or a time, as in 0.58s"},
                         parse_milliseconds, [request](Duration duration) { request->transfer.round_trip = duration; });
    add_parsed<Duration>(command,
                         {"--jitter", "MS", "0", "Each frame's delay varies by so much either way",
                          "give milliseconds from 0 to the one-way delay, as in 20"},
                         parse_milliseconds, [request](Duration duration) { request->transfer.jitter = duration; });
    command.add_flag("--reorder", request->transfer.reorder, "With --jitter: frames may overtake each other");
}

void add_load_options(Command& command, const Request& request) {
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

void add_run_options(Command& command, const Request& request) {
    add_choice<bool>(command, "--peer", "The other end: lfn, or lwIP 2.2.1 as released",
                     {{"lfn", false}, {"lwip", true}}, [request](bool lwip) { request->peer_is_lwip = lwip; });
    command.add_flag("--reverse", request->reverse, "The peer sends and lfn receives");
    add_text(command,
             {"--pcap", "FILE", "",
              "Write what the sender sees to FILE and what the receiver sees to a second\n"
              "file: FILE with \"-receiver\" before its suffix (nanosecond pcap). IP datagrams\n"
              "(LINKTYPE_RAW), on a P1300 too; Ethernet frames on a 3C500; with --card, when the\n"
              "driver is given them and gives them",
              ""},
             [request](const std::string& file) { request->pcap = file; });
    command.add_flag("--json", request->json, "Print one JSON object");
    add_progress_flags(command, {request, &request->progress});
}

void check_jitter(const TransferRequest& request) {
    if (request.transfer.reorder && request.transfer.jitter <= Duration::zero()) {
        complain("--reorder: frames overtake each other only where delays vary; give --jitter too");
    }
    const Duration round_trip = request.transfer.round_trip.value_or(2 * request.transfer.link->one_way_delay.value);
    if (request.transfer.jitter > round_trip / 2) {
        complain("--jitter " + format_milliseconds(request.transfer.jitter) +
                 ": more than the one-way delay; give at most " + format_milliseconds(round_trip / 2) +
                 ", or a longer --rtt");
    }
}

}  // namespace

void settle_captures(TransferRequest& request) {
    if (request.pcap.empty()) return;
    request.transfer.sender_capture = request.pcap;
    request.transfer.receiver_capture = with_suffix(request.pcap, "receiver");
    check_writable("--pcap", request.transfer.sender_capture);
    check_writable("--pcap", request.transfer.receiver_capture);
}

void add_transfer_options(Command& command, const Request& request) {
    lab::TransferOptions& transfer = request->transfer;
    transfer.link = find_link_profile("t1-satellite");
    add_link_options(command, request);
    add_load_options(command, request);
    const TcpSettings tcp(request, &transfer.tcp);
    add_rfc1106_options(command, tcp, LFN_WIRE_RFC1106);
    add_recovery_options(command, tcp);
    add_safety_options(command, tcp, true);
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
