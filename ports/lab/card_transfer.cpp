// SPDX-License-Identifier: BSD-3-Clause
#include "ports/lab/card_transfer.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "ports/lab/card_host.hpp"

namespace lfn::lab {

namespace {

constexpr std::uint32_t network = 0x0a000000;  // 10.0.0.0, and behind a gateway 10.0.1.0; hosts are .1 and .2
constexpr std::uint32_t next_network = 0x100;
constexpr unsigned router_number = 3;
constexpr std::array<std::string_view, 2> names = {"a", "b"};
constexpr std::array<std::string_view, 2> router_names = {"ra", "rb"};  // towards either host
constexpr std::uint16_t port = 5001;                                    // ttcp's
constexpr std::uint16_t headers = 40;                                   // IPv4 and TCP, without options
constexpr std::size_t largest_frame = 2048;
constexpr Duration boot_limit = std::chrono::seconds(5);
constexpr Duration linger = std::chrono::seconds(2);  // for the last acknowledgements

lfn_tcp_settings settings_of(const CardTransferOptions& options) {
    lfn_tcp_settings settings = options.tcp;
    settings.receive_window = options.window;
    settings.send_buffer = static_cast<std::uint32_t>(std::min<std::uint64_t>(2ULL * options.window, 1U << 30));
    return settings;
}

WireOptions wire_of(const CardTransferOptions& options) {
    WireOptions wire = options.wire;
    wire.seed = options.seed;
    return wire;
}

// The address of a station by its number at the end `end`.
std::uint32_t address_of(const CardTransferOptions& options, std::size_t end, unsigned station) {
    return network + (options.has_router() && end == 1 ? next_network : 0) + station;
}

std::uint32_t host_address(const CardTransferOptions& options, std::size_t end) {
    return address_of(options, end, static_cast<unsigned>(end) + 1);
}

CaptureLink capture_link(NicKind card) {
    return card == NicKind::el3c500 ? CaptureLink::ethernet : CaptureLink::raw_ip;
}

std::uint64_t count_of(const std::vector<NamedCount>& counts, std::string_view name) {
    const auto found = std::ranges::find(counts, name, &NamedCount::name);
    return found == counts.end() ? 0 : found->value;
}

CardPortReport report_of(const CardStation& station, const CardPort& card) {
    return {.card = station.counters(),
            .driver = card.driver().counters(),
            .lost = station.lost(),
            .interrupts_lost = card.interrupts_lost(),
            .port_accesses = card.accesses()};
}

std::array<Duration, work_count> work_of(const Processor& processor) {
    std::array<Duration, work_count> work{};
    for (std::size_t i = 0; i < work_count; ++i) work[i] = processor.spent(static_cast<Work>(i));
    return work;
}

// What writes files while a transfer runs.
struct Records {
    IoTrace trace;
    std::array<CaptureWriter, 2> captures;

    std::string open(const CardTransferOptions& options) {
        if (!options.trace_io.empty() && !trace.open(options.trace_io)) return trace.error();
        for (std::size_t end = 0; end < captures.size(); ++end) {
            if (options.captures[end].empty()) continue;
            if (!captures[end].open(options.captures[end], capture_link(options.cards[end]))) {
                return captures[end].error();
            }
        }
        return {};
    }
    std::string close() {
        std::string error = trace.close() ? "" : trace.error();
        for (CaptureWriter& capture : captures) {
            if (!capture.close() && error.empty()) error = capture.error();
        }
        return error;
    }
};

// A host with its card.
struct CardEnd {
    CardEnd(Loop& loop, FramePool& pool, CardWire& wire, const CardTransferOptions& options, unsigned number,
            const lfn_tcp_settings& defaults, Records& records)
        : station(wire.attach(number + 1)),
          host(loop, pool, options.stacks[number] != nullptr ? *options.stacks[number] : *lfn_stack_lfn(),
               station->card(), station->make_driver(), host_options(options, number, defaults, records)) {}

    CardHostOptions host_options(const CardTransferOptions& options, unsigned number, const lfn_tcp_settings& defaults,
                                 Records& records) const {
        return {.address = host_address(options, number),
                .gateway = options.has_router() ? address_of(options, number, router_number) : 0,
                .mtu = static_cast<std::uint16_t>(options.mss != 0 ? options.mss + headers : 0),
                .seed = options.seed,
                .name = names[number],
                .defaults = &defaults,
                .profile = options.hosts[number],
                .data_ports = station->data_ports(),
                .interrupt_loss = options.interrupt_loss,
                .trace = &records.trace,
                .capture = &records.captures[number]};
    }

    CardEndReport report() const {
        return {report_of(*station, host.port()), host.refusals(), work_of(host.processor())};
    }

