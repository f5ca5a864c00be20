// SPDX-License-Identifier: BSD-3-Clause
// The PC/AT at 8 MHz is fitted to RFC 1030's four packet costs: 6.0 ms to send and 6.1 ms to receive 1438 bytes over
// the 3C500, 8 ms each way for 1990 bytes over the P1300, with the card, the driver and the wire as emulated here. RFC
// 1030 says neither the clock nor how the bytes were moved; the fit assumes 8 MHz and programmed I/O, and lands between
// what REP OUTSB (1.1 to 1.25 us) and PC/IP's LODSB/OUT/LOOP (3.0 to 3.5 us) would cost by their clock counts.
#include "emulators/host/profile.hpp"

#include <algorithm>
#include <array>

namespace lfn {

namespace {

using std::chrono::microseconds;

constexpr std::string_view fitted = "fitted: RFC 1030's packet costs, see profile.cpp";
constexpr std::string_view scaled = "fitted: the 8 MHz machine's figure times 8/6";
constexpr std::string_view by_definition = "by definition";

constexpr std::array profiles = {
    HostProfile{
        .name = "ideal",
        .description = "A processor that costs next to nothing: what is left is the card and the wire",
        .port_access = {Duration(1), "guess: more than nothing, so that a loop that polls a port comes to an end"},
        .copy_octet = {Duration(0), by_definition},
        .checksum_octet = {Duration(0), by_definition},
        .send_packet = {Duration(0), by_definition},
        .receive_packet = {Duration(0), by_definition},
        .interrupt = {Duration(0), by_definition},
        .clock_tick = {microseconds(10'000), "guess: 100 Hz"},
    },
    HostProfile{
        .name = "pc-at-6",
        .description = "IBM PC/AT, 80286 at 6 MHz",
        .port_access = {Duration(3'333), scaled},
        .copy_octet = {Duration(533), scaled},
        .checksum_octet = {Duration(667), scaled},
        .send_packet = {microseconds(460), scaled},
        .receive_packet = {microseconds(533), scaled},
        .interrupt = {microseconds(100), "guess: the 8 MHz machine's figure times 8/6"},
        .clock_tick = {Duration(54'925'416), "IBM PC: 8253 counter 0, 1.193182 MHz / 65536"},
    },
    HostProfile{
        .name = "pc-at-8",
        .description = "IBM PC/AT, 80286 at 8 MHz",
        .port_access = {Duration(2'500), fitted},
        .copy_octet = {Duration(400), "computed: REP MOVSW, 4 clocks a word and wait states"},
        .checksum_octet = {Duration(500), "computed: LODSW and ADC, 7 clocks a word and wait states; not in RFC 1030"},
        .send_packet = {microseconds(345), fitted},
        .receive_packet = {microseconds(400), fitted},
        .interrupt = {microseconds(75), "guess: 50 to 100 us for a C handler under DOS"},
        .clock_tick = {Duration(54'925'416), "IBM PC: 8253 counter 0, 1.193182 MHz / 65536"},
    },
    HostProfile{
        .name = "sun-3",
        .description = "SUN-3, 68020 at 16.7 MHz; which card it had and what it cost is not known",
        .port_access = {Duration(600), "guess: a device access of about 10 clocks in a DBRA loop"},
        .copy_octet =
            {Duration(350),
             "computed: V kernel blasts between SUN-3/50s, copied (1343 us a packet) or not (987 us), 1024 bytes"},
        .checksum_octet = {Duration(150), "guess: 10 clocks for a long word"},
        .send_packet = {microseconds(500), "guess: BSD's path through sockets, TCP, IP and the driver"},
        .receive_packet = {microseconds(600), "guess: the same, and a wake-up"},
        .interrupt = {microseconds(40), "guess"},
        .clock_tick = {microseconds(10'000), "guess: SunOS' 100 Hz"},
    },
};

}  // namespace

std::span<const HostProfile> host_profiles() {
    return profiles;
}

const HostProfile* find_host_profile(std::string_view name) {
    const auto found = std::ranges::find(profiles, name, &HostProfile::name);
    return found == profiles.end() ? nullptr : &*found;
}

}  // namespace lfn
