// SPDX-License-Identifier: BSD-3-Clause
#include "ports/lab/transfer_among.hpp"

#include <array>

#include "ports/lab/shared_link.hpp"
#include "ports/pcap/capture.hpp"

namespace lfn::lab {

namespace {

constexpr Duration head_start = std::chrono::seconds(30);  // chosen: the competitors have found their rate by then
constexpr std::uint32_t competitors_window = 1 << 20;      // chosen: never what limits them

SharedLinkOptions shared_options(const TransferOptions& options, std::array<CaptureWriter, 2>& captures) {
    SharedLinkOptions shared;
    shared.link = options.link;
    shared.bit_error_rate = options.bit_error_rate;
    shared.rate_bps = options.rate_bps;
    shared.round_trip = options.round_trip;
    shared.jitter = options.jitter;
    shared.reorder = options.reorder;
    // The profile's queue fits its own rate and round trip.
    const bool changed = options.rate_bps || options.round_trip;
    shared.queue_frames = changed ? 0 : options.link->queue_frames.value;
    shared.mss = options.mss;
    shared.seed = options.seed;
    shared.patience = options.patience;
    shared.on_progress = options.on_progress;
    shared.flows.push_back({.sender = options.sender,
                            .receiver = options.receiver,
                            .tcp = options.tcp,
                            .window = options.window,
                            .octets = options.octets,
                            .start = head_start,
                            .observers = {captures.data(), &captures[1]}});
    shared.warm_up = head_start;
    for (unsigned i = 0; i < options.link->competitors.value; ++i) {
        shared.flows.push_back({.window = competitors_window});
    }
    return shared;
}

PathReport path_report(const Counters& counters, const Odometer& sent, const Odometer& received) {
    return {.counters = counters,
            .segments = sent.segments(),
            .payload_octets = sent.payload_octets(),
            .lost_octets = sent.payload_octets() - received.payload_octets(),
            .retransmitted_segments = sent.retransmitted_segments(),
            .retransmitted_octets = sent.retransmitted_octets()};
}

TransferReport report_of(const TransferOptions& options, const SharedLinkReport& shared) {
    TransferReport report;
    report.failure = shared.failure;
    if (shared.flows.empty()) return report;
    const SharedFlowReport& flow = shared.flows.front();
    report.intact = flow.intact;
    report.closed = flow.intact && shared.failure.empty();
    report.delivered_octets = flow.octets;
    report.sent_digest = flow.sent_digest;
    report.received_digest = flow.received_digest;
    report.seconds = flow.seconds;
    report.goodput = flow.goodput;
    report.ceiling = ceiling_of(options);
    report.forward = path_report(shared.forward, flow.sent, flow.received);
    report.backward = path_report(shared.backward, flow.sent_back, flow.received_back);
    report.sender = flow.sender;
    report.receiver = flow.receiver;
    report.events = shared.events;
    report.competitors.assign(shared.flows.begin() + 1, shared.flows.end());
    return report;
}

std::string open_captures(const TransferOptions& options, std::array<CaptureWriter, 2>& captures) {
    const std::array<const std::string*, 2> names = {&options.sender_capture, &options.receiver_capture};
    for (std::size_t end = 0; end < names.size(); ++end) {
        if (names[end]->empty()) continue;
        if (!captures[end].open(*names[end], CaptureLink::raw_ip)) return captures[end].error();
    }
    return {};
}

}  // namespace

TransferReport run_transfer_among_competitors(const TransferOptions& options) {
    std::array<CaptureWriter, 2> captures;
    TransferReport report;
    report.failure = open_captures(options, captures);
    if (!report.failure.empty()) return report;
    report = report_of(options, run_shared_link(shared_options(options, captures)));
    for (CaptureWriter& capture : captures) {
        if (!capture.close() && report.failure.empty()) report.failure = capture.error();
    }
    return report;
}

}  // namespace lfn::lab