    std::unique_ptr<CardStation> station;
    CardHost host;
};

// The gateway with its two cards.
struct Gateway {
    Gateway(Loop& loop, FramePool& pool, CardWire& first, CardWire& second, const CardTransferOptions& options,
            Records& records)
        : stations{first.attach(router_number), second.attach(router_number)},
          router(loop, pool, side(options, 0), side(options, 1),
                 {.profile = options.router,
                  .interrupt_loss = options.interrupt_loss,
                  .seed = options.seed,
                  .trace = &records.trace}) {}

    CardRouterSide side(const CardTransferOptions& options, std::size_t end) {
        return {.card = stations[end]->card(),
                .driver = stations[end]->make_datagram_driver(),
                .data_ports = stations[end]->data_ports(),
                .address = address_of(options, end, router_number),
                .name = router_names[end]};
    }

    CardRouterReport report() const {
        return {{report_of(*stations[0], router.port(0)), report_of(*stations[1], router.port(1))},
                router.counters(),
                work_of(router.processor())};
    }

    std::array<std::unique_ptr<CardStation>, 2> stations;
    CardRouter router;
};

class CardTransfer {
public:
    explicit CardTransfer(const CardTransferOptions& options)
        : options_(options),
          settings_(settings_of(options)),
          pool_(largest_frame),
          wire_(make_wire(loop_, options.cards[0], wire_of(options))),
          second_wire_(options.has_router() ? make_wire(loop_, options.cards[1], wire_of(options)) : nullptr),
          gateway_(second_wire_ == nullptr
                       ? nullptr
                       : std::make_unique<Gateway>(loop_, pool_, *wire_, *second_wire_, options, records_)),
          a_(loop_, pool_, *wire_, options, 0, settings_, records_),
          b_(loop_, pool_, second_wire_ == nullptr ? *wire_ : *second_wire_, options, 1, settings_, records_),
          forward_(a_.host, b_.host, loop_, options.octets, options.seed),
          backward_(b_.host, a_.host, loop_, options.octets_back, options.seed + 1),
          watch_(loop_, {.patience = options.patience,
                         .arrived = [this] { return forward_.arrived() + backward_.arrived(); },
                         .over = [this] { return over(); },
                         .on_look = options.on_progress}) {}

    CardTransferReport run() {
        CardTransferReport report;
        report.failure = records_.open(options_);
        if (!report.failure.empty()) return report;
        boot();
        if (up()) {
            transfer(report);
        } else {
            report.failure = "a card does not answer";
        }
        const std::string error = records_.close();
        if (report.failure.empty()) report.failure = error;
        return report;
    }

private:
    bool up() const { return a_.host.is_up() && b_.host.is_up() && (gateway_ == nullptr || gateway_->router.is_up()); }

    void boot() {
        while (!up() && loop_.now() < Time{} + boot_limit) loop_.run_for(std::chrono::milliseconds(1));
    }

    void transfer(CardTransferReport& report) {
        begin_ = loop_.now();
        if (forward_.start(host_address(options_, 1), port, settings_, settings_) &&
            backward_.start(host_address(options_, 0), port + 1, settings_, settings_)) {
            watch_.start();
            loop_.run();
        }
        loop_.run_for(linger);
        report_into(report);
    }

    bool over() const { return (forward_.done() && backward_.done()) || forward_.failed() || backward_.failed(); }

    CardWireReport wire_report(const CardWire& wire, NicKind kind) const {
        return {kind, wire.counters(), seconds_of(wire.busy()) / seconds_of(loop_.now() - begin_)};
    }

    void report_into(CardTransferReport& report) {
        report.failure = forward_.failure("forward");
        if (report.failure.empty()) report.failure = backward_.failure("backward");
        report.forward = {forward_.report(), a_.host.sent().segments()};
        report.backward = {backward_.report(), b_.host.sent().segments()};
        report.seconds = std::max(report.forward.seconds, report.backward.seconds);
        report.ends = {a_.report(), b_.report()};
        report.wires.push_back(wire_report(*wire_, options_.cards[0]));
        if (second_wire_ != nullptr) report.wires.push_back(wire_report(*second_wire_, options_.cards[1]));
        if (gateway_ != nullptr) report.router = gateway_->report();
        report.events = loop_.events_run();
    }

    const CardTransferOptions& options_;
    lfn_tcp_settings settings_;
    Loop loop_;
    FramePool pool_;
    Records records_;
    std::unique_ptr<CardWire> wire_, second_wire_;
    std::unique_ptr<Gateway> gateway_;
    CardEnd a_, b_;
    Flow forward_, backward_;
    Watch watch_;
    Time begin_{};
};

}  // namespace

std::uint64_t CardPortReport::card_count(std::string_view name) const {
    return count_of(card, name);
}
std::uint64_t CardPortReport::driver_count(std::string_view name) const {
    return count_of(driver, name);
}

std::uint64_t CardTransferReport::lost() const {
    std::uint64_t sum = ends[0].lost + ends[1].lost;
    if (router) sum += router->ports[0].lost + router->ports[1].lost;
    return sum;
}

CardTransferReport run_card_transfer(const CardTransferOptions& options) {
    return CardTransfer(options).run();
}

}  // namespace lfn::lab
