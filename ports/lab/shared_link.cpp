// SPDX-License-Identifier: BSD-3-Clause
#include "ports/lab/shared_link.hpp"

#include <algorithm>
#include <memory>

#include "ports/lab/host.hpp"

namespace lfn::lab {

namespace {

constexpr std::uint32_t network = 0x0a000000;  // 10.0.0.0; a flow's hosts have neighbouring numbers
constexpr std::uint16_t port = 5001;           // ttcp's
constexpr std::uint16_t headers = 40;          // IPv4 and TCP, without options
constexpr std::uint64_t access_speed = 10;     // times the link's
constexpr std::size_t flows_at_most = 100;
constexpr std::size_t shortest_queue = 10;
constexpr Duration look_interval = std::chrono::milliseconds(50);

std::uint32_t sender_address(std::size_t flow) {
    return network + 2 * static_cast<std::uint32_t>(flow) + 1;
}
std::uint32_t receiver_address(std::size_t flow) {
    return sender_address(flow) + 1;
}

LinkProfile link_of(const SharedLinkOptions& options) {
    LinkProfile link = options.link != nullptr ? *options.link : *find_link_profile("geo-10m");
    if (options.bit_error_rate) link.bit_error_rate.value = *options.bit_error_rate;
    return with_constants(link, options.rate_bps, options.round_trip);
}

std::size_t queue_of(const SharedLinkOptions& options, const LinkProfile& link) {
    if (options.queue_frames != 0) return options.queue_frames;
    const std::uint64_t packets = bandwidth_delay_octets(link) / (options.mss + std::size_t{headers});
    return std::max<std::size_t>(shortest_queue, packets);
}

lfn_tcp_settings settings_of(const SharedFlowOptions& flow) {
    lfn_tcp_settings settings = flow.tcp;
    settings.receive_window = flow.window;
    settings.send_buffer = static_cast<std::uint32_t>(std::min<std::uint64_t>(2ULL * flow.window, 1U << 30));
    return settings;
}

const lfn_stack& or_lfn(const lfn_stack* stack) {
    return stack != nullptr ? *stack : *lfn_stack_lfn();
}

// Behind the link: to the host that a datagram is for.
class Fork final : public FrameSink {
public:
    void add(FrameSink& host) { hosts_.push_back(&host); }
    void accept(FramePtr frame) override {
        const std::size_t number = frame->octets()[19];  // the destination's last octet
        const std::size_t flow = (number - 1) / 2;
        if (number != 0 && flow < hosts_.size()) hosts_[flow]->accept(std::move(frame));
    }

private:
    std::vector<FrameSink*> hosts_;
};

// A host on its access line, with what it sends and gets counted.
struct Station final : FrameSink, FrameObserver {
    Station(Loop& loop_of_all, FramePool& pool, const lfn_stack& stack, const HostOptions& options,
            std::uint64_t rate_bps, Transmitter& link, FrameObserver* watcher)
        : loop(loop_of_all),
          observer(watcher),
          line(loop, {.rate_bps = rate_bps}),
          tap(loop, *this),
          host(loop, pool, stack, options) {
        line.connect(tap);
        tap.connect(link);
        host.attach(line);
    }
    /// It sends.
    void observe(Time time, const Frame& frame) override {
        sent.observe(time, frame);
        if (observer != nullptr) observer->observe(time, frame);
    }
    /// A frame has come.
    void accept(FramePtr frame) override {
        received.observe(loop.now(), *frame);
        if (observer != nullptr) observer->observe(loop.now(), *frame);
        host.accept(std::move(frame));
    }

    Loop& loop;
    FrameObserver* observer;
    Odometer sent, received;
    Transmitter line;
    Tap tap;
    Host host;
};

class SharedLink {
public:
    SharedLink(const SharedLinkOptions& options, const LinkProfile& link)
        : options_(options),
          profile_(link),
          pool_(static_cast<std::size_t>(options.mss) + headers),
          link_(loop_, profile_, path_options(options, profile_)),
          watch_(loop_, {.interval = look_interval,
                         .patience = options.patience,
                         .arrived = [this] { return progress(); },
                         .over = [this] { return over(); },
                         .on_look = options.on_progress}),
          warmed_up_(loop_, Callback::bind<&SharedLink::begin_to_measure>(*this)) {
        link_.a_to_b.connect(to_receivers_);
        link_.b_to_a.connect(to_senders_);
        for (std::size_t i = 0; i < options.flows.size(); ++i) members_.push_back(std::make_unique<Member>(*this, i));
    }

    SharedLinkReport run() {
        warmed_up_.schedule_after(options_.warm_up);
        watch_.start();
        loop_.run();
        return report();
    }

private:
    static PathOptions path_options(const SharedLinkOptions& options, const LinkProfile& link) {
        PathOptions path{.seed = options.seed};
        path.queue_frames = queue_of(options, link);
        if (options.mark_frames != 0) path.mark_frames = options.mark_frames;
        path.jitter = options.jitter;
        path.jitter_order = options.reorder ? Jitter::Order::mixed : Jitter::Order::kept;
        return path;
    }

