// SPDX-License-Identifier: BSD-3-Clause
#include "ports/lab/card_router.hpp"

#include <utility>

#include "ports/lab/card_host.hpp"
#include "ports/lab/ip_forward.hpp"

namespace lfn::lab {

namespace {

constexpr std::uint32_t netmask = 0xffffff00;

CardPortOptions port_options(const CardRouterOptions& options, const CardRouterSide& side) {
    const HostProfile& profile = or_ideal(options.profile);
    return {.name = side.name,
            .port_access = profile.port_access.value,
            .interrupt = profile.interrupt.value,
            .receive_cost = {.packet = profile.receive_packet.value},
            .send_cost = {.packet = profile.send_packet.value},
            .data_ports = side.data_ports,
            .frames = options.queue_frames,
            .interrupt_loss = options.interrupt_loss,
            .seed = options.seed,
            .trace = options.trace};
}

lfn_interface interface_of(const CardRouterSide& side) {
    lfn_interface interface {};
    interface.address = side.address;
    interface.netmask = netmask;
    return interface;
}

}  // namespace

CardRouter::CardRouter(Loop& loop, FramePool& pool, CardRouterSide first, CardRouterSide second,
                       const CardRouterOptions& options)
    : pool_(pool),
      profile_(or_ideal(options.profile)),
      interfaces_{interface_of(first), interface_of(second)},
      tick_(loop, Callback::bind<&CardRouter::on_tick>(*this)),
      processor_(loop, Callback::bind<&CardRouter::program>(*this)),
      first_(processor_, first.card, std::move(first.driver), port_options(options, first)),
      second_(processor_, second.card, std::move(second.driver), port_options(options, second)) {
    on_tick();
}

CardRouter::~CardRouter() {
    processor_.finish();
}

bool CardRouter::bring_up() {
    for (std::size_t side = 0; side < 2; ++side) {
        if (!port(side).init(interfaces_[side])) return false;
    }
    return true;
}

void CardRouter::program() {
    up_ = bring_up();
    while (!processor_.stopping()) {
        bool progress = false;
        for (std::size_t side = 0; side < 2 && up_; ++side) progress |= step(side);
        if (!progress) processor_.wait();
    }
}

bool CardRouter::step(std::size_t side) {
    bool progress = false;
    const std::span<const std::uint8_t> frame = port(side).receive(progress);
    if (processor_.stopping()) return false;
    if (!frame.empty()) {
        forward(side, frame);
        progress = true;
    }
    return port(side).send() || progress;
}

void CardRouter::forward(std::size_t from, std::span<const std::uint8_t> frame) {
    ++refuse_or_put(from, frame);
}

bool CardRouter::is_for(std::size_t side, std::uint32_t address) const {
    return ((address ^ interfaces_[side].address) & netmask) == 0 && address != interfaces_[side].address;
}

/// The counter of what was done.
std::uint64_t& CardRouter::refuse_or_put(std::size_t from, std::span<const std::uint8_t> frame) {
    const std::size_t to = 1 - from;
    const auto octets = ipv4_octets(frame);
    if (!octets) return counters_.malformed;
    if (!is_for(to, ipv4_destination(frame))) return counters_.not_routed;
    if (*octets > interfaces_[to].mtu) return counters_.too_long;
    if (!port(to).has_room()) return counters_.queue_full;
    FramePtr copy = pool_.make(frame.first(*octets));
    if (!ipv4_pass_hop(copy->octets())) return counters_.expired;
    port(to).put(std::move(copy));
    return counters_.forwarded;
}

void CardRouter::on_tick() {
    processor_.wake();
    tick_.schedule_after(profile_.clock_tick.value);
}

}  // namespace lfn::lab
