// SPDX-License-Identifier: BSD-3-Clause
#include "ports/lab/transfer.hpp"

#include <algorithm>

#include "ports/lab/host.hpp"
#include "ports/lab/odometer.hpp"
#include "ports/lab/transfer_among.hpp"
#include "ports/lab/workload.hpp"
#include "ports/pcap/capture.hpp"

namespace lfn::lab {

namespace {

constexpr std::uint32_t sender_address = 0x0a000001;    // 10.0.0.1
constexpr std::uint32_t receiver_address = 0x0a000002;  // 10.0.0.2
constexpr std::uint16_t port = 5001;                    // ttcp's
constexpr std::uint16_t headers = 40;                   // IPv4 and TCP, without options
constexpr Duration look_interval = std::chrono::seconds(1);

const LinkProfile& link_of(const TransferOptions& options) {
    return options.link != nullptr ? *options.link : *find_link_profile("t1-satellite");
}

lfn_tcp_settings settings_of(const TransferOptions& options) {
    lfn_tcp_settings settings = options.tcp;
    settings.receive_window = options.window;
    // Twice the window: what is in flight, and as much again that waits.
    settings.send_buffer = options.send_buffer != 0
                               ? options.send_buffer
                               : static_cast<std::uint32_t>(std::min<std::uint64_t>(2ULL * options.window, 1U << 30));
    return settings;
}

HostOptions host_options(const TransferOptions& options, std::uint32_t address, std::string_view name,
                         const lfn_tcp_settings& defaults) {
    return {.address = address,
            .mtu = static_cast<std::uint16_t>(options.mss + headers),
            .seed = options.seed,
            .name = name,
            .defaults = &defaults};
}

PathOptions path_options(const TransferOptions& options) {
    PathOptions path{.seed = options.seed};
    path.bit_error_rate = options.bit_error_rate;
    path.rate_bps = options.rate_bps;
    if (options.round_trip) path.one_way_delay = *options.round_trip / 2;
    path.jitter = options.jitter;
    path.jitter_order = options.reorder ? Jitter::Order::mixed : Jitter::Order::kept;
    return path;
}

const lfn_stack& or_lfn(const lfn_stack* stack) {
    return stack != nullptr ? *stack : *lfn_stack_lfn();
}

// Both ends of one direction: what was put on the line, what came out of it.
struct Meter {
    Odometer sent, received;

    PathReport report(const Path& path) const {
        return {.counters = path.counters(),
                .segments = sent.segments(),
                .payload_octets = sent.payload_octets(),
                .lost_octets = sent.payload_octets() - received.payload_octets(),
                .retransmitted_segments = sent.retransmitted_segments(),
                .retransmitted_octets = sent.retransmitted_octets()};
    }
};

// Everything that one transfer needs, in the order in which it may come and go.
class Transfer {
public:
    explicit Transfer(const TransferOptions& options)
        : options_(options),
          settings_(settings_of(options)),
          pool_(static_cast<std::size_t>(options.mss) + headers),
          link_(loop_, link_of(options), path_options(options)),
          sender_(loop_, pool_, or_lfn(options.sender), host_options(options, sender_address, "sender", settings_)),
          receiver_(loop_, pool_, or_lfn(options.receiver),
                    host_options(options, receiver_address, "receiver", settings_)),
          source_(sender_, loop_, options.octets, options.seed),
          sink_(receiver_, loop_),
          look_(loop_, Callback::bind<&Transfer::look>(*this)) {
        if (options.impair) options.impair(link_.a_to_b);
        wire(link_.a_to_b, sender_, receiver_, forward_);
        wire(link_.b_to_a, receiver_, sender_, backward_);
    }

    TransferReport run() {
        TransferReport report;
        report.failure = open_captures();
        if (!report.failure.empty()) return report;
        if (sink_.start(port, settings_) && source_.start(receiver_address, port, settings_)) run_to_end();
        report_into(report);
        const std::string error = close_captures();
        if (report.failure.empty()) report.failure = error;
        return report;
    }

private:
    static void wire(Path& path, Host& from, Host& to, Meter& meter) {
        path.tap_sent(meter.sent);
        path.tap_received(meter.received);
        path.connect(to);
        from.attach(path.transmitter());
    }

    // A host's own capture: what it sent, when the last bit had left, and what reached it.
    std::string open_captures() {
        if (!options_.sender_capture.empty()) {
            if (!sender_capture_.open(options_.sender_capture, CaptureLink::raw_ip)) return sender_capture_.error();
            link_.a_to_b.tap_sent(sender_capture_);
            link_.b_to_a.tap_received(sender_capture_);
        }
        if (!options_.receiver_capture.empty()) {
            if (!receiver_capture_.open(options_.receiver_capture, CaptureLink::raw_ip)) {
                return receiver_capture_.error();
            }
            link_.b_to_a.tap_sent(receiver_capture_);
            link_.a_to_b.tap_received(receiver_capture_);
        }
        return {};
    }

