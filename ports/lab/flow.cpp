// SPDX-License-Identifier: BSD-3-Clause
#include "ports/lab/flow.hpp"

#include <utility>

namespace lfn::lab {

bool Flow::start(std::uint32_t address, std::uint16_t port, const lfn_tcp_settings& source,
                 const lfn_tcp_settings& sink) {
    if (octets_ == 0) return true;
    return sink_.start(port, sink) && source_.start(address, port, source);
}

bool Flow::done() const {
    return octets_ == 0 || (source_.end().finished && sink_.end().finished);
}

bool Flow::failed() const {
    return !source_.end().failure.empty() || !sink_.end().failure.empty();
}

bool Flow::intact_so_far() const {
    if (done()) return source_.end().digest == sink_.end().digest;
    return digest_of_pattern(seed_, arrived()) == sink_.end().digest;
}

std::string Flow::failure(std::string_view name) const {
    if (!source_.end().failure.empty()) return std::string(name) + ", source: " + source_.end().failure;
    if (!sink_.end().failure.empty()) return std::string(name) + ", sink: " + sink_.end().failure;
    if (!done() && !is_endless()) return std::string(name) + ": the transfer stalled";
    return intact_so_far() ? "" : std::string(name) + ": the data that arrived differ from those sent";
}

FlowReport Flow::report() {
    FlowReport report;
    if (octets_ == 0) return report;
    report.sender = source_.info();
    report.receiver = sink_.info();
    const End& sent = source_.end();
    const End& received = sink_.end();
    report.octets = received.digest.octets();
    report.intact = intact_so_far() && (is_endless() || report.octets == octets_);
    report.sent_digest = is_endless() ? digest_of_pattern(seed_, report.octets).text() : sent.digest.text();
    report.received_digest = received.digest.text();
    if (report.octets > 0) report.seconds = seconds_of(received.last - sent.first);
    if (report.seconds > 0) report.goodput = static_cast<double>(report.octets) / report.seconds;
    return report;
}

Watch::Watch(Loop& loop, Config config)
    : loop_(loop), config_(std::move(config)), timer_(loop, Callback::bind<&Watch::look>(*this)) {}

void Watch::start() {
    last_moved_ = loop_.now();
    timer_.schedule_after(config_.interval);
}

void Watch::look() {
    const std::uint64_t arrived = config_.arrived();
    if (config_.on_look) config_.on_look(arrived, loop_.now());
    if (arrived != last_arrived_) {
        last_arrived_ = arrived;
        last_moved_ = loop_.now();
    }
    if (config_.over() || loop_.now() - last_moved_ >= config_.patience) {
        loop_.stop();
    } else {
        timer_.schedule_after(config_.interval);
    }
}

}  // namespace lfn::lab
