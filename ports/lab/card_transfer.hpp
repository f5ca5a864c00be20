// SPDX-License-Identifier: BSD-3-Clause
// A transfer between two hosts, each with its own card, one way or both ways at once; and what came of it. Cards of one
// kind share a wire; between two kinds stands a gateway with a card of each.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "emulators/host/processor.hpp"
#include "emulators/host/profile.hpp"
#include "lfn/stack.h"
#include "ports/lab/card_router.hpp"
#include "ports/lab/card_station.hpp"
#include "ports/lab/flow.hpp"

namespace lfn::lab {

struct CardTransferOptions {
    std::array<NicKind, 2> cards{NicKind::el3c500, NicKind::el3c500};
    WireOptions wire{};  ///< of each wire, as far as it makes sense there; its seed is `seed`
    /// Of the two hosts; null: ideal.
    std::array<const HostProfile*, 2> hosts{};
    const HostProfile* router = nullptr;       ///< of the gateway, if there is one; null: ideal
    std::array<const lfn_stack*, 2> stacks{};  ///< null: lfn

    std::uint64_t octets = 1'000'000;  ///< from the first host to the second
    std::uint64_t octets_back = 0;     ///< from the second to the first, at the same time
    std::uint32_t window = 32 * 1024;  ///< of each end
    std::uint16_t mss = 0;             ///< 0: what the card's MTU allows
    std::uint64_t seed = 1;
    lfn_tcp_settings tcp{};  ///< of all ends; the windows in it are ignored

    double interrupt_loss = 0;  ///< chance that an interrupt is lost, on every host
    std::string trace_io{};     ///< file name; empty: none
    /// File names of each host's own capture; empty: none. Ethernet frames on a 3C500, IP datagrams on a P1300: when
    /// the driver was given them, and when it gave them.
    std::array<std::string, 2> captures{};
    Duration patience = std::chrono::minutes(20);
    std::function<void(std::uint64_t octets, Time now)> on_progress{};

    void use(NicKind card) { cards.fill(card); }
    bool has_router() const { return cards[0] != cards[1]; }
};

struct CardFlowReport : FlowReport {
    std::uint64_t segments = 0;  ///< that the sending host's stack sent
};

/// One card and its driver.
struct CardPortReport {
    std::vector<NamedCount> card;    ///< frames addressed to it, lost or refused ones by cause
    std::vector<NamedCount> driver;  ///< the driver's own counters
    std::uint64_t lost = 0;          ///< undamaged frames that the card did not take
    std::uint64_t interrupts_lost = 0;
    std::uint64_t port_accesses = 0;

    /// A counter by its name; 0 if there is none.
    std::uint64_t card_count(std::string_view name) const;
    std::uint64_t driver_count(std::string_view name) const;
};

/// One host.
struct CardEndReport : CardPortReport {
    std::uint64_t stack_refusals = 0;  ///< times that the stack was told to wait (ERR_MEM)
    std::array<Duration, work_count> work{};
};

struct CardRouterReport {
    std::array<CardPortReport, 2> ports;  ///< towards the first host, and towards the second
    CardRouter::Counters counters;
    std::array<Duration, work_count> work{};
};

struct CardWireReport {
    NicKind kind = NicKind::el3c500;
    std::vector<NamedCount> counters;
    double load = 0;  ///< share of the time that it was carrying
};

struct CardTransferReport {
    std::string failure;  ///< as a phrase; empty if all went well
    double seconds = 0;   ///< until both directions were done
    CardFlowReport forward, backward;
    std::array<CardEndReport, 2> ends;
    std::vector<CardWireReport> wires;  ///< the first host's, and the second's if that is another
    std::optional<CardRouterReport> router;
    std::uint64_t events = 0;

    /// Undamaged frames that a card did not take.
    std::uint64_t lost() const;
};

CardTransferReport run_card_transfer(const CardTransferOptions& options);

}  // namespace lfn::lab
