// SPDX-License-Identifier: BSD-3-Clause
// Sits between a 3C500 and its cable and changes nothing: counts, of the frames that were addressed to the card, which
// it lost and why. The card's own counters know every frame that passes, other people's too.
#pragma once

#include <array>
#include <cstdint>

#include "emulators/link/ethernet_segment.hpp"
#include "emulators/nic/3c500.hpp"

namespace lfn::lab {

class EthernetTap final : public EthernetStation, public EthernetWire {
public:
    /// addressed = taken + damaged + the sum of lost.
    struct Counters {
        std::uint64_t addressed = 0;  // to the card, or to all
        std::uint64_t taken = 0;
        std::uint64_t damaged = 0;  // by noise or a collision, heard or not
        std::array<std::uint64_t, deaf_cause_count> lost{};
    };

    EthernetTap(EthernetSegment& segment, const EthernetAddress& address);
    ~EthernetTap();
    /// Before the first frame.
    void connect(Nic3c500& card) { card_ = &card; }
    const Counters& counters() const { return counters_; }

    void frame_started() override { card_->frame_started(); }
    void frame_ended(const EthernetFrame& frame) override;
    void transmission_ended(EthernetOutcome outcome) override { card_->transmission_ended(outcome); }
    void transmit(EthernetStation&, const EthernetFrame& frame) override { segment_.transmit(*this, frame); }
    void abort(EthernetStation&) override { segment_.abort(*this); }

private:
    bool is_for_us(const EthernetFrame& frame) const;

    EthernetSegment& segment_;
    EthernetAddress address_;
    Nic3c500* card_ = nullptr;
    Counters counters_;
};

}  // namespace lfn::lab
