// SPDX-License-Identifier: BSD-3-Clause
#include "ports/cli/connection_options.hpp"

#include "lfn/loss_policy.h"
#include "lfn/nak_receiver.h"
#include "lfn/tcp_options.h"
#include "ports/cli/options.hpp"
#include "ports/cli/units.hpp"

namespace lfn::cli {

namespace {

constexpr std::uint32_t window_max = 1U << 30;
constexpr std::uint64_t initial_window_default = 10;  // RFC 6928, and what Linux does

struct NakChoice {
    lfn_nak_mode mode;
    bool renak;
};

using Settings = std::shared_ptr<lfn_tcp_settings>;

void set_window(lfn_tcp_settings& tcp, std::uint64_t octets) {
    tcp.receive_window = static_cast<std::uint32_t>(octets);
    tcp.send_buffer = static_cast<std::uint32_t>(octets);
}

// The first of a list of choices is the default.
void add_loss_policy(CLI::App& command, const Settings& tcp, bool noise) {
    const std::pair<std::string_view, lfn_loss_policy> close{"congestion", LFN_LOSS_CONGESTION},
        keep{"noise", LFN_LOSS_NOISE};
    tcp->loss_policy = static_cast<std::uint8_t>(noise ? LFN_LOSS_NOISE : LFN_LOSS_CONGESTION);
    add_choice<lfn_loss_policy>(
        command, "--loss-policy", "What a loss means: congestion closes the window, noise keeps it (RFC 1106 4.2)",
        {noise ? keep : close, noise ? close : keep},
        [tcp](lfn_loss_policy policy) { tcp->loss_policy = static_cast<std::uint8_t>(policy); });
}

}  // namespace

void add_tcp_options(CLI::App& command, const Settings& tcp, const TcpDefaults& defaults) {
    set_window(*tcp, defaults.window);
    tcp->big_window = true;
    tcp->nak_mode = LFN_NAK_EVERY_GAP;
    tcp->renak = true;
    tcp->wire = LFN_WIRE_EXID;
    tcp->slow_start_rate = defaults.slow_start_rate;
    tcp->rto_margin_ms = defaults.rto_margin_ms;
    tcp->initial_window = static_cast<std::uint8_t>(initial_window_default);
    add_parsed<std::uint64_t>(command,
                              {"--window", "SIZE", format_window(defaults.window),
                               "Receive window and send buffer in bytes, up to 1G; K, M, G are 2^10, 2^20, 2^30",
                               "give bytes from 1 to 1G (2^30), as in 224K"},
                              within<std::uint64_t>(parse_window, 1, window_max),
                              [tcp](std::uint64_t window) { set_window(*tcp, window); });
    add_choice<bool>(command, "--big-window",
                     "Offer RFC 1106's window options B and C; RFC 7323's scaling is offered too",
                     {{"on", true}, {"off", false}}, [tcp](bool on) { tcp->big_window = on; });
    add_choice<NakChoice>(command, "--nak", "Offer RFC 1106's NAK, and when it is sent (see `lfn transfer --help`)",
                          {{"renak", {LFN_NAK_EVERY_GAP, true}},
                           {"off", {LFN_NAK_OFF, false}},
                           {"left-edge", {LFN_NAK_LEFT_EDGE, false}},
                           {"every-gap", {LFN_NAK_EVERY_GAP, false}}},
                          [tcp](const NakChoice& nak) {
                              tcp->nak_mode = static_cast<std::uint8_t>(nak.mode);
                              tcp->renak = nak.renak;
                          });
    add_choice<lfn_wire>(command, "--wire", "How the options are spelt: as in RFC 6994 (kind 253), or as in RFC 1106",
                         {{"exid", LFN_WIRE_EXID}, {"rfc1106", LFN_WIRE_RFC1106}},
                         [tcp](lfn_wire wire) { tcp->wire = static_cast<std::uint8_t>(wire); });
    add_choice<lfn_dup_acks>(command, "--dup-acks",
                             "Retransmit on duplicate ACKs; auto: unless the peer speaks NAK (RFC 1106 4.3)",
                             {{"auto", LFN_DUP_ACKS_AUTO}, {"on", LFN_DUP_ACKS_ON}, {"off", LFN_DUP_ACKS_OFF}},
                             [tcp](lfn_dup_acks mode) { tcp->dup_acks = static_cast<std::uint8_t>(mode); });
    add_loss_policy(command, tcp, defaults.noise);
    add_parsed<std::uint64_t>(command,
                              {"--slow-start", "N", std::to_string(defaults.slow_start_rate),
                               "Packets that slow start opens by for each one acknowledged, 1 to 8",
                               "give packets from 1 to 8; RFC 1106 4.2 proposes 2"},
                              within<std::uint64_t>(parse_count, 1, 8),
                              [tcp](std::uint64_t rate) { tcp->slow_start_rate = static_cast<std::uint8_t>(rate); });
    add_parsed<std::uint64_t>(
        command,
        {"--initial-window", "N", std::to_string(initial_window_default),
         "Packets that go out before the first acknowledgement, 1 to 10 (RFC 6928)", "give packets from 1 to 10"},
        within<std::uint64_t>(parse_count, 1, initial_window_default),
        [tcp](std::uint64_t window) { tcp->initial_window = static_cast<std::uint8_t>(window); });
    add_parsed<std::uint64_t>(command,
                              {"--rto-margin", "MS", std::to_string(defaults.rto_margin_ms),
                               "Added to the retransmission timeout, 0 to 60000 (RFC 1106 4.2)",
                               "give whole milliseconds from 0 to 60000, as in 200"},
                              within<std::uint64_t>(parse_count, 0, 60'000),
                              [tcp](std::uint64_t margin) { tcp->rto_margin_ms = static_cast<std::uint32_t>(margin); });
}

void add_sack_option(CLI::App& command, const Settings& tcp) {
    tcp->sack = true;
    add_choice<bool>(command, "--sack", "Permit SACK; what the peer reports by it is repaired as by NAK",
                     {{"on", true}, {"off", false}}, [tcp](bool on) { tcp->sack = on; });
}

}  // namespace lfn::cli
