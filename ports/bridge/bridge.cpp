// SPDX-License-Identifier: BSD-3-Clause
#include "ports/bridge/bridge.hpp"

#include <algorithm>

namespace lfn {

LinkProfile bridge_profile(const LinkProfile& profile) {
    LinkProfile result = profile;
    result.overhead_octets.value -= std::min(result.overhead_octets.value, ethernet_header_octets);
    return result;
}

std::size_t bridge_queue_frames(const LinkProfile& profile) {
    if (profile.queue_frames.value == 0) return 0;
    const std::size_t frame_octets = profile.mtu_octets.value + ethernet_header_octets;
    const std::size_t product = (bandwidth_delay_octets(profile) + frame_octets - 1) / frame_octets;
    return std::max(profile.queue_frames.value, product);
}

void Bridge::End::receive(std::span<const std::uint8_t> octets) {
    FramePtr frame = bridge.pool_.make(octets);
    if (bridge.when_full_ == WhenFull::hold && !transmitter->has_room(frame->size())) return hold_up(std::move(frame));
    meter.arrived(*frame);
    transmitter->accept(std::move(frame));
}

// One frame at most: nothing is read until it is on its way.
void Bridge::End::hold_up(FramePtr frame) {
    transmitter->offer(frame);  // is refused, and on_drain() follows
    held = std::move(frame);
    paired != nullptr ? paired->pause_reading() : tap->pause_reading();
}

void Bridge::End::on_drain() {
    if (held == nullptr) return;
    meter.arrived(*held);
    transmitter->accept(std::move(held));
    paired != nullptr ? paired->resume_reading() : tap->resume_reading();
}

void Bridge::End::port_gone(const std::string& reason) {
    if (bridge.error_.empty()) bridge.error_ = reason;
    if (bridge.on_gone_) bridge.on_gone_();
}

void Bridge::End::accept(FramePtr frame) {
    std::uint8_t* room = frame->size() <= frame_octets_max ? port->transmit_begin(frame->size()) : nullptr;
    if (room == nullptr) {
        ++not_taken;
        return;
    }
    std::copy_n(frame->data(), frame->size(), room);
    port->transmit_end();
    port->flush();
}

bool Bridge::open(const BridgeOptions& options) {
    profile_ = bridge_profile(options.link != nullptr ? *options.link : *find_link_profile("t1-satellite"));
    path_options_ = options.path;
    if (path_options_.rate_bps) profile_.rate_bps.value = *path_options_.rate_bps;
    if (path_options_.one_way_delay) profile_.one_way_delay.value = *path_options_.one_way_delay;
    path_options_.link_header_octets = ethernet_header_octets;
    when_full_ = options.when_full;
    if (!path_options_.queue_frames) {
        path_options_.queue_frames =
            when_full_ == WhenFull::hold ? profile_.queue_frames.value : bridge_queue_frames(profile_);
    }
    link_ = std::make_unique<DuplexLink>(loop_, profile_, path_options_);
    if (!open_end(left, options.left, options.left_port) || !open_end(right, options.right, options.right_port)) {
        return false;
    }
    wire(left, right);
    wire(right, left);
    return open_captures(options);
}

bool Bridge::open_end(Side side, const TapOptions& tap, PairedPort* port) {
    ends_[side] = std::make_unique<End>(*this, profile_.overhead_octets.value);
    End& end = *ends_[side];
    end.port = end.paired = port;
    if (port != nullptr) return true;
    if (!end.device.open(tap)) {
        error_ = end.device.error();
        return false;
    }
    end.frame_octets_max = end.device.mtu() + ethernet_header_octets;
    end.tap = std::make_unique<TapPort>(loop_, end.device, TapPortOptions{.thin_acks = false});
    end.port = end.tap.get();
    return true;
}

void Bridge::wire(Side from, Side to) {
    End& start = *ends_[from];
    Path& direction = path(from);
    start.transmitter = &direction.transmitter();
    start.transmitter->on_drain(Callback::bind<&End::on_drain>(start));
    direction.tap_sent(start.meter.at_line_end());
    direction.connect(*ends_[to]);
    direction.tap_received(start.meter.at_receiver());
    start.port->connect(start);
}

// An end's own capture: what it sent, when the last bit had left, and what reached it.
bool Bridge::open_captures(const BridgeOptions& options) {
    for (const Side side : {left, right}) {
        const std::string& file = side == left ? options.left_capture : options.right_capture;
        CaptureWriter& capture = ends_[side]->capture;
        if (file.empty()) continue;
        if (!capture.open(file, CaptureLink::ethernet)) {
            error_ = capture.error();
            return false;
        }
        path(side).tap_sent(capture);
        path(side == left ? right : left).tap_received(capture);
    }
    return true;
}

bool Bridge::close_captures() {
    bool well = true;
    for (const auto& end : ends_) {
        if (end == nullptr || !end->capture.is_open() || end->capture.close()) continue;
        error_ = end->capture.error();
        well = false;
    }
    return well;
}

BridgeReport Bridge::report(Side from) const {
    BridgeReport report;
    const PathMeter& meter = ends_[from]->meter;
    report.counters = path(from).counters();
    report.delay = meter.delay();
    report.rate_bps = meter.rate_bps();
    report.busy_seconds = meter.busy_seconds();
    report.profile_delay = profile_.one_way_delay.value;
    report.profile_rate_bps = profile_.rate_bps.value;
    report.not_taken = ends_[from == left ? right : left]->not_taken;
    report.queue_frames = *path_options_.queue_frames;
    return report;
}

}  // namespace lfn
