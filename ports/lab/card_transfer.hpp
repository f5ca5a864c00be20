// SPDX-License-Identifier: BSD-3-Clause
// A transfer between two hosts, each with its own card, on one wire, one way or both ways at once; and what came of it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "emulators/host/processor.hpp"
#include "emulators/host/profile.hpp"
#include "lfn/stack.h"
#include "ports/lab/card_station.hpp"

namespace lfn::lab {

struct CardTransferOptions {
    NicKind card = NicKind::el3c500;
    WireOptions wire{};  ///< its seed is `seed`
    /// Of the two hosts; null: ideal.
    std::array<const HostProfile*, 2> hosts{};
    std::array<const lfn_stack*, 2> stacks{};  ///< null: lfn

    std::uint64_t octets = 1'000'000;  ///< from the first host to the second
    std::uint64_t octets_back = 0;     ///< from the second to the first, at the same time
    std::uint32_t window = 32 * 1024;  ///< of each end
    std::uint16_t mss = 0;             ///< 0: what the card's MTU allows
    std::uint64_t seed = 1;
    lfn_tcp_settings tcp{};  ///< of all ends; the windows in it are ignored

    double interrupt_loss = 0;  ///< chance that an interrupt is lost, at both ends
    std::string trace_io{};     ///< file name; empty: none
    Duration patience = std::chrono::minutes(20);
    std::function<void(std::uint64_t octets, Time now)> on_progress{};
};

/// One direction.
struct CardFlowReport {
    bool intact = false;
    std::uint64_t octets = 0;  ///< that arrived
    std::string sent_digest, received_digest;
    double seconds = 0;  ///< from the first SYN to the last octet
    double goodput = 0;  ///< octets a second
    lfn_tcp_info sender{}, receiver{};
    std::uint64_t segments = 0;                ///< that the sending host's stack sent
    std::uint64_t retransmitted_segments = 0;  ///< of them
};

/// One host.
struct CardEndReport {
    std::vector<NamedCount> card;      ///< frames addressed to it, lost or refused ones by cause
    std::vector<NamedCount> driver;    ///< the driver's own counters
    std::uint64_t lost = 0;            ///< undamaged frames that the card did not take
    std::uint64_t stack_refusals = 0;  ///< times that the stack was told to wait (ERR_MEM)
    std::uint64_t interrupts_lost = 0;
    std::uint64_t port_accesses = 0;
    std::array<Duration, work_count> work{};

    /// A counter by its name; 0 if there is none.
    std::uint64_t card_count(std::string_view name) const;
    std::uint64_t driver_count(std::string_view name) const;
};

struct CardTransferReport {
    std::string failure;  ///< as a phrase; empty if all went well
    double seconds = 0;   ///< until both directions were done
    CardFlowReport forward, backward;
    std::array<CardEndReport, 2> ends;
    std::vector<NamedCount> wire;
    double wire_load = 0;  ///< share of the time that the wire was carrying
    std::uint64_t events = 0;

    std::uint64_t lost() const { return ends[0].lost + ends[1].lost; }
};

CardTransferReport run_card_transfer(const CardTransferOptions& options);

}  // namespace lfn::lab
