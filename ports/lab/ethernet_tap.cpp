// SPDX-License-Identifier: BSD-3-Clause
#include "ports/lab/ethernet_tap.hpp"

#include <algorithm>

namespace lfn::lab {

EthernetTap::EthernetTap(EthernetSegment& segment, const EthernetAddress& address)
    : segment_(segment), address_(address) {
    segment_.attach(*this);
}

EthernetTap::~EthernetTap() {
    segment_.detach(*this);
}

bool EthernetTap::is_for_us(const EthernetFrame& frame) const {
    if (frame.bytes.size() < address_.size()) return false;
    const auto destination = frame.bytes.first(address_.size());
    return std::ranges::equal(destination, address_) ||
           std::ranges::all_of(destination, [](std::uint8_t byte) { return byte == ethernet::broadcast_byte; });
}

void EthernetTap::frame_ended(const EthernetFrame& frame) {
    const bool for_us = is_for_us(frame);
    const auto before = card_->counters().lost;
    card_->frame_ended(frame);
    if (!for_us) return;
    ++counters_.addressed;
    if (frame.fcs_error) {
        ++counters_.damaged;
        return;
    }
    const auto& after = card_->counters().lost;
    const auto differs = std::ranges::mismatch(before, after);
    if (differs.in2 == after.end()) {
        ++counters_.taken;
    } else {
        ++counters_.lost[static_cast<std::size_t>(differs.in2 - after.begin())];
    }
}

}  // namespace lfn::lab
