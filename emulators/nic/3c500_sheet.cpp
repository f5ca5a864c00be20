// SPDX-License-Identifier: BSD-3-Clause
// 3C500: the sheet. Registers, timings, behaviours with their provenance, and what is not modelled.
#include "emulators/nic/3c500.hpp"
#include "emulators/nic/device_sheet.hpp"

namespace lfn {

using namespace el3c500;

namespace {

constexpr Provenance documented{Evidence::documented, "PC/IP, Linux, NetBSD, 86Box"};
constexpr Provenance diagnosed{Evidence::emulated, "86Box"};

constexpr SourceRow sources[] = {
    {"3Com",
     "3C501 Adapter Technical Reference, part 6405-00, 1988; IE External Reference Specification, 1983: not seen, "
     "known through the authors of VirtualBox Dev3C501.cpp"},
    {"SEEQ", "8001 EDLC Ethernet Data Link Controller, preliminary data sheet, 1982: not seen, known the same way"},
    {"86Box",
     "86Box net_3c501.c and VirtualBox Dev3C501.cpp: pass 3Com's diagnostics, in parts checked on a real card"},
    {"PC/IP", "MIT/CMU PC/IP srclib/3com: 3com.h, et_init.c, et_int.c, et_send.c, 1984-86"},
    {"Linux", "drivers/net/3c501.c, D. Becker and A. Cox"},
    {"NetBSD", "sys/dev/isa/if_el.c"},
    {"Crynwr", "packet driver 3c501.asm"},
    {"RFC 1030", "M. Lambert: On Testing the NETBLT Protocol over Divers Networks, 1987"},
    {"OS/2 Museum", "os2museum.com: Emulating EtherLink"},
};

constexpr BitRow transmit_command_bits[] = {
    {TransmitCommand::UNDER.raw(), "UNDER", "interrupt on underflow", documented},
    {TransmitCommand::COLL.raw(), "COLL", "interrupt on a collision", documented},
    {TransmitCommand::COLL16.raw(), "COLL16", "interrupt on the sixteenth collision", documented},
    {TransmitCommand::SUCC.raw(), "SUCC", "interrupt on success", documented},
};
constexpr BitRow transmit_status_bits[] = {
    {TransmitStatus::UNDER.raw(), "UNDER", "underflow; never set here", diagnosed},
    {TransmitStatus::COLL.raw(), "COLL", "the frame collided, the host must start it again", diagnosed},
    {TransmitStatus::COLL16.raw(), "COLL16", "sixteen collisions in a row", diagnosed},
    {TransmitStatus::READY.raw(), "READY", "sent, ready for a new frame", diagnosed},
};
constexpr BitRow receive_command_bits[] = {
    {ReceiveCommand::OVER.raw(), "OVER", "report overflow", documented},
    {ReceiveCommand::FCS.raw(), "FCS", "report FCS errors", documented},
    {ReceiveCommand::DRIBBLE.raw(), "DRIBBLE", "report dribble", documented},
    {ReceiveCommand::SHORT.raw(), "SHORT", "report short frames", documented},
    {ReceiveCommand::ANY.raw(), "ANY", "report every frame that did not overflow", documented},
    {ReceiveCommand::GOOD.raw(), "GOOD", "report good frames", documented},
    {ReceiveCommand::ADDRESS_MODE.raw(), "ADDRESS_MODE",
     "00 off, 40 promiscuous, 80 station and broadcast, C0 station and multicast", documented},
};
constexpr BitRow receive_status_bits[] = {
    {ReceiveStatus::OVER.raw(), "OVER", "the receive pointer reached the end of the buffer", diagnosed},
    {ReceiveStatus::FCS.raw(), "FCS", "wrong FCS", documented},
    {ReceiveStatus::DRIBBLE.raw(), "DRIBBLE", "bits beyond the last whole byte", documented},
    {ReceiveStatus::SHORT.raw(), "SHORT", "fewer than 60 bytes before the FCS", diagnosed},
    {ReceiveStatus::ANY.raw(), "ANY", "received without overflow", documented},
    {ReceiveStatus::GOOD.raw(), "GOOD", "received without error", documented},
    {ReceiveStatus::STALE.raw(), "STALE", "read before; nothing new, and the receiver is free", documented},
};
constexpr BitRow auxiliary_command_bits[] = {
    {AuxiliaryCommand::IRE.raw(), "IRE", "interrupt request enable (PC/IP, Crynwr: bad FCS; unused by all drivers)",
     diagnosed},
    {AuxiliaryCommand::XMIT_BAD_FCS.raw(),
     "XMIT_BAD_FCS",
     "transmit with a wrong FCS",
     {Evidence::documented, "86Box, Linux"}},
    {AuxiliaryCommand::BUFFER_CONTROL.raw(), "BUFFER_CONTROL",
     "00 host, 04 transmit then receive, 08 receive, 0C loopback", documented},
    {AuxiliaryCommand::DMA_REQUEST.raw(), "DMA_REQUEST", "request DMA at the GP pointer", documented},
    {AuxiliaryCommand::RIDE.raw(), "RIDE", "request-interrupt-and-DMA enable", documented},
    {AuxiliaryCommand::RESET.raw(), "RESET", "reset while set; takes effect when cleared", documented},
};
constexpr BitRow auxiliary_status_bits[] = {
    {AuxiliaryStatus::RECEIVE_BUSY.raw(), "RECEIVE_BUSY", "waits for a frame", documented},
    {AuxiliaryStatus::XMIT_BAD_FCS.raw(), "XMIT_BAD_FCS", "echo of the command", diagnosed},
    {AuxiliaryStatus::BUFFER_CONTROL.raw(), "BUFFER_CONTROL", "echo of the command", documented},
    {AuxiliaryStatus::DMA_DONE.raw(), "DMA_DONE", "set at terminal count, cleared with DMA_REQUEST", documented},
    {AuxiliaryStatus::DMA_REQUEST.raw(), "DMA_REQUEST", "echo of the command", documented},
    {AuxiliaryStatus::RIDE.raw(), "RIDE", "echo of the command", documented},
    {AuxiliaryStatus::TRANSMIT_BUSY.raw(), "TRANSMIT_BUSY",
     "set when the host takes the buffer, cleared when a transmission ends (PC/IP names it \"idle\" and waits while "
     "set)",
     documented},
};

constexpr RegisterRow registers[] = {
    {0x0, 0x5, Access::write, "station address", "bytes 0 to 5; the host copies them from the PROM", {}, documented},
    {0x0,
     0x5,
     Access::read,
     "status aliases",
     "even: receive status, odd: transmit status, with their side effects",
     {},
     diagnosed},
    {receive, receive, Access::write, "receive command", "what to report, and the address mode", receive_command_bits,
     documented},
    {receive, receive, Access::read, "receive status",
     "reading makes it stale, clears the interrupt, lets the next frame in", receive_status_bits, documented},
    {transmit, transmit, Access::write, "transmit command", "interrupt enables", transmit_command_bits, documented},
    {transmit, transmit, Access::read, "transmit status", "reading clears the interrupt, the bits stay",
     transmit_status_bits, diagnosed},
    {gp_low, gp_high, Access::write, "GP pointer", "where the window is; 11 bits", {}, documented},
    {gp_low, gp_high, Access::read, "GP pointer", "12-bit counter, bit 11 does not address", {}, diagnosed},
    {receive_pointer_low,
     receive_pointer_low,
     Access::write,
     "receive pointer",
     "any value clears the whole pointer",
     {},
     diagnosed},
    {receive_pointer_high, receive_pointer_high, Access::write, "receive pointer", "ignored", {}, diagnosed},
    {receive_pointer_low,
     receive_pointer_high,
     Access::read,
     "receive pointer",
     "where the next byte goes; after a frame, its length",
     {},
     documented},
    {address_prom, address_prom_alias, Access::write, "address PROM", "ignored", {}, diagnosed},
    {address_prom,
     address_prom_alias,
     Access::read,
     "address PROM",
     "byte number GP pointer modulo 8; the pointer does not step",
     {},
     diagnosed},
    {auxiliary, auxiliary, Access::write, "auxiliary command", "reset, buffer control, DMA", auxiliary_command_bits,
     documented},
    {auxiliary, auxiliary, Access::read, "auxiliary status", "busy bits and echoes", auxiliary_status_bits, documented},
    {buffer_window,
     buffer_window,
     Access::write,
     "buffer window",
     "store and step; only while the host has the buffer",
     {},
     diagnosed},
    {buffer_window, buffer_window, Access::read, "buffer window", "fetch and step", {}, documented},
};

constexpr TimingRow timings[] = {
    {"wire", "0.8 us a byte, 8 bytes of preamble, 4 of FCS; 9.6 us gap, 51.2 us slot", {Evidence::documented, "SEEQ"}},
    {"reset pulse", "5 us or more, as drivers do; any length works here", {Evidence::inferred, "PC/IP, Linux"}},
    {"re-arm latency", "10 us from the AUX write; settable", {Evidence::guess, ""}},
    {"back-off",
     "0 to 2^n - 1 slots after the n-th collision, n at most 10, from the end of the collision",
     {Evidence::inferred, "SEEQ, PC/IP"}},
    {"register access", "none: the processor's matter", {Evidence::computed, ""}},
};

constexpr BehaviourRow behaviours[] = {
    {"one buffer for both directions and the host; deaf while the host has it",
     {Evidence::documented, "RFC 1030, OS/2 Museum"}},
    {"a frame is right-justified and sent from the GP pointer, which ends at 2048",
     {Evidence::inferred, "PC/IP, Linux, NetBSD, 86Box"}},
    {"buffer control acts when it changes: 44 after 44 sends nothing", diagnosed},
    {"after a transmission a reply is received without another command, and 48 keeps it", diagnosed},
    {"after a collision the host sets the GP pointer and starts again", {Evidence::inferred, "PC/IP, Linux, NetBSD"}},
    {"the sixteenth collision sets COLL and COLL16 and the count starts anew", {Evidence::guess, ""}},
    {"an unread status blocks reception", diagnosed},
    {"a frame that began before the receiver was on is not captured", {Evidence::recalled, ""}},
    {"taking the buffer in mid-frame loses the frame", {Evidence::inferred, "PC/IP"}},
    {"taking the buffer or resetting in mid-transmission cuts the frame off", {Evidence::guess, ""}},
    {"a frame with an error is not good, dribble included", {Evidence::guess, ""}},
    {"a reception that nobody asked for leaves the status stale and, settable, the receive pointer where it was",
     {Evidence::guess, ""}},
    {"reset keeps buffer, station address and both pointers", {Evidence::emulated, "86Box (checked on a real card)"}},
    {"more than 1536 bytes are not sent; the transmission ends with status 00", diagnosed},
    {"DMA runs while DMA_REQUEST and RIDE are set and ends at terminal count", {Evidence::recalled, ""}},
    {"the interrupt line is (receive or transmit or DMA latch) and (RIDE or IRE)", diagnosed},
};

constexpr std::string_view not_modelled[] = {
    "the receive overflow that PC/IP saw for a broadcast while the buffer was taken, and the aborted transmission "
    "after it",
    "interrupts that PC/IP found lost on some PC/AT machines",
    "transmit underflow: the buffer on the board never starves",
    "the GP pointer's movement during a transmission: it jumps to 2048 at the end",
    "bytes appearing in the buffer during a reception: they are all there at its end",
    "the GP pointer in use by the host while a frame leaves: the frame was fixed at its start",
    "loss of DMA in expansion chassis when RIDE and DMA_REQUEST rise together",
    "heartbeat, jam, and the transceiver",
};

constexpr DeviceSheet device{.part = "3c500",
                             .title = "3Com 3C500/3C501 EtherLink, 8-bit ISA, Ethernet",
                             .sources = sources,
                             .registers = registers,
                             .timings = timings,
                             .behaviours = behaviours,
                             .not_modelled = not_modelled};

}  // namespace

const DeviceSheet& Nic3c500::describe() {
    return device;
}
const DeviceSheet& Nic3c500::sheet() const {
    return device;
}

}  // namespace lfn