    // One flow with its two hosts.
    struct Member {
        Member(SharedLink& shared, std::size_t number)
            : link(shared),
              index(number),
              settings(settings_of(options())),
              sender(shared.loop_, shared.pool_, or_lfn(options().sender),
                     host_options("sender", sender_address(number)), shared.access_rate(),
                     shared.link_.a_to_b.transmitter(), options().observers[0]),
              receiver(shared.loop_, shared.pool_, or_lfn(options().receiver),
                       host_options("receiver", receiver_address(number)), shared.access_rate(),
                       shared.link_.b_to_a.transmitter(), options().observers[1]),
              flow(sender.host, receiver.host, shared.loop_, options().octets, shared.options_.seed + number),
              start(shared.loop_, Callback::bind<&Member::begin>(*this)) {
            shared.to_receivers_.add(receiver);
            shared.to_senders_.add(sender);
            start.schedule_after(options().start);
        }
        const SharedFlowOptions& options() const { return link.options_.flows[index]; }
        HostOptions host_options(std::string_view role, std::uint32_t address) {
            names.push_back(std::string(role) + std::to_string(index));
            return {.address = address,
                    .mtu = static_cast<std::uint16_t>(link.options_.mss + headers),
                    .seed = link.options_.seed,
                    .name = names.back(),
                    .defaults = &settings};
        }
        void begin() { flow.start(receiver_address(index), port, settings, settings); }

        SharedLink& link;
        std::size_t index;
        lfn_tcp_settings settings;
        std::vector<std::string> names;
        Station sender, receiver;
        Flow flow;
        Timer start;
        std::uint64_t arrived_before = 0;  // the measurement
    };

    std::uint64_t access_rate() const { return access_speed * profile_.rate_bps.value; }

    /// Of the flows that end; of all, if none does.
    std::uint64_t progress() const {
        std::uint64_t ending = 0;
        std::uint64_t all = 0;
        for (const auto& member : members_) {
            all += member->flow.arrived();
            if (!member->flow.is_endless()) ending += member->flow.arrived();
        }
        return all_endless() ? all : ending;
    }
    bool all_endless() const {
        return std::ranges::all_of(members_, [](const auto& member) { return member->flow.is_endless(); });
    }
    bool over() const {
        if (std::ranges::any_of(members_, [](const auto& member) { return member->flow.failed(); })) return true;
        if (options_.duration > Duration::zero()) {
            return measured_since_ && loop_.now() - *measured_since_ >= options_.duration;
        }
        return std::ranges::all_of(members_,
                                   [](const auto& member) { return member->flow.is_endless() || member->flow.done(); });
    }

    void begin_to_measure() {
        measured_since_ = loop_.now();
        for (const auto& member : members_) member->arrived_before = member->flow.arrived();
    }

    SharedLinkReport report() {
        SharedLinkReport report;
        report.forward = link_.a_to_b.counters();
        report.backward = link_.b_to_a.counters();
        report.events = loop_.events_run();
        if (measured_since_) report.measured_seconds = seconds_of(loop_.now() - *measured_since_);
        for (const auto& member : members_) {
            report.flows.push_back(flow_report(*member, report.measured_seconds));
            if (report.failure.empty()) report.failure = member->flow.failure("flow " + std::to_string(member->index));
        }
        compare(report);
        return report;
    }

    static SharedFlowReport flow_report(Member& member, double measured_seconds) {
        SharedFlowReport report;
        static_cast<FlowReport&>(report) = member.flow.report();
        if (measured_seconds > 0) {
            report.measured_goodput =
                static_cast<double>(member.flow.arrived() - member.arrived_before) / measured_seconds;
        }
        report.sent = member.sender.sent;
        report.received = member.receiver.received;
        report.sent_back = member.receiver.sent;
        report.received_back = member.sender.received;
        return report;
    }

    void compare(SharedLinkReport& report) const {
        double sum = 0;
        double squares = 0;
        for (const SharedFlowReport& flow : report.flows) {
            sum += flow.measured_goodput;
            squares += flow.measured_goodput * flow.measured_goodput;
        }
        if (sum <= 0) return;
        for (SharedFlowReport& flow : report.flows) flow.share = flow.measured_goodput / sum;
        report.fairness = sum * sum / (static_cast<double>(report.flows.size()) * squares);
        report.utilisation = sum * 8 / static_cast<double>(profile_.rate_bps.value);
    }

    const SharedLinkOptions& options_;
    LinkProfile profile_;
    Loop loop_;
    FramePool pool_;
    DuplexLink link_;
    Fork to_receivers_, to_senders_;
    std::vector<std::unique_ptr<Member>> members_;
    Watch watch_;
    Timer warmed_up_;
    std::optional<Time> measured_since_;
};

std::string fault_in(const SharedLinkOptions& options, const LinkProfile& link) {
    if (options.flows.empty() || options.flows.size() > flows_at_most) return "a shared link has 1 to 100 flows";
    if (link.rate_bps.value == 0) return "a link without a rate is no bottleneck";
    const bool ends = std::ranges::any_of(options.flows, [](const auto& flow) { return flow.octets != Flow::endless; });
    if (!ends && options.duration <= Duration::zero()) return "endless flows need a duration";
    return {};
}

}  // namespace

SharedLinkReport run_shared_link(const SharedLinkOptions& options) {
    const LinkProfile link = link_of(options);
    const std::string fault = fault_in(options, link);
    if (!fault.empty()) return {.failure = fault, .flows = {}, .forward = {}, .backward = {}};
    return SharedLink(options, link).run();
}

}  // namespace lfn::lab
