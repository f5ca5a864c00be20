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
    meter.arrived(*frame);
    transmitter->accept(std::move(frame));
}

void Bridge::End::port_gone(const std::string& reason) {
    if (bridge.error_.empty()) bridge.error_ = reason;
    if (bridge.on_gone_) bridge.on_gone_();
}

// A frame for which the interface has no room is lost there; the port counts it.
void Bridge::End::accept(FramePtr frame) {
    if (frame->size() > device.mtu() + ethernet_header_octets) return;
    std::uint8_t* room = port->transmit_begin(frame->size());
    if (room == nullptr) return;
    std::copy_n(frame->data(), frame->size(), room);
    port->transmit_end();
    port->flush();
}

bool Bridge::open(const BridgeOptions& options) {
    profile_ = bridge_profile(options.link != nullptr ? *options.link : *find_link_profile("t1-satellite"));
    path_options_ = options.path;
    if (!path_options_.queue_frames) path_options_.queue_frames = bridge_queue_frames(profile_);
    link_ = std::make_unique<DuplexLink>(loop_, profile_, path_options_);
    for (const Side side : {left, right}) {
        ends_[side] = std::make_unique<End>(*this, profile_.overhead_octets.value);
        End& end = *ends_[side];
        if (!end.device.open(side == left ? options.left : options.right)) {
            error_ = end.device.error();
            return false;
        }
        end.port = std::make_unique<TapPort>(loop_, end.device, TapPortOptions{.thin_acks = false});
    }
    wire(left, right);
    wire(right, left);
    return open_captures(options);
}

void Bridge::wire(Side from, Side to) {
    End& start = *ends_[from];
    Path& direction = path(from);
    start.transmitter = &direction.transmitter();
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
    for (const auto& end : ends_) {
        if (end == nullptr || !end->capture.is_open() || end->capture.close()) continue;
        error_ = end->capture.error();
        return false;
    }
    return true;
}

BridgeReport Bridge::report(Side from) const {
    BridgeReport report;
    const PathMeter& meter = ends_[from]->meter;
    report.counters = path(from).counters();
    report.delay = meter.delay();
    report.rate_bps = meter.rate_bps();
    report.busy_seconds = meter.busy_seconds();
    report.profile_delay = path_options_.one_way_delay.value_or(profile_.one_way_delay.value);
    report.profile_rate_bps = path_options_.rate_bps.value_or(profile_.rate_bps.value);
    return report;
}

}  // namespace lfn
