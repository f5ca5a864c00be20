// SPDX-License-Identifier: BSD-3-Clause
#include "ports/lab/card_host.hpp"

#include <algorithm>
#include <utility>

namespace lfn::lab {

namespace {

constexpr std::size_t ethernet_header = 14;

CardPortOptions port_options(const CardHostOptions& options) {
    const HostProfile& profile = or_ideal(options.profile);
    const auto cost = [&profile](const Sourced<Duration>& packet) {
        return PacketCost{packet.value, profile.copy_octet.value, profile.checksum_octet.value};
    };
    return {.name = options.name,
            .port_access = profile.port_access.value,
            .interrupt = profile.interrupt.value,
            .receive_cost = cost(profile.receive_packet),
            .send_cost = cost(profile.send_packet),
            .data_ports = options.data_ports,
            .interrupt_loss = options.interrupt_loss,
            .seed = options.seed,
            .trace = options.trace,
            .capture = options.capture};
}

}  // namespace

const HostProfile& or_ideal(const HostProfile* profile) {
    return profile != nullptr ? *profile : *find_host_profile("ideal");
}

CardHost::CardHost(Loop& loop, FramePool& pool, const lfn_stack& stack, IsaCard& card,
                   std::unique_ptr<NicDriver> driver, const CardHostOptions& options)
    : StackHost(loop, stack, options.seed, options.name),
      pool_(pool),
      options_(options),
      profile_(or_ideal(options.profile)),
      tick_(loop, Callback::bind<&CardHost::on_tick>(*this)),
      processor_(loop, Callback::bind<&CardHost::program>(*this)),
      port_(processor_, card, std::move(driver), port_options(options)) {
    interface_.address = options.address;
    interface_.netmask = 0xffffff00;
    interface_.gateway = options.gateway;
    on_tick();
}

CardHost::~CardHost() {
    processor_.finish();
    shut_stack();
}

bool CardHost::bring_up() {
    if (!port_.init(interface_)) return false;
    if (options_.mtu != 0) interface_.mtu = std::min(interface_.mtu, options_.mtu);
    if (!processor_.stopping()) init_stack(interface_, options_.defaults);
    return true;
}

void CardHost::program() {
    const bool up = bring_up();
    while (!processor_.stopping()) {
        if (!up || !step()) processor_.wait();
    }
}

/// True if there may be more to do at once.
bool CardHost::step() {
    bool progress = std::exchange(timers_due_, false);
    if (progress) with_stack([](const lfn_stack& s) { s.run_timers(); });
    progress |= receive();
    progress |= send();
    return progress;
}

bool CardHost::receive() {
    bool progress = false;
    const std::span<const std::uint8_t> frame = port_.receive(progress);
    if (processor_.stopping()) return false;
    if (frame.empty()) return progress;
    received_.count(datagram_of(frame));
    with_stack([&](const lfn_stack& s) { s.input(frame.data(), frame.size()); });
    return true;
}

bool CardHost::send() {
    const bool progress = port_.send();
    if (processor_.stopping() || !port_.has_room() || !std::exchange(refused_, false)) return progress;
    with_stack([](const lfn_stack& s) { s.output_ready(); });
    return true;
}

std::span<const std::uint8_t> CardHost::datagram_of(std::span<const std::uint8_t> frame) const {
    if (interface_.kind == LFN_LINK_POINT_TO_POINT) return frame;
    return frame.subspan(std::min(frame.size(), ethernet_header));
}

void CardHost::on_tick() {
    processor_.wake();
    tick_.schedule_after(profile_.clock_tick.value);
}

void CardHost::on_timer() {
    timers_due_ = true;
    processor_.wake();
}

std::uint8_t* CardHost::transmit_begin(std::size_t length) {
    if (!port_.has_room()) {
        refused_ = true;
        ++refusals_;
        return nullptr;
    }
    outgoing_ = pool_.make(length);
    return outgoing_->data();
}

void CardHost::transmit_end() {
    sent_.count(datagram_of(outgoing_->octets()));
    port_.put(std::move(outgoing_));
}

}  // namespace lfn::lab
