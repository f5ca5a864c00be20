// SPDX-License-Identifier: BSD-3-Clause
// An lfn_io over one card in an otherwise empty bus: what an ISA bus does to an IN or an OUT.
#pragma once

#include <cstdint>

#include "emulators/bus/isa_card.hpp"
#include "ports/drivers/lfn_io.h"

namespace lfn::test {

class IsaIo {
public:
    IsaIo(IsaCard& card, std::uint32_t base) : card_(card), base_(base) {}

    /// The functions keep a pointer to this object.
    lfn_io face() { return {in8, out8, in16, out16, this}; }

private:
    static IsaIo& self(void* context) { return *static_cast<IsaIo*>(context); }
    bool decodes(std::uint32_t port) const { return port >= base_ && port - base_ < card_.port_count(); }

    static std::uint8_t in8(void* context, std::uint32_t port) {
        IsaIo& io = self(context);
        return io.decodes(port) ? io.card_.in8(port - io.base_) : std::uint8_t{0xFF};
    }
    static void out8(void* context, std::uint32_t port, std::uint8_t value) {
        IsaIo& io = self(context);
        if (io.decodes(port)) io.card_.out8(port - io.base_, value);
    }
    static std::uint16_t in16(void* context, std::uint32_t port) {
        const unsigned low = in8(context, port);
        return static_cast<std::uint16_t>(low | static_cast<unsigned>(in8(context, port + 1)) << 8);
    }
    static void out16(void* context, std::uint32_t port, std::uint16_t value) {
        out8(context, port, static_cast<std::uint8_t>(value & 0xFF));
        out8(context, port + 1, static_cast<std::uint8_t>(value >> 8));
    }

    IsaCard& card_;
    std::uint32_t base_;
};

}  // namespace lfn::test
