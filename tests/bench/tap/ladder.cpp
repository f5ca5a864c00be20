// SPDX-License-Identifier: BSD-3-Clause
#include "tests/bench/tap/ladder.hpp"

#include <ctime>

#include "tests/bench/tap/stack_end.hpp"

namespace lfn::bench {

namespace {

constexpr std::uint32_t kernel_address = 0x0a4d0001, stack_address = 0x0a4d0002;
constexpr std::uint16_t port_number = 5001;
constexpr Duration patience = std::chrono::seconds(60);

// As contrib's tapif does: a poll and a read for each frame, each frame written by itself, every acknowledgement sent.
constexpr TapPortOptions frame_at_a_time{.read_batch_frames = 1, .queue_frames = 1, .thin_acks = false};
constexpr TapPortOptions batched{.thin_acks = false};

constexpr Step steps[] = {
    {"lwip", "lwIP 2.2.1, a frame at a time", lfn_stack_lwip, frame_at_a_time},
    {"lwip-batch", "+ drained in batches", lfn_stack_lwip, batched},
    {"lwip-thin", "+ one ACK a batch", lfn_stack_lwip, {}},
    {"lfn", "+ lfn for lwIP", lfn_stack_lfn, {}},
    {"lfn-merge", "+ kernel merges (NAPI, GRO)", lfn_stack_lfn, {}, true, false},
    {"lwip-offload", "lwip-thin + virtio-net offloads", lfn_stack_lwip, {}, false, true},
    {"lfn-offload", "lfn + virtio-net offloads", lfn_stack_lfn, {}, false, true},
};

double processor_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

struct Meters {
    CallMeter reads, writes, polls, digest;
    lfn_stack_costs stack{.ticks = meter_ticks, .copy = {}, .checksum = {}};
};

double seconds_of(Duration duration) {
    return std::chrono::duration<double>(duration).count();
}

Costs costs_of(const Meters& meters, std::uint64_t ticks, double seconds) {
    const double unit = seconds / static_cast<double>(ticks);
    const auto of = [unit](std::uint64_t part) { return static_cast<double>(part) * unit; };
    Costs costs;
    costs.reads = of(meters.reads.ticks);
    costs.writes = of(meters.writes.ticks);
    costs.polls = of(meters.polls.ticks);
    costs.copies = of(meters.stack.copy.ticks);
    costs.checksums = of(meters.stack.checksum.ticks);
    costs.digest = of(meters.digest.ticks);
    costs.rest = seconds - costs.reads - costs.writes - costs.polls - costs.copies - costs.checksums - costs.digest;
    costs.read_calls = meters.reads.calls;
    costs.write_calls = meters.writes.calls;
    costs.poll_calls = meters.polls.calls;
    return costs;
}

Result failed(const std::string& reason) {
    Result result;
    result.failure = reason;
    return result;
}

// A host, a connection, and the kernel's end.
class Transfer {
public:
    Transfer(const Step& step, const Conditions& conditions, bool metered)
        : step_(step), conditions_(conditions), metered_(metered) {
        tcp_.receive_window = tcp_.send_buffer = conditions.window;
    }

    Result run() {
        const bool sends = conditions_.direction == Direction::to_kernel;
        if (!open()) return failed(tap_.error());
        if (!peer_.start(sends ? Role::sink : Role::source, port_number, conditions_.octets)) {
            return failed(peer_.error());
        }
        auto on_over = [this] { loop_.stop(); };
        Sender sender(tap_.host(), Callback::to(on_over), conditions_.octets);
        Receiver receiver(tap_.host(), Callback::to(on_over), metered_ ? &meters_.digest : nullptr);
        Result result = measure(sends ? static_cast<services::Session&>(sender) : receiver);
        if (result.failure.empty()) check(sends ? peer_.digest() : receiver.digest(), result);
        return result;
    }

private:
    bool open() {
        TapHostOptions options;
        options.tap.name = "bench%d";
        options.tap.mtu = conditions_.mtu;
        options.tap.kernel_address = kernel_address;
        options.tap.offload = step_.offload;
        options.tap.merge = step_.merge;
        options.port = step_.port;
        options.address = stack_address;
        options.stack = step_.stack();
        options.defaults = &tcp_;
        options.costs = metered_ ? &meters_.stack : nullptr;
        if (!tap_.open(options)) return false;
        if (metered_) tap_.device().set_meters(&meters_.reads, &meters_.writes);
        if (metered_) loop_.set_meter(&meters_.polls);
        return true;
    }

    Result measure(services::Session& session) {
        Result result;
        const double processor_begin = processor_seconds();
        const Time begin = loop_.real_now();
        const std::uint64_t ticks_begin = meter_ticks();
        if (!session.connect(kernel_address, port_number, tcp_)) return failed(session.failure());
        loop_.run_for(patience);
        result.seconds = seconds_of(loop_.real_now() - begin);
        result.processor_seconds = processor_seconds() - processor_begin;
        if (metered_) result.costs = costs_of(meters_, meter_ticks() - ticks_begin, result.seconds);
        result.port = tap_.port().counters();
        const bool sends = conditions_.direction == Direction::to_kernel;
        result.data_packets = sends ? result.port.packets_out : result.port.packets_in;
        result.failure = session.over() ? session.failure() : "it takes longer than a minute";
        return result;
    }

    void check(const std::optional<std::string>& digest, Result& result) const {
        if (!digest) result.failure = "the kernel's end ended early";
        if (digest && *digest != digest_of_stream(conditions_.octets)) result.failure = "the digests differ";
    }

    const Step& step_;
    const Conditions& conditions_;
    bool metered_;
    lfn_tcp_settings tcp_{};
    Meters meters_;
    RealtimeLoop loop_;
    TapHost tap_{loop_};
    KernelEnd peer_;
};

}  // namespace

std::span<const Step> ladder() {
    return steps;
}

Result run(const Step& step, const Conditions& conditions, bool metered) {
    return Transfer(step, conditions, metered).run();
}

}  // namespace lfn::bench
