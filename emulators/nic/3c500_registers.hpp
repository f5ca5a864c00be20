// SPDX-License-Identifier: BSD-3-Clause
// Register bits of the 3Com 3C500/3C501 EtherLink. Offsets 0-7 are in the SEEQ 8001 data-link controller, 8-F in 3Com's
// own logic. Names follow 3Com's and the drivers' use; provenance is in the sheet (3c500_sheet.cpp).
#pragma once

#include <cstdint>

#include "emulators/nic/bits.hpp"

namespace lfn::el3c500 {

enum Offset : unsigned {
    station_address = 0x0,  // W, 0-5
    receive = 0x6,          // W command, R status
    transmit = 0x7,         // W command, R status
    gp_low = 0x8,           // general-purpose buffer pointer
    gp_high = 0x9,
    receive_pointer_low = 0xA,  // R; any write clears the whole pointer
    receive_pointer_high = 0xB,
    address_prom = 0xC,  // R; also at D
    address_prom_alias = 0xD,
    auxiliary = 0xE,      // W command, R status
    buffer_window = 0xF,  // the byte at the GP pointer, which then steps
    port_count = 0x10,
};

/// Which outcomes of a transmission interrupt; same positions as TransmitStatus.
struct TransmitCommand {
    using Bits = lfn::Bits<TransmitCommand>;
    static constexpr Bits UNDER{0x01};
    static constexpr Bits COLL{0x02};
    static constexpr Bits COLL16{0x04};
    static constexpr Bits SUCC{0x08};
};

struct TransmitStatus {
    using Bits = lfn::Bits<TransmitStatus>;
    static constexpr Bits UNDER{0x01};
    static constexpr Bits COLL{0x02};
    static constexpr Bits COLL16{0x04};
    static constexpr Bits READY{0x08};
};

/// Which receptions end in a status and an interrupt (same positions as ReceiveStatus), and the address mode.
struct ReceiveCommand {
    using Bits = lfn::Bits<ReceiveCommand>;
    static constexpr Bits OVER{0x01};
    static constexpr Bits FCS{0x02};
    static constexpr Bits DRIBBLE{0x04};
    static constexpr Bits SHORT{0x08};
    static constexpr Bits ANY{0x10};
    static constexpr Bits GOOD{0x20};
    static constexpr Bits ADDRESS_MODE{0xC0};
};

struct ReceiveStatus {
    using Bits = lfn::Bits<ReceiveStatus>;
    static constexpr Bits OVER{0x01};
    static constexpr Bits FCS{0x02};
    static constexpr Bits DRIBBLE{0x04};
    static constexpr Bits SHORT{0x08};
    static constexpr Bits ANY{0x10};
    static constexpr Bits GOOD{0x20};
    static constexpr Bits STALE{0x80};
};

struct AuxiliaryCommand {
    using Bits = lfn::Bits<AuxiliaryCommand>;
    // PC/IP and Crynwr call 01 "transmit with bad FCS". The emulation tested against 3Com's diagnostic has 01 as the
    // interrupt enable and 02 as bad FCS, and so has Linux; no known driver sets either.
    static constexpr Bits IRE{0x01};
    static constexpr Bits XMIT_BAD_FCS{0x02};
    static constexpr Bits BUFFER_CONTROL{0x0C};
    static constexpr Bits DMA_REQUEST{0x20};
    static constexpr Bits RIDE{0x40};
    static constexpr Bits RESET{0x80};
};

struct AuxiliaryStatus {
    using Bits = lfn::Bits<AuxiliaryStatus>;
    static constexpr Bits RECEIVE_BUSY{0x01};
    static constexpr Bits XMIT_BAD_FCS{0x02};
    static constexpr Bits BUFFER_CONTROL{0x0C};
    static constexpr Bits DMA_DONE{0x10};
    static constexpr Bits DMA_REQUEST{0x20};
    static constexpr Bits RIDE{0x40};
    static constexpr Bits TRANSMIT_BUSY{0x80};
};

enum class AddressMode : std::uint8_t { off, promiscuous, station_and_broadcast, station_and_multicast };

constexpr AddressMode address_mode(ReceiveCommand::Bits command) {
    return static_cast<AddressMode>((command & ReceiveCommand::ADDRESS_MODE).raw() >> 6);
}

/// Who has the packet buffer.
enum class BufferControl : std::uint8_t { host, transmit_then_receive, receive, loopback };

constexpr BufferControl buffer_control(AuxiliaryCommand::Bits command) {
    return static_cast<BufferControl>((command & AuxiliaryCommand::BUFFER_CONTROL).raw() >> 2);
}

/// An outcome that the command asks to hear of. The only places where two registers' positions are compared.
constexpr bool detects(TransmitCommand::Bits command, TransmitStatus::Bits status) {
    return (command.raw() & status.raw() & 0x0F) != 0;
}
constexpr bool detects(ReceiveCommand::Bits command, ReceiveStatus::Bits status) {
    return (command.raw() & status.raw() & 0x3F) != 0;
}

}  // namespace lfn::el3c500
