// SPDX-License-Identifier: BSD-3-Clause
// Any octets as a frame, behind an Ethernet header or not: a mark changes the codepoint (and IPv4's checksum) and
// nothing else, leaves a sum as right or wrong as it was, and is not made twice.
#include <cstdlib>
#include <vector>

#include "emulators/link/congestion_mark.hpp"

namespace {

void require(bool kept) {
    if (!kept) std::abort();
}

using Octets = std::vector<std::uint8_t>;

// RFC 1071 over the 20 octets that every IPv4 header has; 0xffff if it is right (and there are no options).
std::uint32_t header_sum(std::span<const std::uint8_t> packet) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < 20; i += 2) sum += static_cast<std::uint32_t>(packet[i] << 8 | packet[i + 1]);
    while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
    return sum;
}

void check_marked(const Octets& before, const Octets& after, std::size_t at) {
    const bool ipv4 = before[at] >> 4 == 4;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const bool checksum = ipv4 && (i == at + 10 || i == at + 11);
        const std::uint8_t codepoint = i != at + 1 ? 0 : ipv4 ? 0x03 : 0x30;
        if (!checksum) require((before[i] | codepoint) == after[i]);
    }
    if (ipv4) require(header_sum(std::span(before).subspan(at)) == header_sum(std::span(after).subspan(at)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::size_t header = (data[0] & 1) != 0 ? 14 : 0;
    const Octets before(data + 1, data + size);
    Octets once = before;
    const bool marked = lfn::mark_congestion_in_frame(once, header);
    if (!marked) {
        require(once == before);
        return 0;
    }
    check_marked(before, once, header);
    Octets twice = once;
    require(lfn::mark_congestion_in_frame(twice, header));
    check_marked(once, twice, header);
    return 0;
}
