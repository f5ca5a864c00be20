// SPDX-License-Identifier: BSD-3-Clause
#include "emulators/link/ethernet_traffic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace lfn {
namespace {

using std::chrono::seconds;

// Hears everything.
class Listener final : public EthernetStation {
public:
    Listener(Loop& loop, EthernetSegment& segment) : loop_(loop), segment_(segment) { segment.attach(*this); }
    ~Listener() { segment_.detach(*this); }
    void frame_started() override {}
    void frame_ended(const EthernetFrame& frame) override {
        times.push_back(nanoseconds_of(loop_.now()));
        if (frame.fcs_error) return;
        ++frames;
        broadcasts += std::ranges::all_of(frame.bytes.first(6), [](auto byte) { return byte == 0xFF; });
        EXPECT_GE(frame.bytes.size(), ethernet::minimum_bytes);
        EXPECT_EQ(frame.bytes[6], 0x0A);  // locally administered: nobody's card
    }
    void transmission_ended(EthernetOutcome) override {}

    std::uint64_t frames = 0, broadcasts = 0;
    std::vector<std::int64_t> times;

private:
    Loop& loop_;
    EthernetSegment& segment_;
};

struct Observed {
    explicit Observed(const EthernetTraffic::Config& config, Duration duration = seconds(20))
        : segment(loop, {}), listener(loop, segment), traffic(loop, segment, config) {
        loop.run_for(duration);
    }
    double load() const { return seconds_of(segment.counters().busy) / seconds_of(loop.now()); }
    Loop loop;
    EthernetSegment segment;
    Listener listener;
    EthernetTraffic traffic;
};

TEST(EthernetTraffic, offers_the_load_that_was_asked_for) {
    for (const double load : {0.01, 0.1, 0.3}) {
        const Observed run({.stations = 150, .load = load});
        EXPECT_NEAR(run.load(), load, 0.07 * load);
    }
}

TEST(EthernetTraffic, collides_more_under_more_load_and_gives_up_nothing) {
    const Observed light({.stations = 150, .load = 0.05}), heavy({.stations = 150, .load = 0.4});
    const auto share = [](const Observed& run) {
        const auto& counters = run.traffic.counters();
        return static_cast<double>(counters.collisions) / static_cast<double>(counters.offered);
    };
    EXPECT_GT(share(heavy), 4 * share(light));
    EXPECT_EQ(heavy.traffic.counters().given_up, 0U);
}

TEST(EthernetTraffic, sends_its_share_of_broadcasts) {
    const Observed run({.stations = 20, .load = 0.2, .broadcast_share = 0.05});
    EXPECT_EQ(run.listener.frames, run.traffic.counters().sent);
    EXPECT_NEAR(static_cast<double>(run.listener.broadcasts), 0.05 * static_cast<double>(run.listener.frames),
                0.2 * 0.05 * static_cast<double>(run.listener.frames));
}

TEST(EthernetTraffic, one_seed_is_one_history) {
    const Observed first({.stations = 30, .load = 0.1, .seed = 7}, seconds(2));
    const Observed again({.stations = 30, .load = 0.1, .seed = 7}, seconds(2));
    const Observed other({.stations = 30, .load = 0.1, .seed = 8}, seconds(2));
    EXPECT_EQ(first.listener.times, again.listener.times);
    EXPECT_NE(first.listener.times, other.listener.times);
}

TEST(EthernetTraffic, no_load_is_no_traffic) {
    const Observed run({.stations = 150, .load = 0});
    EXPECT_TRUE(run.listener.times.empty());
}

}  // namespace
}  // namespace lfn
