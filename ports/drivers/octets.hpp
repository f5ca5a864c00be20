// SPDX-License-Identifier: BSD-3-Clause
// Numbers in network byte order, for the drivers' own use.
#pragma once

#include <stdint.h>

namespace lfn::octets {

inline uint16_t get16(const uint8_t* at) {
    return static_cast<uint16_t>(at[0] << 8 | at[1]);
}
inline uint32_t get32(const uint8_t* at) {
    return static_cast<uint32_t>(get16(at)) << 16 | get16(at + 2);
}
inline void put16(uint8_t* at, unsigned value) {
    at[0] = static_cast<uint8_t>(value >> 8);
    at[1] = static_cast<uint8_t>(value & 0xFF);
}
inline void put32(uint8_t* at, uint32_t value) {
    put16(at, value >> 16);
    put16(at + 2, value & 0xFFFF);
}

}  // namespace lfn::octets
