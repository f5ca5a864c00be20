// SPDX-License-Identifier: BSD-3-Clause
// The edge connector of an 8-bit ISA card: what any such card shows to any bus.
//
// A card decodes offsets from its base; the base, the interrupt number and the DMA channels are jumpers, so they belong
// to whoever plugs the card in. Accesses take no time here: what an IN or an OUT costs is the processor's matter.
#pragma once

#include <cstdint>

#include "emulators/bus/line.hpp"

namespace lfn {

struct DeviceSheet;

class IsaCard {
public:
    virtual ~IsaCard() = default;

    /// I/O ports that the card decodes; offsets below are less than this.
    virtual unsigned port_count() const = 0;
    virtual std::uint8_t in8(unsigned offset) = 0;
    virtual void out8(unsigned offset, std::uint8_t value) = 0;

    /// One DMA cycle from the card to memory, or from memory to the card; the direction is the controller's choice.
    /// `terminal_count` is the controller's TC line, high during the last cycle. A cycle that nobody asked for reads
    /// FF.
    virtual std::uint8_t dma_read(bool terminal_count) = 0;
    virtual void dma_write(std::uint8_t value, bool terminal_count) = 0;

    /// Registers, timings, sources, guesses.
    virtual const DeviceSheet& sheet() const = 0;

    Line irq;
    Line dreq;
};

}  // namespace lfn
