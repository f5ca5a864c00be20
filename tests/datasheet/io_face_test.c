/* SPDX-License-Identifier: BSD-3-Clause */
/* That lfn_io.h is C: this file only has to compile. */
#include "ports/drivers/lfn_io.h"

uint16_t lfn_io_face_swap(const struct lfn_io* io, uint32_t address);

uint16_t lfn_io_face_swap(const struct lfn_io* io, uint32_t address) {
    const uint16_t value = lfn_io_in16(io, address);
    lfn_io_out8(io, address, (uint8_t)(value >> 8));
    lfn_io_out16(io, address, lfn_io_in8(io, address));
    return value;
}
