// SPDX-License-Identifier: BSD-3-Clause
// The Internet checksum in a form that compilers make vector instructions of.
//
// The sum of 16-bit words modulo 2^16 - 1 is that of 32-bit words, folded (RFC 1071 2 B and C), and does not depend on
// the byte order. The low and the high halves of 64-bit words are summed apart, so that no carry is to be brought round
// before the end.
#include <cstdint>
#include <cstring>

#include "costs.hpp"

extern "C" unsigned short lfn_checksum(const void* octets, int length);

namespace {

std::uint64_t load(const unsigned char* at, std::size_t size) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, size);
    return word;
}

struct Sum {
    std::uint64_t low = 0, high = 0;  // of up to 2^32 words each
    void add(std::uint64_t word) {
        low += word & 0xffffffff;
        high += word >> 32;
    }
};

std::uint16_t fold(std::uint64_t sum) {
    while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
    return static_cast<std::uint16_t>(sum);
}

}  // namespace

unsigned short lfn_checksum(const void* octets, int length) {
    const auto* at = static_cast<const unsigned char*>(octets);
    const auto size = static_cast<std::size_t>(length);
    const lfn::Metered metered(&lfn_stack_costs::checksum, size);
    Sum sum;
    for (std::size_t word = 0; word < size / 8; ++word) sum.add(load(at + word * 8, 8));
    if (size % 8 > 0) sum.add(load(at + size / 8 * 8, size % 8));
    return fold(static_cast<std::uint64_t>(fold(sum.low)) + fold(sum.high));
}
