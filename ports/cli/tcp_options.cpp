// SPDX-License-Identifier: BSD-3-Clause
#include "ports/cli/tcp_options.hpp"

#include "lfn/loss_policy.h"
#include "lfn/nak_receiver.h"
#include "ports/cli/options.hpp"
#include "ports/cli/units.hpp"

namespace lfn::cli {

namespace {

constexpr std::uint64_t window_max = 1U << 30;

struct NakChoice {
    lfn_nak_mode mode;
    bool renak;
};

void set_nak(lfn_tcp_settings& tcp, const NakChoice& nak) {
    tcp.nak_mode = static_cast<std::uint8_t>(nak.mode);
    tcp.renak = nak.renak;
}

void add_wire(Command& command, const TcpSettings& tcp, lfn_wire standard) {
    const auto store = [tcp](lfn_wire wire) { tcp->wire = static_cast<std::uint8_t>(wire); };
    if (standard == LFN_WIRE_RFC1106) {
        add_choice<lfn_wire>(command, "--wire",
                             "How the options are spelt: as in RFC 1106, or as in RFC 6994 (kind 253)",
                             {{"rfc1106", LFN_WIRE_RFC1106}, {"exid", LFN_WIRE_EXID}}, store);
    } else {
        add_choice<lfn_wire>(command, "--wire",
                             "How the options are spelt: as in RFC 6994 (kind 253), or as in RFC 1106",
                             {{"exid", LFN_WIRE_EXID}, {"rfc1106", LFN_WIRE_RFC1106}}, store);
    }
}

// A whole number that is stored in a member of the settings.
template <class Member>
void add_number(Command& command, const OptionText& text, std::uint64_t low, std::uint64_t high, const TcpSettings& tcp,
                Member lfn_tcp_settings::*member) {
    add_parsed<std::uint64_t>(command, text, within<std::uint64_t>(parse_count, low, high),
                              [tcp, member](std::uint64_t value) { tcp.get()->*member = static_cast<Member>(value); });
}

// A choice whose default depends on the command.
void add_switch(Command& command, const std::string& name, const std::string& description, bool standard,
                const TcpSettings& tcp, bool lfn_tcp_settings::*member) {
    tcp.get()->*member = standard;
    const auto store = [tcp, member](bool on) { tcp.get()->*member = on; };
    if (standard) {
        add_choice<bool>(command, name, description, {{"on", true}, {"off", false}}, store);
    } else {
        add_choice<bool>(command, name, description, {{"off", false}, {"on", true}}, store);
    }
}

// The first of a list of choices is the default.
void add_loss_policy(Command& command, const TcpSettings& tcp, bool noise) {
    using Choice = std::pair<std::string_view, lfn_loss_policy>;
    const Choice close{"congestion", LFN_LOSS_CONGESTION};
    const Choice keep{"noise", LFN_LOSS_NOISE};
    tcp->loss_policy = static_cast<std::uint8_t>(noise ? LFN_LOSS_NOISE : LFN_LOSS_CONGESTION);
    add_choice<lfn_loss_policy>(
        command, "--loss-policy",
        "What a loss means: congestion closes the window, noise keeps it (RFC 1106 4.2),\n"
        "auto tells them apart by how full the path's queues were",
        {noise ? keep : close, noise ? close : keep, {"auto", LFN_LOSS_AUTO}},
        [tcp](lfn_loss_policy policy) { tcp->loss_policy = static_cast<std::uint8_t>(policy); });
}

}  // namespace

void add_rfc1106_options(Command& command, const TcpSettings& tcp, lfn_wire standard_wire) {
    tcp->big_window = true;
    set_nak(*tcp, {LFN_NAK_EVERY_GAP, true});
    tcp->wire = static_cast<std::uint8_t>(standard_wire);
    add_choice<NakChoice>(command, "--nak",
                          "What the receiver reports: every new gap, and again when that is lost (renak);\n"
                          "nothing; only the gap at the left edge, as RFC 1106 2.1 has it; every new gap once",
                          {{"renak", {LFN_NAK_EVERY_GAP, true}},
                           {"off", {LFN_NAK_OFF, false}},
                           {"left-edge", {LFN_NAK_LEFT_EDGE, false}},
                           {"every-gap", {LFN_NAK_EVERY_GAP, false}}},
                          [tcp](const NakChoice& nak) { set_nak(*tcp, nak); });
    add_choice<bool>(command, "--big-window", "RFC 1106's window options B and C; off: RFC 7323's scaling",
                     {{"on", true}, {"off", false}}, [tcp](bool on) { tcp->big_window = on; });
    add_wire(command, tcp, standard_wire);
}

void add_recovery_options(Command& command, const TcpSettings& tcp, const RecoveryDefaults& defaults) {
    add_choice<lfn_dup_acks>(command, "--dup-acks",
                             "Retransmit on duplicate ACKs; auto: unless the peer speaks NAK (RFC 1106 4.3)",
                             {{"auto", LFN_DUP_ACKS_AUTO}, {"on", LFN_DUP_ACKS_ON}, {"off", LFN_DUP_ACKS_OFF}},
                             [tcp](lfn_dup_acks mode) { tcp->dup_acks = static_cast<std::uint8_t>(mode); });
    add_loss_policy(command, tcp, defaults.noise);
    add_number(command,
               {"--slow-start", "N", std::to_string(defaults.slow_start_rate),
                "Packets that slow start opens by for each one acknowledged, 1 to 8",
                "give packets from 1 to 8; RFC 1106 4.2 proposes 2"},
               1, 8, tcp, &lfn_tcp_settings::slow_start_rate);
    tcp->slow_start_rate = defaults.slow_start_rate;
    add_number(command,
               {"--initial-window", "N", std::to_string(defaults.initial_window),
                "Segments before the first acknowledgement, 1 to 10 (RFC 6928); 0: 4380 bytes (RFC 3390)",
                "give segments from 0 to 10"},
               0, 10, tcp, &lfn_tcp_settings::initial_window);
    tcp->initial_window = defaults.initial_window;
    if (defaults.sack) {
        add_switch(command, "--sack", "Permit SACK (RFC 2018); what a peer without NAK reports by it is taken as NAKs",
                   *defaults.sack, tcp, &lfn_tcp_settings::sack);
    }
    add_switch(command, "--tail-probe",
               "Send the last segment again, ahead of a timeout, when nothing is heard (RFC 8985 7)",
               defaults.tail_probe, tcp, &lfn_tcp_settings::tail_probe);
    add_switch(command, "--ecn",
               "Ask for explicit congestion notification, and agree to it: routers mark instead of\n"
               "dropping, and the window comes down as for a loss, whatever the policy (RFC 3168)",
               false, tcp, &lfn_tcp_settings::ecn);
    add_number(command,
               {"--rto-margin", "MS", std::to_string(defaults.rto_margin_ms),
                "Added to the retransmission timeout, 0 to 60000 (RFC 1106 4.2)",
                "give whole milliseconds from 0 to 60000, as in 200"},
               0, 60'000, tcp, &lfn_tcp_settings::rto_margin_ms);
    tcp->rto_margin_ms = defaults.rto_margin_ms;
}

void add_keepalive_option(Command& command, const TcpSettings& tcp) {
    add_number(command,
               {"--keepalive", "S", "0",
                "Ask a peer that is silent for S seconds whether it is still there, and give the connection up\n"
                "when nine questions, as far apart, go unanswered; 0: wait for ever",
                "give seconds from 0 to 86400, as in 60"},
               0, 86'400, tcp, &lfn_tcp_settings::keepalive_s);
}

void add_window_option(Command& command, const TcpSettings& tcp, std::uint64_t standard) {
    const auto store = [tcp](std::uint64_t octets) {
        tcp->receive_window = static_cast<std::uint32_t>(octets);
        tcp->send_buffer = static_cast<std::uint32_t>(octets);
    };
    store(standard);
    add_parsed<std::uint64_t>(command,
                              {"--window", "SIZE", format_window(standard),
                               "Receive window and send buffer in bytes, up to 1G; K, M, G are 2^10, 2^20, 2^30",
                               "give bytes from 1 to 1G (2^30), as in 224K"},
                              within<std::uint64_t>(parse_window, 1, window_max), store);
}

void add_safety_options(Command& command, const TcpSettings& tcp, bool emulated) {
    add_switch(command, "--timestamps",
               "Timestamps (RFC 7323): old segments are told from new, and round trips measured", !emulated, tcp,
               &lfn_tcp_settings::timestamps);
    add_switch(command, "--isolated",
               "The path keeps order and brings nothing back, so that a big window is safe\n"
               "without timestamps; off: it is held to 2 GiB in 120 s of round trips (RFC 1110)",
               emulated, tcp, &lfn_tcp_settings::isolated);
}

std::string nak_name(const lfn_tcp_settings& tcp) {
    if (tcp.nak_mode == LFN_NAK_OFF) return "off";
    if (tcp.nak_mode == LFN_NAK_LEFT_EDGE) return "left-edge";
    return tcp.renak ? "renak" : "every-gap";
}

std::string dup_acks_name(const lfn_tcp_settings& tcp) {
    if (tcp.dup_acks == LFN_DUP_ACKS_ON) return "on";
    return tcp.dup_acks == LFN_DUP_ACKS_OFF ? "off" : "auto";
}

std::string loss_policy_name(const lfn_tcp_settings& tcp) {
    if (tcp.loss_policy == LFN_LOSS_AUTO) return "auto";
    return tcp.loss_policy == LFN_LOSS_NOISE ? "noise" : "congestion";
}

std::string wire_name(const lfn_tcp_settings& tcp) {
    return tcp.wire == LFN_WIRE_EXID ? "exid" : "rfc1106";
}

}  // namespace lfn::cli
