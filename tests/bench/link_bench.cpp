// SPDX-License-Identifier: BSD-3-Clause
// How many frames a second of wall time the event loop and the links carry. items_per_second is frames, or events.
#include <benchmark/benchmark.h>

#include <deque>

#include "emulators/link/path.hpp"

namespace lfn {
namespace {

struct Discard final : FrameSink {
    void accept(FramePtr frame) override { octets += frame->size(); }
    std::uint64_t octets = 0;
};

// Offers frames until refused, and again on drain.
class GreedySource {
public:
    GreedySource(FramePool& pool, Transmitter& transmitter) : pool_(pool), transmitter_(transmitter) {
        transmitter.on_drain(Callback::bind<&GreedySource::fill>(*this));
    }
    void fill() {
        do {
            if (waiting_ == nullptr) waiting_ = pool_.make(1500);
        } while (transmitter_.offer(waiting_));
    }

private:
    FramePool& pool_;
    Transmitter& transmitter_;
    FramePtr waiting_;
};

// One direction of a link that is kept full: two events a frame.
void full_path(benchmark::State& state, const char* profile, double bit_error_rate) {
    Loop loop;
    FramePool pool(1500);
    Discard sink;
    Path path(loop, *find_link_profile(profile), {.seed = 1, .bit_error_rate = bit_error_rate}, "a-to-b");
    path.connect(sink);
    GreedySource source(pool, path.transmitter());
    source.fill();
    loop.run_until(loop.now() + std::chrono::seconds(2));  // fill the pipe
    const std::uint64_t before = path.counters().in.frames;
    for (auto _ : state) loop.run_one();
    state.SetItemsProcessed(static_cast<std::int64_t>(path.counters().in.frames - before));
}
BENCHMARK_CAPTURE(full_path, t1_satellite, "t1-satellite", 0);
BENCHMARK_CAPTURE(full_path, t1_satellite_noisy, "t1-satellite", 1e-6);
BENCHMARK_CAPTURE(full_path, geo_10m, "geo-10m", 0);

// Timers that reschedule themselves, as many at once as the argument says.
void rescheduling_timers(benchmark::State& state) {
    struct Ticker {
        explicit Ticker(Loop& loop, Duration every)
            : interval(every), timer(loop, Callback::bind<&Ticker::tick>(*this)) {}
        void tick() { timer.schedule_after(interval); }
        Duration interval;
        Timer timer;
    };
    Loop loop;
    Random random(1, "bench");
    std::deque<Ticker> tickers;
    for (std::int64_t index = 0; index < state.range(0); ++index) {
        tickers.emplace_back(loop, Duration(1 + static_cast<Duration::rep>(random.below(1'000'000)))).tick();
    }
    for (auto _ : state) loop.run_one();
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(rescheduling_timers)->Arg(4)->Arg(64)->Arg(1024)->Arg(65536);

// A retransmission timer's life: moved on every packet, hardly ever run.
void moving_a_pending_timer(benchmark::State& state) {
    Loop loop;
    auto nothing = [] {};
    std::deque<Timer> timers;
    for (int index = 0; index < 64; ++index) timers.emplace_back(loop, Callback::to(nothing));
    Duration due = std::chrono::seconds(1);
    std::size_t next = 0;
    for (auto _ : state) timers[next++ % timers.size()].schedule_after(due += std::chrono::microseconds(8));
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(moving_a_pending_timer);

}  // namespace
}  // namespace lfn

BENCHMARK_MAIN();
