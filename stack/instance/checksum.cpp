// SPDX-License-Identifier: BSD-3-Clause
// The Internet checksum, eight octets at a time with end-around carry.
//
// The sum of 16-bit words modulo 2^16 - 1 is that of 64-bit words modulo 2^64 - 1, folded (RFC 1071 2 B and C), and
// does not depend on the byte order.
#include <cstdint>
#include <cstring>

extern "C" unsigned short lfn_checksum(const void* octets, int length);

namespace {

std::uint64_t load(const unsigned char* at, std::size_t size) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, size);
    return word;
}

// Sums with the carry brought round; compilers make an add and an add-with-carry of it.
std::uint64_t add(std::uint64_t sum, std::uint64_t word) {
    sum += word;
    return sum + (sum < word);
}

std::uint16_t fold(std::uint64_t sum) {
    while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
    return static_cast<std::uint16_t>(sum);
}

}  // namespace

unsigned short lfn_checksum(const void* octets, int length) {
    const auto* at = static_cast<const unsigned char*>(octets);
    auto left = static_cast<std::size_t>(length);
    std::uint64_t sum = 0;
    for (; left >= 32; at += 32, left -= 32) {
        for (std::size_t i = 0; i < 32; i += 8) sum = add(sum, load(at + i, 8));
    }
    for (; left >= 8; at += 8, left -= 8) sum = add(sum, load(at, 8));
    if (left > 0) sum = add(sum, load(at, left));
    return fold(sum);
}
