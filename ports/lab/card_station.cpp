// SPDX-License-Identifier: BSD-3-Clause
#include "ports/lab/card_station.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "emulators/link/ethernet_traffic.hpp"
#include "emulators/link/pronet_ring.hpp"
#include "emulators/nic/3c500.hpp"
#include "emulators/nic/p1300.hpp"
#include "ports/lab/ethernet_tap.hpp"

namespace lfn::lab {

namespace {

constexpr std::array<std::string_view, 2> kind_names = {"3c500", "p1300"};

constexpr std::array<std::string_view, deaf_cause_count> deaf_names = {
    "lost receiver_off", "lost host_owns_buffer", "lost own_transmission",
    "lost loopback",     "lost status_unread",    "lost rearming",
    "lost taken_over",   "lost address_filter",   "lost condition_not_enabled"};
constexpr std::array<std::string_view, refusal_cause_count> refusal_names = {"refused not_armed", "refused holding",
                                                                             "refused disarmed", "refused overrun"};

template <std::size_t size>
void append(std::vector<NamedCount>& counts, const std::array<std::string_view, size>& names,
            const std::array<std::uint64_t, size>& values) {
    for (std::size_t i = 0; i < size; ++i) counts.push_back({names[i], values[i]});
}

template <std::size_t size>
std::uint64_t sum(const std::array<std::uint64_t, size>& values) {
    return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

// ---- Ethernet ----

class Station3c500 final : public CardStation {
public:
    Station3c500(Loop& loop, EthernetSegment& segment, const Nic3c500::Config& config)
        : tap_(segment, config.prom_address), card_(loop, tap_, config) {
        tap_.connect(card_);
    }

    IsaCard& card() override { return card_; }
    std::unique_ptr<NicDriver> make_driver() const override { return make_3c500_driver(); }
    std::unique_ptr<NicDriver> make_datagram_driver() const override { return make_3c500_datagram_driver(); }
    std::uint32_t data_ports() const override { return 1U << el3c500::buffer_window; }
    std::uint64_t lost() const override { return sum(tap_.counters().lost); }

    std::vector<NamedCount> counters() const override {
        const EthernetTap::Counters& heard = tap_.counters();
        const Nic3c500::Counters& card = card_.counters();
        std::vector<NamedCount> counts = {{"sent", card.sent},       {"collisions", card.collisions},
                                          {"aborted", card.aborted}, {"addressed", heard.addressed},
                                          {"taken", heard.taken},    {"damaged", heard.damaged}};
        append(counts, deaf_names, heard.lost);
        return counts;
    }

private:
    EthernetTap tap_;
    Nic3c500 card_;
};

class Ethernet final : public CardWire {
public:
    Ethernet(Loop& loop, const WireOptions& options)
        : loop_(loop),
          options_(options),
          segment_(loop, {.frame_error_rate = options.frame_error_rate, .seed = options.seed}),
          traffic_(loop, segment_, {.stations = options.stations, .load = options.background, .seed = options.seed}) {}

    std::unique_ptr<CardStation> attach(unsigned number) override {
        Nic3c500::Config config;
        config.prom_address.back() = static_cast<std::uint8_t>(number);
        config.seed = options_.seed * 256 + number;
        return std::make_unique<Station3c500>(loop_, segment_, config);
    }

    std::vector<NamedCount> counters() const override {
        const EthernetSegment::Counters& wire = segment_.counters();
        const EthernetTraffic::Counters& others = traffic_.counters();
        return {{"carried", wire.carried},
                {"damaged", wire.damaged},
                {"deferred", wire.deferred},
                {"collided", wire.collided},
                {"collisions", wire.collisions},
                {"aborted", wire.aborted},
                {"background offered", others.offered},
                {"background sent", others.sent},
                {"background given up", others.given_up}};
    }
    Duration busy() const override { return segment_.counters().busy; }

private:
    Loop& loop_;
    WireOptions options_;
    EthernetSegment segment_;
    EthernetTraffic traffic_;
};

// ---- ProNET-10 ----

class StationP1300 final : public CardStation {
public:
    StationP1300(Loop& loop, PronetRing& ring, std::uint8_t address) : card_(loop, ring, {.address = address}) {
        ring.attach(card_);
    }

    IsaCard& card() override { return card_; }
    std::unique_ptr<NicDriver> make_driver() const override { return make_p1300_driver(); }
    std::unique_ptr<NicDriver> make_datagram_driver() const override { return make_p1300_driver(); }
    std::uint32_t data_ports() const override { return 1U << pr1300::ibuf | 1U << pr1300::obuf; }
    /// A message that was refused is still its sender's: nothing is lost here.
    std::uint64_t lost() const override { return 0; }

    std::vector<NamedCount> counters() const override {
        const NicP1300::Counters& card = card_.counters();
        std::vector<NamedCount> counts = {{"originated", card.originated},
                                          {"returned", card.returned},
                                          {"returned refused", card.returned_refused},
                                          {"timed out", card.timed_out},
                                          {"withdrawn", card.withdrawn},
                                          {"addressed", card.offered},
                                          {"taken", card.copied},
                                          {"damaged", card.copied_with_error}};
        append(counts, refusal_names, card.refused);
        return counts;
    }

private:
    NicP1300 card_;
};

class Ring final : public CardWire {
public:
    Ring(Loop& loop, const WireOptions& options)
        : loop_(loop),
          ring_(loop, {.silent_stations = options.stations,
                       .message_error_rate = options.frame_error_rate,
                       .seed = options.seed}) {}

    std::unique_ptr<CardStation> attach(unsigned number) override {
        return std::make_unique<StationP1300>(loop_, ring_, static_cast<std::uint8_t>(number));
    }

    std::vector<NamedCount> counters() const override {
        const PronetRing::Counters& ring = ring_.counters();
        return {{"returned", ring.returned}, {"refused", ring.refused},         {"damaged", ring.damaged},
                {"cut", ring.cut},           {"tokens made", ring.tokens_made}, {"tokens lost", ring.tokens_lost}};
    }
    Duration busy() const override { return ring_.counters().busy; }

private:
    Loop& loop_;
    PronetRing ring_;
};

}  // namespace

std::string_view name_of(NicKind kind) {
    return kind_names[static_cast<std::size_t>(kind)];
}

std::optional<NicKind> find_nic_kind(std::string_view name) {
    const auto found = std::ranges::find(kind_names, name);
    if (found == kind_names.end()) return std::nullopt;
    return static_cast<NicKind>(found - kind_names.begin());
}

std::span<const DeviceSheet* const> nic_sheets() {
    static const std::array<const DeviceSheet*, 2> sheets = {&Nic3c500::describe(), &NicP1300::describe()};
    return sheets;
}

std::unique_ptr<CardWire> make_wire(Loop& loop, NicKind kind, const WireOptions& options) {
    if (kind == NicKind::p1300) return std::make_unique<Ring>(loop, options);
    return std::make_unique<Ethernet>(loop, options);
}

}  // namespace lfn::lab
