// SPDX-License-Identifier: BSD-3-Clause
#include "ports/lab/card_host.hpp"

#include <algorithm>
#include <utility>

namespace lfn::lab {

namespace {

constexpr std::size_t ethernet_header = 14;

const HostProfile& or_ideal(const HostProfile* profile) {
    return profile != nullptr ? *profile : *find_host_profile("ideal");
}

CardIo::Config io_config(const CardHostOptions& options) {
    return {.access_cost = or_ideal(options.profile).port_access.value,
            .data_ports = options.data_ports,
            .host_name = options.name,
            .trace = options.trace};
}

}  // namespace

CardHost::CardHost(Loop& loop, FramePool& pool, const lfn_stack& stack, IsaCard& card,
                   std::unique_ptr<NicDriver> driver, const CardHostOptions& options)
    : StackHost(loop, stack, options.seed, options.name),
      pool_(pool),
      options_(options),
      profile_(or_ideal(options.profile)),
      card_(card),
      driver_(std::move(driver)),
      interrupt_random_(options.seed, std::string("host/") + std::string(options.name) + "/interrupts"),
      tick_(loop, Callback::bind<&CardHost::on_tick>(*this)),
      processor_(loop, Callback::bind<&CardHost::program>(*this)),
      io_(card, processor_, io_config(options)) {
    interface_.address = options.address;
    interface_.netmask = 0xffffff00;
    card_.irq.connect(Callback::bind<&CardHost::on_interrupt_line>(*this));
    on_tick();
}

CardHost::~CardHost() {
    card_.irq.connect({});
    processor_.finish();
    shut_stack();
}

bool CardHost::bring_up() {
    if (!driver_->init(io_.face(), io_.base(), interface_)) return false;
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

void CardHost::spend_on(const Sourced<Duration>& packet, std::size_t octets) {
    const auto count = static_cast<Duration::rep>(octets);
    processor_.spend(Work::protocol, packet.value);
    processor_.spend(Work::copying, profile_.copy_octet.value * count);
    processor_.spend(Work::checksum, profile_.checksum_octet.value * count);
    processor_.settle();
}

bool CardHost::receive() {
    bool progress = false;
    const std::span<const std::uint8_t> frame = driver_->poll(milliseconds_of(processor_.now()), progress);
    if (frame.empty()) return progress;
    spend_on(profile_.receive_packet, frame.size());
    if (processor_.stopping()) return false;
    received_.count(datagram_of(frame));
    with_stack([&](const lfn_stack& s) { s.input(frame.data(), frame.size()); });
    return true;
}

bool CardHost::send() {
    if (queue_.empty()) return false;
    const std::span<const std::uint8_t> frame = queue_.front().octets();
    if (front_ == Front::with_driver) {
        if (driver_->sending()) return false;
        drop_front();
        return true;
    }
    if (front_ == Front::untouched) spend_on(profile_.send_packet, frame.size());
    front_ = Front::prepared;
    switch (driver_->send(frame, milliseconds_of(processor_.now()))) {
        case LFN_SEND_STARTED:
            front_ = Front::with_driver;
            return true;
        case LFN_SEND_BUSY:
            return false;
        case LFN_SEND_UNSENDABLE:
            break;
    }
    ++unsendable_;
    drop_front();
    return true;
}

void CardHost::drop_front() {
    queue_.pop_front();
    front_ = Front::untouched;
    if (processor_.stopping() || !std::exchange(refused_, false)) return;
    with_stack([](const lfn_stack& s) { s.output_ready(); });
}

std::span<const std::uint8_t> CardHost::datagram_of(std::span<const std::uint8_t> frame) const {
    if (interface_.kind == LFN_LINK_POINT_TO_POINT) return frame;
    return frame.subspan(std::min(frame.size(), ethernet_header));
}

void CardHost::on_interrupt_line() {
    if (!card_.irq.level()) return;
    if (options_.interrupt_loss > 0 && interrupt_random_.chance(options_.interrupt_loss)) {
        ++interrupts_lost_;
        return;
    }
    driver_->interrupt();
    processor_.interrupt(profile_.interrupt.value);
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
    if (queue_.size() >= options_.interface_frames) {
        refused_ = true;
        ++refusals_;
        return nullptr;
    }
    outgoing_ = pool_.make(length);
    return outgoing_->data();
}

void CardHost::transmit_end() {
    sent_.count(datagram_of(outgoing_->octets()));
    queue_.push_back(std::move(outgoing_));
    processor_.wake();
}

}  // namespace lfn::lab
