// SPDX-License-Identifier: BSD-3-Clause
// P1300: the sheet. Registers, timings, behaviours with their provenance, and what is not modelled.
#include "emulators/nic/device_sheet.hpp"
#include "emulators/nic/p1300.hpp"

namespace lfn {

using namespace pr1300;

namespace {

constexpr Provenance header{Evidence::documented, "PC/IP"};
constexpr Provenance used{Evidence::inferred, "PC/IP"};
constexpr Provenance family{Evidence::inferred, "PC/IP, p1500"};
constexpr Provenance guess{Evidence::guess, ""};

constexpr SourceRow sources[] = {
    {"PC/IP",
     "MIT/CMU PC/IP srclib/pronet: pronet.h (Proteon's copyright, 1984-85), pr_init.c, pr_int.c, pr_send.c, 1986"},
    {"4.3BSD", "vaxif/if_vv.c, if_vv.h and vv(4): the UNIBUS boards p1001 and p1002"},
    {"p1500", "VxWorks if_pn.c, if_pn.h: the VME board of the family"},
    {"Comer", "D. Comer on ProNET-10, in secondary copies: frame format, flag and token timers"},
    {"RFC 1030", "M. Lambert: On Testing the NETBLT Protocol over Divers Networks, 1987"},
    {"RFC 1051", "P. Prindeville, 1988: cites the p1300 manual, v4.0, July 1986, which was not found"},
};

constexpr BitRow input_command_bits[] = {
    {InputCommand::COPYEN.raw(), "COPYEN", "arm the receiver for one message", header},
    {InputCommand::MODE1.raw(), "MODE1",
     "with MODE2: 06 network, 02 digital loopback, 04 analog loopback, 00 out of ring", family},
    {InputCommand::MODE2.raw(), "MODE2", "see MODE1", family},
    {InputCommand::INRST.raw(), "INRST", "reset the input side", header},
    {InputCommand::ININTEN.raw(), "ININTEN", "enable the input interrupt", header},
    {InputCommand::ININTRES.raw(), "ININTRES", "clear the input interrupt", header},
};
constexpr BitRow input_status_bits[] = {
    {InputStatus::COPYEN.raw(), "COPYEN", "still armed; falls when a message has been copied", header},
    {InputStatus::MODE1.raw(), "MODE1", "reads back", guess},
    {InputStatus::MODE2.raw(), "MODE2", "reads back", guess},
    {InputStatus::BADFMT.raw(), "BADFMT", "the message was malformed", header},
    {InputStatus::PARITY.raw(), "PARITY", "end-to-end parity error", header},
    {InputStatus::OVERRUN.raw(), "OVERRUN", "no room from the counter up", header},
    {InputStatus::ININTEN.raw(), "ININTEN", "reads back", guess},
    {InputStatus::ININTSTAT.raw(), "ININTSTAT", "input interrupt pending", header},
};
constexpr BitRow output_command_bits[] = {
    {OutputCommand::ORIGEN.raw(), "ORIGEN", "originate", header},
    {OutputCommand::INITRING.raw(), "INITRING", "a token may be created for this message", header},
    {OutputCommand::OUTRST.raw(), "OUTRST", "reset the output side", header},
    {OutputCommand::OUTINTEN.raw(), "OUTINTEN", "enable the output interrupt", header},
    {OutputCommand::OUTINTRES.raw(), "OUTINTRES", "clear the output interrupt", header},
};
constexpr BitRow output_status_bits[] = {
    {OutputStatus::ORIGEN.raw(), "ORIGEN", "still originating", header},
    {OutputStatus::REFUSED.raw(), "REFUSED", "the message came back not copied", header},
    {OutputStatus::OBADFMT.raw(), "OBADFMT", "the message came back malformed", header},
    {OutputStatus::OUTTMO.raw(), "OUTTMO", "no token came", header},
    {OutputStatus::RGNOK.raw(), "RGNOK", "ring not OK; the polarity is a guess and settable", guess},
    {OutputStatus::OUTINTEN.raw(), "OUTINTEN", "reads back", guess},
    {OutputStatus::OUTINTSTAT.raw(), "OUTINTSTAT", "output interrupt pending", header},
};

constexpr RegisterRow registers[] = {
    {icsr, icsr, Access::write, "ICSR", "input control", input_command_bits, header},
    {icsr, icsr, Access::read, "ICSR", "input status", input_status_bits, header},
    {ibuf, ibuf, Access::write, "IBUF", "ignored", {}, used},
    {ibuf, ibuf, Access::read, "IBUF", "byte at the input count, which then steps", {}, header},
    {ilcnt, ihcnt, Access::write, "ILCNT, IHCNT", "input count, 11 bits", {}, header},
    {ilcnt,
     ihcnt,
     Access::read,
     "ILCNT, IHCNT",
     "input count; after a reception into a cleared counter, the length",
     {},
     header},
    {ocsr, ocsr, Access::write, "OCSR", "output control", output_command_bits, header},
    {ocsr, ocsr, Access::read, "OCSR", "output status", output_status_bits, header},
    {obuf, obuf, Access::write, "OBUF", "byte to the output count, which then steps", {}, header},
    {obuf, obuf, Access::read, "OBUF", "FF, nothing answers", {}, guess},
    {olcnt, ohcnt, Access::write, "OLCNT, OHCNT", "output count, minus the length in 11 bits", {}, header},
    {olcnt, ohcnt, Access::read, "OLCNT, OHCNT", "reads back", {}, guess},
};

constexpr TimingRow timings[] = {
    {"wire", "0.1 us a bit; 8 bits a byte and 21 of framing", {Evidence::computed, "Comer"}},
    {"longest message", "2046 bytes with the two addresses", {Evidence::documented, "4.3BSD, RFC 1030"}},
    {"output time-out", "400 ms from the originate, as long as the token timer; settable", guess},
    {"relay settling",
     "none; 4.3BSD waits 0.5 s, and 1 s before it counts on INITRING",
     {Evidence::inferred, "4.3BSD"}},
    {"register access", "none: the processor's matter", {Evidence::computed, ""}},
};

constexpr BehaviourRow behaviours[] = {
    {"one buffer a direction; both directions at the same time", {Evidence::documented, "RFC 1030"}},
    {"a count is buffer address and length in one: the message is right-justified", used},
    {"the message stays in the output buffer; a repetition takes the count and ORIGEN", used},
    {"the station's address goes into the second byte of what leaves", used},
    {"a message for a station that is not armed is refused, and only its sender learns of it",
     {Evidence::inferred, "PC/IP, 4.3BSD"}},
    {"ICSR with COPYEN re-arms whatever the input buffer holds, and acknowledges nothing", used},
    {"in loopback the message meets the own receiver and nothing reaches the ring", used},
    {"the own message is copied if it is addressed to oneself or to FF", {Evidence::inferred, "PC/IP, Comer"}},
    {"an interrupt is noted only if enabled when the message ends", guess},
    {"bad format and parity end the arming and interrupt like a good message, and clear the refuse bit", guess},
    {"a message that overruns is refused", guess},
    {"error bits are cleared by the next arming, originate or reset", guess},
    {"INRST and OUTRST keep buffers and counts; COPYEN or ORIGEN beside them count for nothing", guess},
    {"shorter than 2 or longer than 2046 bytes: comes back with OBADFMT, reaches nobody", guess},
    {"ORIGEN = 0 takes a message back that waits for the token, not one that is leaving", guess},
    {"a time-out leaves the output count as it was", guess},
    {"leaving the ring in mid-message ends it with OBADFMT", guess},
    {"out of the ring an originate ends with OUTTMO, unless the station joins in time", guess},
    {"DMA is asked for all the time; the 8237's channel and mode decide", used},
};

constexpr std::string_view not_modelled[] = {
    "jumpers: base, interrupt and DMA channel are whoever's who plugs the card in",
    "bytes appearing in the input buffer, and the counters moving, while a message passes: both happen at its end",
    "the output buffer being rewritten while its message waits or leaves: the message was fixed at the originate",
    "the relay's settling time and its clicks on the ring",
    "the difference of analog from digital loopback",
    "the all-zero broadcast of boards from before August 1982",
};

constexpr DeviceSheet device{.part = "p1300",
                             .title = "Proteon p1300, 8-bit ISA, ProNET-10 token ring",
                             .sources = sources,
                             .registers = registers,
                             .timings = timings,
                             .behaviours = behaviours,
                             .not_modelled = not_modelled};

}  // namespace

const DeviceSheet& NicP1300::describe() {
    return device;
}
const DeviceSheet& NicP1300::sheet() const {
    return device;
}

}  // namespace lfn
