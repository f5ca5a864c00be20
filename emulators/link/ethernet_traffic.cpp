// SPDX-License-Identifier: BSD-3-Clause
#include "emulators/link/ethernet_traffic.hpp"

#include <algorithm>
#include <array>
#include <cassert>

namespace lfn {

namespace {

struct Size {
    std::size_t bytes;
    unsigned percent;
};
constexpr std::array<Size, 3> mix = {{{60, 70}, {576, 20}, {1078, 10}}};

/// Exponential with mean 1, by von Neumann's comparison of uniform numbers: exact, and no logarithm in it that could
/// differ in its last bit from one machine to the next.
double exponential(Random& random) {
    for (double whole = 0;; ++whole) {
        const double first = random.unit();
        double last = first;
        bool odd = true;
        for (double next = random.unit(); next < last; next = random.unit()) {
            last = next;
            odd = !odd;
        }
        if (odd) return whole + first;
    }
}

}  // namespace

class EthernetTraffic::Station final : public EthernetStation {
public:
    Station(EthernetTraffic& traffic, unsigned number)
        : traffic_(traffic), number_(number), timer_(traffic.loop_, Callback::bind<&Station::on_timer>(*this)) {
        traffic_.segment_.attach(*this);
        timer_.schedule_after(traffic_.think_time());
    }
    ~Station() {
        if (on_wire_) traffic_.segment_.abort(*this);
        traffic_.segment_.detach(*this);
    }

    void frame_started() override {}
    void frame_ended(const EthernetFrame&) override {}

    void transmission_ended(EthernetOutcome outcome) override {
        on_wire_ = false;
        if (outcome == EthernetOutcome::collision) {
            ++traffic_.counters_.collisions;
            if (++collisions_ < ethernet::attempt_limit) {
                timer_.schedule_after(back_off());
                return;
            }
            ++traffic_.counters_.given_up;
        } else {
            ++traffic_.counters_.sent;
        }
        frame_.clear();
        timer_.schedule_after(traffic_.think_time());
    }

private:
    void on_timer() {
        if (frame_.empty()) make_frame();
        on_wire_ = true;
        traffic_.segment_.transmit(*this, {.bytes = frame_});
    }

    /// From one locally administered address to another that nobody has, or to all.
    void make_frame() {
        frame_.assign(traffic_.draw_size(), 0);
        collisions_ = 0;
        ++traffic_.counters_.offered;
        if (traffic_.random_.chance(traffic_.config_.broadcast_share)) {
            std::fill_n(frame_.begin(), 6, ethernet::broadcast_byte);
            ++traffic_.counters_.broadcasts;
        } else {
            set_address(0, number_ + traffic_.config_.stations);
        }
        set_address(6, number_);
        frame_[12] = 0x90;  // configuration testing, Ethernet 2.0: a type that no stack takes
    }

    void set_address(std::size_t at, unsigned number) {
        frame_[at] = 0x0A;
        frame_[at + 4] = static_cast<std::uint8_t>(number >> 8);
        frame_[at + 5] = static_cast<std::uint8_t>(number & 0xFF);
    }

    Duration back_off() {
        const unsigned doublings = std::min(collisions_, ethernet::back_off_limit);
        return static_cast<Duration::rep>(traffic_.random_.below(std::uint64_t{1} << doublings)) * ethernet::slot_time;
    }

    EthernetTraffic& traffic_;
    unsigned number_;
    Timer timer_;
    std::vector<std::uint8_t> frame_;  // empty: thinking
    unsigned collisions_ = 0;
    bool on_wire_ = false;
};

EthernetTraffic::EthernetTraffic(Loop& loop, EthernetSegment& segment, const Config& config)
    : loop_(loop), segment_(segment), config_(config), random_(config.seed, "ethernet-traffic") {
    assert(config.load >= 0 && config.load <= 1);
    if (config.load <= 0) return;
    for (unsigned i = 0; i < config.stations; ++i) stations_.push_back(std::make_unique<Station>(*this, i));
}

EthernetTraffic::~EthernetTraffic() = default;

Duration EthernetTraffic::mean_wire_time() {
    Duration sum{};
    for (const Size& size : mix) sum += size.percent * ethernet::wire_time(size.bytes);
    return sum / 100;
}

Duration EthernetTraffic::think_time() {
    const double mean = seconds_of(mean_wire_time()) * config_.stations / config_.load;
    return from_seconds(mean * exponential(random_));
}

std::size_t EthernetTraffic::draw_size() {
    auto left = static_cast<unsigned>(random_.below(100));
    for (const Size& size : mix) {
        if (left < size.percent) return size.bytes;
        left -= size.percent;
    }
    return mix.back().bytes;
}

}  // namespace lfn
