// SPDX-License-Identifier: BSD-3-Clause
// A card of a given kind with the wire of its kind: what a host of the lab is plugged into.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "emulators/bus/isa_card.hpp"
#include "emulators/nic/device_sheet.hpp"
#include "emulators/time/loop.hpp"
#include "ports/lab/nic_driver.hpp"

namespace lfn::lab {

enum class NicKind : std::uint8_t { el3c500, p1300 };

/// "3c500", "p1300"
std::string_view name_of(NicKind kind);
std::optional<NicKind> find_nic_kind(std::string_view name);
/// All cards' sheets, in the order of NicKind.
std::span<const DeviceSheet* const> nic_sheets();

struct WireOptions {
    double frame_error_rate = 0;  ///< chance that a frame arrives damaged, at all stations alike
    unsigned stations = 0;        ///< others: on an Ethernet they send, in a ring they delay
    double background = 0;        ///< load that the others offer, a share of 10 Mb/s; Ethernet only
    std::uint64_t seed = 1;
};

/// One host's card on a wire.
class CardStation {
public:
    virtual ~CardStation() = default;
    virtual IsaCard& card() = 0;
    virtual std::unique_ptr<NicDriver> make_driver() const = 0;
    /// One whose frames are datagrams.
    virtual std::unique_ptr<NicDriver> make_datagram_driver() const = 0;
    /// Ports of the card through which data pass and nothing else happens, as bits.
    virtual std::uint32_t data_ports() const = 0;
    /// What the card did with frames addressed to it; lost ones by cause. Names with a space are "lost CAUSE" or
    /// "refused CAUSE".
    virtual std::vector<NamedCount> counters() const = 0;
    /// Frames for this host that its card was offered and did not take, of those that had arrived undamaged.
    virtual std::uint64_t lost() const = 0;
};

/// A wire with its other stations. Outlives the stations made by attach().
class CardWire {
public:
    virtual ~CardWire() = default;
    /// The host's number, from 1, makes its address.
    virtual std::unique_ptr<CardStation> attach(unsigned number) = 0;
    virtual std::vector<NamedCount> counters() const = 0;
    /// Time that the wire was carrying.
    virtual Duration busy() const = 0;
};

std::unique_ptr<CardWire> make_wire(Loop& loop, NicKind kind, const WireOptions& options);

}  // namespace lfn::lab