    std::string close_captures() {
        for (CaptureWriter* capture : {&sender_capture_, &receiver_capture_}) {
            if (capture->is_open() && !capture->close()) return capture->error();
        }
        return {};
    }

    bool over() const {
        const bool finished = source_.end().finished && sink_.end().finished;
        return finished || !source_.end().failure.empty() || !sink_.end().failure.empty();
    }

    // Looks at the transfer once a second: is it over, does it still move?
    void look() {
        const std::uint64_t arrived = sink_.end().digest.octets();
        if (options_.on_progress) options_.on_progress(arrived, loop_.now());
        if (options_.on_look) options_.on_look(arrived, packets(), loop_.now());
        weigh();
        if (arrived != last_arrived_) {
            last_arrived_ = arrived;
            last_moved_ = loop_.now();
        }
        if (over() || loop_.now() - last_moved_ >= options_.patience) {
            loop_.stop();
        } else {
            look_.schedule_after(look_interval);
        }
    }

    std::uint64_t packets() const { return link_.a_to_b.counters().in.frames + link_.b_to_a.counters().in.frames; }

    void weigh() {
        const std::uint32_t in_flight = source_.info().in_flight;
        if (in_flight <= most_in_flight_) return;
        most_in_flight_ = in_flight;
        memory_then_ = sender_.with_stack([](const lfn_stack& s) { return s.memory_held(); });
    }

    void run_to_end() {
        look_.schedule_after(look_interval);
        loop_.run();
        over_seconds_ = seconds_of(loop_.now() - Time{});
        source_.info();
        sink_.info();
        // Let the last segments and their acknowledgements arrive.
        const Duration round_trip =
            2 * path_options(options_).one_way_delay.value_or(link_of(options_).one_way_delay.value);
        loop_.run_for(2 * round_trip + look_interval);
    }

    std::string failure() const {
        if (!source_.end().failure.empty()) return "sender: " + source_.end().failure;
        if (!sink_.end().failure.empty()) return "receiver: " + sink_.end().failure;
        if (!source_.end().finished || !sink_.end().finished) return "the transfer stalled";
        if (!(source_.end().digest == sink_.end().digest)) return "the data that arrived differ from those sent";
        return {};
    }

    void report_into(TransferReport& report) const {
        const End& sent = source_.end();
        const End& received = sink_.end();
        report.failure = failure();
        report.closed = sent.finished && received.finished;
        report.intact = received.digest.octets() == options_.octets && sent.digest == received.digest;
        report.delivered_octets = received.digest.octets();
        report.sent_digest = sent.digest.text();
        report.received_digest = received.digest.text();
        report.seconds = received.digest.octets() > 0 ? seconds_of(received.last - sent.first) : 0;
        if (report.seconds > 0) report.goodput = static_cast<double>(report.delivered_octets) / report.seconds;
        report.over_seconds = over_seconds_;
        report.ceiling = ceiling_of(options_);
        report.forward = forward_.report(link_.a_to_b);
        report.backward = backward_.report(link_.b_to_a);
        report.sender = sent.info;
        report.receiver = received.info;
        report.most_in_flight = most_in_flight_;
        report.memory_then = memory_then_;
        report.events = loop_.events_run();
    }

    const TransferOptions& options_;
    lfn_tcp_settings settings_;
    Loop loop_;
    FramePool pool_;
    Meter forward_, backward_;
    CaptureWriter sender_capture_, receiver_capture_;
    DuplexLink link_;
    Host sender_, receiver_;
    Source source_;
    Sink sink_;
    Timer look_;
    std::uint64_t last_arrived_ = 0;
    Time last_moved_{};
    double over_seconds_ = 0;
    std::uint32_t most_in_flight_ = 0;
    std::uint64_t memory_then_ = 0;
};

}  // namespace

double ceiling_of(const TransferOptions& options) {
    const LinkProfile link = with_constants(link_of(options), options.rate_bps, options.round_trip);
    const double bit_error_rate = options.bit_error_rate.value_or(link.bit_error_rate.value);
    return ceiling_octets_per_second(link, bit_error_rate, options.mss,
                                     static_cast<std::size_t>(options.mss) + headers);
}

TransferReport run_transfer(const TransferOptions& options) {
    if (link_of(options).competitors.value > 0) return run_transfer_among_competitors(options);
    return Transfer(options).run();
}

}  // namespace lfn::lab
