// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "lfn/big_window.h"
#include "lfn/nak_receiver.h"
#include "ports/cli/tcp_options.hpp"
#include "ports/cli/transfer_report.hpp"
#include "ports/cli/units.hpp"

namespace lfn::cli {

namespace {

std::string on_off(bool on) {
    return on ? "on" : "off";
}

std::string rate_text(double octets_per_second) {
    if (octets_per_second < 1000) return fmt::format("{:.1f} B/s", octets_per_second);
    return fmt::format("{:.1f} kB/s", octets_per_second / 1000);
}

std::string headline(const TransferRequest& request) {
    const lab::TransferOptions& transfer = request.transfer;
    const LinkProfile& link = *transfer.link;
    const std::string peer = request.peer_is_lwip ? "lwIP 2.2.1" : "lfn";
    std::string text = fmt::format("{} from {} to {} over {}: {}, {} round trip", format_bytes(transfer.octets),
                                   request.reverse ? peer : "lfn", request.reverse ? "lfn" : peer, link.name,
                                   format_rate(transfer.rate_bps.value_or(link.rate_bps.value)),
                                   format_milliseconds(transfer.round_trip.value_or(2 * link.one_way_delay.value)));
    if (transfer.jitter > Duration::zero()) text += " +/- " + format_milliseconds(2 * transfer.jitter);
    if (transfer.reorder) text += ", reordering";
    return text + ", bit error rate " + format_error_rate(transfer.bit_error_rate.value_or(link.bit_error_rate.value)) +
           "\n";
}

// Those of which most runs are content with what they are.
std::string unusual_settings(const lfn_tcp_settings& tcp) {
    std::string text;
    if (tcp.initial_window != 0) text += fmt::format("initial window {} segments, ", tcp.initial_window);
    if (tcp.tail_probe) text += "tail probe on, ";
    if (tcp.sack) text += "SACK on, ";
    if (tcp.timestamps) text += "timestamps on, ";
    if (!tcp.isolated) text += "isolated off, ";
    return text;
}

std::string settings_line(const TransferRequest& request) {
    const lab::TransferOptions& transfer = request.transfer;
    const lfn_tcp_settings& tcp = transfer.tcp;
    return fmt::format(
        "window {}, MSS {}, big window {}, NAK {}, duplicate ACKs {}, loss policy {}, slow start {}, RTO margin {} ms, "
        "{}wire {}, seed {}\n\n",
        format_window(transfer.window), transfer.mss, on_off(tcp.big_window), nak_name(tcp), dup_acks_name(tcp),
        loss_policy_name(tcp), tcp.slow_start_rate, tcp.rto_margin_ms, unusual_settings(tcp), wire_name(tcp),
        transfer.seed);
}

std::string goodput_text(const TransferRequest& request, const lab::TransferReport& report) {
    if (report.delivered_octets == 0) return "none: nothing arrived";
    if (report.seconds <= 0) return "without limit: the link takes no time";
    const std::string text = rate_text(report.goodput);
    if (request.transfer.rate_bps.value_or(request.transfer.link->rate_bps.value) == 0)
        return text + "; the link sets no ceiling";
    return text +
           fmt::format(", {:.1f} % of the link's ceiling of {}", 100 * report.efficiency(), rate_text(report.ceiling));
}

std::string time_text(const lab::TransferReport& report, double wall_seconds) {
    std::string text = fmt::format("{:.3f} s virtual, {:.2f} s wall", report.seconds, wall_seconds);
    if (!report.failure.empty() && report.over_seconds > 0) {
        text += fmt::format("; given up after {:.0f} s virtual", report.over_seconds);
    }
    return text;
}

std::string negotiated_text(const TransferRequest& request, const lab::TransferReport& report) {
    const lfn_tcp_info& ours = request.reverse ? report.receiver : report.sender;
    std::string text = "16-bit windows";
    if (ours.window_rule == LFN_WINDOW_BC) text = "big windows (RFC 1106)";
    if (ours.window_rule == LFN_WINDOW_RFC7323) text = "scaled windows (RFC 7323)";
    return text + (ours.nak_agreed ? ", NAK" : ", no NAK") + (ours.timestamps_agreed ? ", timestamps" : "") +
           (ours.ecn_agreed ? ", ECN" : "");
}

std::string lost_text(const lab::PathReport& path, std::string_view where) {
    const FrameCount dropped = path.counters.dropped();
    std::string text = fmt::format("{} of {} frames {}", dropped.frames > 0 ? format_count(dropped.frames) : "none",
                                   format_count(path.counters.in.frames), where);
    for (std::size_t i = 0; i < drop_cause_count; ++i) {
        const FrameCount& count = path.counters.dropped_by_cause[i];
        if (count.frames == 0) continue;
        text += fmt::format("; {}: {} frames, {}", name_of(static_cast<DropCause>(i)), format_count(count.frames),
                            format_bytes(count.octets));
    }
    if (path.counters.marked.frames > 0) text += fmt::format("; {} marked", format_count(path.counters.marked.frames));
    return text;
}

// What the sender may resend for besides timeouts and NAKs.
std::string dup_acks_reason(const TransferRequest& request, const lab::TransferReport& report) {
    if (request.reverse && request.peer_is_lwip) return "duplicate ACKs on";
    const std::uint8_t mode = request.transfer.tcp.dup_acks;
    if (mode == LFN_DUP_ACKS_ON) return "duplicate ACKs on";
    if (mode == LFN_DUP_ACKS_OFF) return "duplicate ACKs off";
    return report.sender.nak_agreed ? "duplicate ACKs off, as the peer speaks NAK" : "duplicate ACKs on";
}

std::string resent_text(const TransferRequest& request, const lab::TransferReport& report) {
    const lab::PathReport& data = report.forward;
    std::string text = fmt::format("{} segments, {}", format_count(data.retransmitted_segments),
                                   format_bytes(data.retransmitted_octets));
    if (request.reverse && request.peer_is_lwip) return text + "; lwIP does not tell why";
    const lfn_tcp_info& sender = report.sender;
    text += fmt::format("; {} of {} NAKs honoured", format_count(sender.naks_honoured),
                        format_count(report.receiver.naks_sent));
    if (sender.naks_refused > 0) text += fmt::format(" ({} refused)", format_count(sender.naks_refused));
    if (sender.probes > 0) text += fmt::format("; {} probes of the tail", format_count(sender.probes));
    return text + fmt::format("; {} timeouts; {}", format_count(sender.rtos), dup_acks_reason(request, report));
}

std::string digest_text(const lab::TransferReport& report) {
    if (report.intact) return report.sent_digest + " at both ends: intact";
    return fmt::format("sent {}, received {} after {}: NOT INTACT", report.sent_digest, report.received_digest,
                       format_bytes(report.delivered_octets));
}

std::string competitor_text(const lab::SharedFlowReport& flow) {
    return fmt::format("{} meanwhile, {:.1f} % of what both have; {}", rate_text(flow.measured_goodput),
                       100 * flow.share, flow.intact ? "intact as far as it came" : "NOT INTACT");
}

// What the numbers of the headline do not say.
bool needs_description(const LinkProfile& link) {
    return link.return_rate_bps.given() || link.bursts.given() || link.outages.given() || link.rates.given() ||
           link.delays.given() || link.mark_frames.given() || link.competitors.given();
}

std::string line(std::string_view label, const std::string& text) {
    return fmt::format("{:<12}{}\n", label, text);
}

}  // namespace

std::string transfer_text(const TransferRequest& request, const lab::TransferReport& report, double wall_seconds) {
    std::string text = headline(request) + settings_line(request);
    if (needs_description(*request.transfer.link))
        text += line("link", std::string(request.transfer.link->description));
    text += line("goodput", goodput_text(request, report));
    text += line("time", time_text(report, wall_seconds));
    text += line("agreed", negotiated_text(request, report));
    text += line("packets", fmt::format("{}: {} towards the receiver, {} back", format_count(report.packets()),
                                        format_count(report.forward.counters.in.frames),
                                        format_count(report.backward.counters.in.frames)));
    text += line("lost", lost_text(report.forward, "towards the receiver"));
    text += line("", lost_text(report.backward, "back"));
    text += line("resent", resent_text(request, report));
    text += line("digest", digest_text(report));
    for (const lab::SharedFlowReport& flow : report.competitors) text += line("competitor", competitor_text(flow));
    if (!request.transfer.sender_capture.empty()) {
        text += line("captures", fmt::format("{} (sender), {} (receiver)", request.transfer.sender_capture,
                                             request.transfer.receiver_capture));
    }
    return text;
}

}  // namespace lfn::cli
