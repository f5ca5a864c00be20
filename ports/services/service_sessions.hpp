// SPDX-License-Identifier: BSD-3-Clause
// What `lfn serve` answers with.
#pragma once

#include <memory>
#include <string>

#include "ports/services/digest.hpp"
#include "ports/services/pattern.hpp"
#include "ports/services/session.hpp"

namespace lfn::services {

enum class Service : std::uint8_t {
    echo,     ///< RFC 862
    discard,  ///< RFC 863
    chargen,  ///< RFC 864
    sink,     ///< takes everything up to the peer's FIN, answers with its digest and length, as a line
    source,   ///< takes a line "OCTETS SEED", answers with so many octets of that Pattern
};

/// "echo", "sink"...
const char* name_of(Service service);
/// The well-known port; for the sink 5001, which is ttcp's, for the source 5002.
std::uint16_t default_port_of(Service service);

std::unique_ptr<Session> make_session(Service service, RealtimeHost& host, Callback on_over);

/// The sink's line: XXH3 of 128 bits in 32 hexadecimal digits, then the octets: "DIGEST OCTETS\n".
std::string digest_line(const Digest& digest);

}  // namespace lfn::services
