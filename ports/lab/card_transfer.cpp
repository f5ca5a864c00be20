// SPDX-License-Identifier: BSD-3-Clause
#include "ports/lab/card_transfer.hpp"

#include <algorithm>
#include <memory>

#include "ports/lab/card_host.hpp"
#include "ports/lab/workload.hpp"

namespace lfn::lab {

namespace {

constexpr std::array<std::uint32_t, 2> addresses = {0x0a000001, 0x0a000002};  // 10.0.0.1 and .2
constexpr std::array<std::string_view, 2> names = {"a", "b"};
constexpr std::uint16_t port = 5001;   // ttcp's
constexpr std::uint16_t headers = 40;  // IPv4 and TCP, without options
constexpr std::size_t largest_frame = 2048;
constexpr Duration look_interval = std::chrono::milliseconds(250);
constexpr Duration boot_limit = std::chrono::seconds(5);
constexpr Duration linger = std::chrono::seconds(2);  // for the last acknowledgements

lfn_tcp_settings settings_of(const CardTransferOptions& options) {
    lfn_tcp_settings settings = options.tcp;
    settings.receive_window = options.window;
    settings.send_buffer = 2 * options.window;
    return settings;
}

WireOptions wire_of(const CardTransferOptions& options) {
    WireOptions wire = options.wire;
    wire.seed = options.seed;
    return wire;
}

std::uint64_t count_of(const std::vector<NamedCount>& counts, std::string_view name) {
    const auto found = std::ranges::find(counts, name, &NamedCount::name);
    return found == counts.end() ? 0 : found->value;
}

// One way of the transfer; it may be nothing.
struct Flow {
    Flow(StackHost& from, StackHost& to, Loop& loop, std::uint64_t wanted, std::uint64_t seed)
        : octets(wanted), source(from, loop, wanted, seed), sink(to, loop) {}

    bool start(std::uint32_t address, std::uint16_t at, const lfn_tcp_settings& settings) {
        if (octets == 0) return true;
        return sink.start(at, settings) && source.start(address, at, settings);
    }
    bool done() const { return octets == 0 || (source.end().finished && sink.end().finished); }
    std::string failure(std::string_view name) const {
        if (!source.end().failure.empty()) return std::string(name) + ", source: " + source.end().failure;
        if (!sink.end().failure.empty()) return std::string(name) + ", sink: " + sink.end().failure;
        if (!done()) return std::string(name) + ": the transfer stalled";
        const bool same = octets == 0 || source.end().digest == sink.end().digest;
        return same ? "" : std::string(name) + ": the data that arrived differ from those sent";
    }
    CardFlowReport report(const CardHost& from) const {
        CardFlowReport report;
        if (octets == 0) return report;
        const End& sent = source.end();
        const End& received = sink.end();
        report.octets = received.digest.octets();
        report.intact = report.octets == octets && sent.digest == received.digest;
        report.sent_digest = sent.digest.text();
        report.received_digest = received.digest.text();
        if (report.octets > 0) report.seconds = seconds_of(received.last - sent.first);
        if (report.seconds > 0) report.goodput = static_cast<double>(report.octets) / report.seconds;
        report.sender = sent.info;
        report.receiver = received.info;
        report.segments = from.sent().segments();
        report.retransmitted_segments = sent.info.retransmitted_segments;
        return report;
    }

    std::uint64_t octets;
    Source source;
    Sink sink;
};

// A card in its host.
struct CardEnd {
    CardEnd(Loop& loop, FramePool& pool, CardWire& wire, const CardTransferOptions& options, unsigned number,
            const lfn_tcp_settings& defaults, IoTrace& trace)
        : station(wire.attach(number + 1)),
          host(loop, pool, options.stacks[number] != nullptr ? *options.stacks[number] : *lfn_stack_lfn(),
               station->card(), station->make_driver(), host_options(options, number, defaults, trace)) {}

    CardHostOptions host_options(const CardTransferOptions& options, unsigned number, const lfn_tcp_settings& defaults,
                                 IoTrace& trace) const {
        return {.address = addresses[number],
                .mtu = static_cast<std::uint16_t>(options.mss != 0 ? options.mss + headers : 0),
                .seed = options.seed,
                .name = names[number],
                .defaults = &defaults,
                .profile = options.hosts[number],
                .data_ports = station->data_ports(),
                .interrupt_loss = options.interrupt_loss,
                .trace = &trace};
    }

