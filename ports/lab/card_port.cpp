// SPDX-License-Identifier: BSD-3-Clause
#include "ports/lab/card_port.hpp"

#include <cassert>
#include <utility>

#include "ports/lab/stack_host.hpp"

namespace lfn::lab {

namespace {

CardIo::Config io_config(const CardPortOptions& options) {
    return {.access_cost = options.port_access,
            .data_ports = options.data_ports,
            .host_name = options.name,
            .trace = options.trace};
}

}  // namespace

void PacketCost::spend(Processor& processor, std::size_t octets) const {
    const auto count = static_cast<Duration::rep>(octets);
    processor.spend(Work::protocol, packet);
    processor.spend(Work::copying, copy_octet * count);
    processor.spend(Work::checksum, checksum_octet * count);
    processor.settle();
}

CardPort::CardPort(Processor& processor, IsaCard& card, std::unique_ptr<NicDriver> driver,
                   const CardPortOptions& options)
    : processor_(processor),
      card_(card),
      driver_(std::move(driver)),
      options_(options),
      interrupt_random_(options.seed, std::string("host/") + std::string(options.name) + "/interrupts"),
      io_(card, processor, io_config(options)) {
    card_.irq.connect(Callback::bind<&CardPort::on_interrupt_line>(*this));
}

CardPort::~CardPort() {
    card_.irq.connect({});
}

std::uint32_t CardPort::now_ms() const {
    return milliseconds_of(processor_.now());
}

bool CardPort::init(lfn_interface& interface) {
    return driver_->init(io_.face(), io_.base(), interface);
}

std::span<const std::uint8_t> CardPort::receive(bool& progress) {
    const std::span<const std::uint8_t> frame = driver_->poll(now_ms(), progress);
    if (frame.empty()) return {};
    capture(processor_.now(), frame);
    options_.receive_cost.spend(processor_, frame.size());
    return frame;
}

void CardPort::put(FramePtr frame) {
    assert(has_room());
    queue_.push_back(std::move(frame));
    processor_.wake();
}

bool CardPort::send() {
    if (queue_.empty()) return false;
    if (front_ != Front::with_driver) return offer_front();
    if (driver_->sending()) return false;
    drop_front();
    return true;
}

bool CardPort::offer_front() {
    const std::span<const std::uint8_t> frame = queue_.front().octets();
    if (front_ == Front::untouched) options_.send_cost.spend(processor_, frame.size());
    front_ = Front::prepared;
    const Time handed_over = processor_.now();
    const lfn_send_result result = driver_->send(frame, now_ms());
    if (result == LFN_SEND_BUSY) return false;
    if (result == LFN_SEND_STARTED) {
        front_ = Front::with_driver;
        capture(handed_over, frame);
        return true;
    }
    ++unsendable_;
    drop_front();
    return true;
}

void CardPort::drop_front() {
    queue_.pop_front();
    front_ = Front::untouched;
}

void CardPort::on_interrupt_line() {
    if (!card_.irq.level()) return;
    if (options_.interrupt_loss > 0 && interrupt_random_.chance(options_.interrupt_loss)) {
        ++interrupts_lost_;
        return;
    }
    driver_->interrupt();
    processor_.interrupt(options_.interrupt);
}

void CardPort::capture(Time time, std::span<const std::uint8_t> frame) const {
    if (options_.capture != nullptr) options_.capture->write(time, frame);
}

}  // namespace lfn::lab
