// SPDX-License-Identifier: BSD-3-Clause
#include "ports/lab/card_io.hpp"

#include <cassert>

namespace lfn::lab {

namespace {
constexpr std::uint8_t open_bus = 0xFF;
}

CardIo::CardIo(IsaCard& card, Processor& processor, const Config& config)
    : card_(card), processor_(processor), config_(config), host_name_(config.host_name) {
    assert(card.port_count() <= ports_at_most);
    for (unsigned offset = 0; offset < card.port_count(); ++offset) {
        names_[0][offset] = register_name(card.sheet(), offset, Access::read);
        names_[1][offset] = register_name(card.sheet(), offset, Access::write);
    }
    face_.context = this;
    face_.in8 = [](void* self, std::uint32_t port) { return static_cast<CardIo*>(self)->in(port); };
    face_.out8 = [](void* self, std::uint32_t port, std::uint8_t value) {
        static_cast<CardIo*>(self)->out(port, value);
    };
    face_.in16 = [](void* self, std::uint32_t port) {
        auto& io = *static_cast<CardIo*>(self);
        const unsigned low = io.in(port);
        return static_cast<std::uint16_t>(low | static_cast<unsigned>(io.in(port + 1)) << 8);
    };
    face_.out16 = [](void* self, std::uint32_t port, std::uint16_t value) {
        auto& io = *static_cast<CardIo*>(self);
        io.out(port, static_cast<std::uint8_t>(value & 0xFF));
        io.out(port + 1, static_cast<std::uint8_t>(value >> 8));
    };
}

int CardIo::begin(std::uint32_t port) {
    const std::uint32_t offset = port - config_.base;
    const bool answers = port >= config_.base && offset < card_.port_count();
    if (answers && (config_.data_ports >> offset & 1) != 0) {
        processor_.spend_quietly(Work::port_io, config_.access_cost);
    } else {
        processor_.spend(Work::port_io, config_.access_cost);
        processor_.settle();
    }
    ++accesses_;
    return answers ? static_cast<int>(offset) : -1;
}

std::uint8_t CardIo::in(std::uint32_t port) {
    const int offset = begin(port);
    const std::uint8_t value = offset < 0 ? open_bus : card_.in8(static_cast<unsigned>(offset));
    trace(Access::read, port, value);
    return value;
}

void CardIo::out(std::uint32_t port, std::uint8_t value) {
    const int offset = begin(port);
    trace(Access::write, port, value);
    if (offset >= 0) card_.out8(static_cast<unsigned>(offset), value);
}

void CardIo::trace(Access access, std::uint32_t port, std::uint8_t value) const {
    if (config_.trace == nullptr || !config_.trace->is_open()) return;
    const std::uint32_t offset = port - config_.base;
    const std::string_view name = offset < card_.port_count() ? names_[access == Access::read ? 0 : 1][offset] : "";
    config_.trace->write(processor_.paid_until(), processor_.now(), host_name_, access, port, value, name);
}

}  // namespace lfn::lab
