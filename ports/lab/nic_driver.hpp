// SPDX-License-Identifier: BSD-3-Clause
// A driver as a host of the lab sees it: frames of the stack in, frames for the stack out. Beneath is the C driver of
// ports/drivers, and for a ring the layer that makes messages of datagrams.
//
// All but interrupt() run on the host's processor and take time there.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "lfn/stack.h"
#include "ports/drivers/arp.h"
#include "ports/drivers/lfn_io.h"
#include "ports/drivers/send_result.h"

namespace lfn::lab {

/// A counter of a driver, for a report.
struct NamedCount {
    std::string_view name;
    std::uint64_t value;
};

class NicDriver {
public:
    virtual ~NicDriver() = default;

    /// Brings the card up. `interface` has the IP addresses; the kind of link, the MTU and the hardware address are
    /// filled in. False if there is no such card.
    virtual bool init(const lfn_io* io, std::uint32_t base, lfn_interface& interface) = 0;
    /// The frame must stay as it is until sending() is false. LFN_SEND_UNSENDABLE: drop it.
    virtual lfn_send_result send(std::span<const std::uint8_t> frame, std::uint32_t now_ms) = 0;
    /// A frame is on its way or waits in the card.
    virtual bool sending() const = 0;
    /// Does what there is to do. `progress` is set if that was anything. What has come for the stack; empty: nothing.
    virtual std::span<const std::uint8_t> poll(std::uint32_t now_ms, bool& progress) = 0;
    virtual void interrupt() = 0;
    virtual std::vector<NamedCount> counters() const = 0;
};

void append_counters(std::vector<NamedCount>& counts, const lfn_arp_counters& arp);

/// Frames of Ethernet: ARP is the stack's.
std::unique_ptr<NicDriver> make_3c500_driver();
/// Datagrams, as on a point-to-point link: for a gateway, which has no stack that does ARP.
std::unique_ptr<NicDriver> make_3c500_datagram_driver();
/// Datagrams.
std::unique_ptr<NicDriver> make_p1300_driver();

}  // namespace lfn::lab
