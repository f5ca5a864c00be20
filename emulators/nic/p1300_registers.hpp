// SPDX-License-Identifier: BSD-3-Clause
// Register bits of the Proteon p1300. Names as in Proteon's header for PC/IP (pronet.h); JOIN-like meanings of the two
// mode bits are inferred from the VME p1500. Provenance is in the sheet (p1300_sheet.cpp).
#pragma once

#include <cstdint>

#include "emulators/nic/bits.hpp"

namespace lfn::pr1300 {

enum Offset : unsigned {
    icsr = 0,   // input control and status
    ibuf = 1,   // R, next byte of the input buffer
    ilcnt = 2,  // input count, low 8 bits
    ihcnt = 3,  // input count, high 3 bits
    ocsr = 4,   // output control and status
    obuf = 5,   // W, next byte into the output buffer
    olcnt = 6,  // output count, low 8 bits
    ohcnt = 7,  // output count, high 3 bits
    port_count = 8,
};

struct InputCommand {
    using Bits = lfn::Bits<InputCommand>;
    static constexpr Bits COPYEN{0x01};
    static constexpr Bits MODE1{0x02};
    static constexpr Bits MODE2{0x04};
    static constexpr Bits INRST{0x20};
    static constexpr Bits ININTEN{0x40};
    static constexpr Bits ININTRES{0x80};
};

struct InputStatus {
    using Bits = lfn::Bits<InputStatus>;
    static constexpr Bits COPYEN{0x01};
    static constexpr Bits MODE1{0x02};
    static constexpr Bits MODE2{0x04};
    static constexpr Bits BADFMT{0x08};
    static constexpr Bits PARITY{0x10};
    static constexpr Bits OVERRUN{0x20};
    static constexpr Bits ININTEN{0x40};
    static constexpr Bits ININTSTAT{0x80};
};

struct OutputCommand {
    using Bits = lfn::Bits<OutputCommand>;
    static constexpr Bits ORIGEN{0x01};
    static constexpr Bits INITRING{0x10};
    static constexpr Bits OUTRST{0x20};
    static constexpr Bits OUTINTEN{0x40};
    static constexpr Bits OUTINTRES{0x80};
};

struct OutputStatus {
    using Bits = lfn::Bits<OutputStatus>;
    static constexpr Bits ORIGEN{0x01};
    static constexpr Bits REFUSED{0x02};
    static constexpr Bits OBADFMT{0x04};
    static constexpr Bits OUTTMO{0x08};
    static constexpr Bits RGNOK{0x20};
    static constexpr Bits OUTINTEN{0x40};
    static constexpr Bits OUTINTSTAT{0x80};
};

/// MODE2 MODE1 as a number.
enum class Mode : std::uint8_t { out_of_ring, digital_loopback, analog_loopback, network };

constexpr Mode mode(InputCommand::Bits command) {
    const unsigned low = command.has(InputCommand::MODE1) ? 1 : 0;
    const unsigned high = command.has(InputCommand::MODE2) ? 2 : 0;
    return static_cast<Mode>(high | low);
}

constexpr bool is_loopback(Mode mode) {
    return mode == Mode::digital_loopback || mode == Mode::analog_loopback;
}

}  // namespace lfn::pr1300