    CardEndReport report() const {
        CardEndReport report;
        report.card = station->counters();
        report.driver = host.driver().counters();
        report.lost = station->lost();
        report.stack_refusals = host.refusals();
        report.interrupts_lost = host.interrupts_lost();
        report.port_accesses = host.port_accesses();
        for (std::size_t i = 0; i < work_count; ++i) report.work[i] = host.processor().spent(static_cast<Work>(i));
        return report;
    }

    std::unique_ptr<CardStation> station;
    CardHost host;
};

class CardTransfer {
public:
    explicit CardTransfer(const CardTransferOptions& options)
        : options_(options),
          settings_(settings_of(options)),
          pool_(largest_frame),
          wire_(make_wire(loop_, options.card, wire_of(options))),
          a_(loop_, pool_, *wire_, options, 0, settings_, trace_),
          b_(loop_, pool_, *wire_, options, 1, settings_, trace_),
          forward_(a_.host, b_.host, loop_, options.octets, options.seed),
          backward_(b_.host, a_.host, loop_, options.octets_back, options.seed + 1),
          look_(loop_, Callback::bind<&CardTransfer::look>(*this)) {}

    CardTransferReport run() {
        CardTransferReport report;
        if (!options_.trace_io.empty() && !trace_.open(options_.trace_io)) {
            report.failure = trace_.error();
            return report;
        }
        boot();
        if (!a_.host.is_up() || !b_.host.is_up()) {
            report.failure = "a card does not answer";
        } else {
            transfer(report);
        }
        if (!trace_.close() && report.failure.empty()) report.failure = trace_.error();
        return report;
    }

private:
    void boot() {
        while (!(a_.host.is_up() && b_.host.is_up()) && loop_.now() < Time{} + boot_limit) {
            loop_.run_for(std::chrono::milliseconds(1));
        }
    }

    void transfer(CardTransferReport& report) {
        begin_ = last_moved_ = loop_.now();
        if (forward_.start(addresses[1], port, settings_) && backward_.start(addresses[0], port + 1, settings_)) {
            look_.schedule_after(look_interval);
            loop_.run();
        }
        for (Flow* flow : {&forward_, &backward_}) {
            flow->source.info();
            flow->sink.info();
        }
        loop_.run_for(linger);
        report_into(report);
    }

    bool over() const {
        if (forward_.done() && backward_.done()) return true;
        const auto failed = [](const Flow& flow) {
            return !flow.source.end().failure.empty() || !flow.sink.end().failure.empty();
        };
        return failed(forward_) || failed(backward_);
    }

    void look() {
        const std::uint64_t arrived = forward_.sink.end().digest.octets() + backward_.sink.end().digest.octets();
        if (options_.on_progress) options_.on_progress(arrived, loop_.now());
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

    void report_into(CardTransferReport& report) const {
        report.failure = forward_.failure("forward");
        if (report.failure.empty()) report.failure = backward_.failure("backward");
        report.forward = forward_.report(a_.host);
        report.backward = backward_.report(b_.host);
        report.seconds = std::max(report.forward.seconds, report.backward.seconds);
        report.ends = {a_.report(), b_.report()};
        report.wire = wire_->counters();
        report.wire_load = seconds_of(wire_->busy()) / seconds_of(loop_.now() - begin_);
        report.events = loop_.events_run();
    }

    const CardTransferOptions& options_;
    lfn_tcp_settings settings_;
    Loop loop_;
    FramePool pool_;
    IoTrace trace_;
    std::unique_ptr<CardWire> wire_;
    CardEnd a_, b_;
    Flow forward_, backward_;
    Timer look_;
    std::uint64_t last_arrived_ = 0;
    Time begin_{}, last_moved_{};
};

}  // namespace

std::uint64_t CardEndReport::card_count(std::string_view name) const {
    return count_of(card, name);
}
std::uint64_t CardEndReport::driver_count(std::string_view name) const {
    return count_of(driver, name);
}

CardTransferReport run_card_transfer(const CardTransferOptions& options) {
    return CardTransfer(options).run();
}

}  // namespace lfn::lab
