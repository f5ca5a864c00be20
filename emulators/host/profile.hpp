// SPDX-License-Identifier: BSD-3-Clause
// Host profiles: what a processor's work costs, each number with its source or marked "fitted" or "guess". Adding a
// host is adding an entry in profile.cpp.
#pragma once

#include <span>
#include <string_view>

#include "emulators/link/profile.hpp"
#include "emulators/time/time.hpp"

namespace lfn {

struct HostProfile {
    std::string_view name;
    std::string_view description;
    Sourced<Duration> port_access;  ///< one IN or OUT in a copy loop, with its memory access and its share of the loop
    Sourced<Duration> copy_octet;   ///< memory to memory
    Sourced<Duration> checksum_octet;  ///< the Internet checksum
    Sourced<Duration> send_packet;     ///< what a packet that is sent costs besides: headers, protocol, calls
    Sourced<Duration> receive_packet;  ///< the same for one that is received
    Sourced<Duration> interrupt;       ///< latency, entry, announcement, return
    Sourced<Duration> clock_tick;      ///< period of the clock interrupt that looks after what was missed
};

/// All profiles, in alphabetical order of names.
std::span<const HostProfile> host_profiles();

/// The profile of that name, or null.
const HostProfile* find_host_profile(std::string_view name);

}  // namespace lfn
