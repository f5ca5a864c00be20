/* SPDX-License-Identifier: BSD-3-Clause */
/* How a driver reaches its card: register reads and writes, and nothing else.
 *
 * An address is what the processor would put on its bus: an I/O port number of a PC (0x300), or the address of a
 * register in the device space of a machine that has no ports. The one who makes the lfn_io decides what answers: IN
 * and OUT instructions, volatile accesses, or an emulated card. A 16-bit access to an 8-bit card is two byte accesses,
 * low byte at the lower address first, which is what an ISA bus does.
 *
 * Reads have side effects (a status register that a read clears): nobody may add or drop one.
 */
#ifndef LFN_IO_H
#define LFN_IO_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All four functions must be there; `context` is handed to each of them. */
struct lfn_io {
    uint8_t (*in8)(void* context, uint32_t address);
    void (*out8)(void* context, uint32_t address, uint8_t value);
    uint16_t (*in16)(void* context, uint32_t address);
    void (*out16)(void* context, uint32_t address, uint16_t value);
    void* context;
};

static inline uint8_t lfn_io_in8(const struct lfn_io* io, uint32_t address) {
    return io->in8(io->context, address);
}

static inline void lfn_io_out8(const struct lfn_io* io, uint32_t address, uint8_t value) {
    io->out8(io->context, address, value);
}

static inline uint16_t lfn_io_in16(const struct lfn_io* io, uint32_t address) {
    return io->in16(io->context, address);
}

static inline void lfn_io_out16(const struct lfn_io* io, uint32_t address, uint16_t value) {
    io->out16(io->context, address, value);
}

#ifdef __cplusplus
}
#endif

#endif /* LFN_IO_H */
