// SPDX-License-Identifier: BSD-3-Clause
// A P1300 at 0x300 on a scripted ring, driven through lfn_io with the numbers of PC/IP's driver.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "emulators/nic/p1300.hpp"
#include "tests/datasheet/isa_io.hpp"
#include "tests/datasheet/scripted_ring.hpp"

namespace lfn::test {

enum : unsigned { ICSR, IBUF, ILCNT, IHCNT, OCSR, OBUF, OLCNT, OHCNT };
constexpr std::uint8_t own_node = 0x2A;
constexpr std::uint8_t other_node = 0x17;

class CardP1300 : public testing::Test {
protected:
    static NicP1300::Config default_config() {
        NicP1300::Config config;
        config.address = own_node;
        return config;
    }
    explicit CardP1300(const NicP1300::Config& config = default_config())
        : ring(loop), card(loop, ring, config), bus(card, 0x300), io(bus.face()) {}

    std::uint8_t in(unsigned offset) { return lfn_io_in8(&io, 0x300 + offset); }
    void out(unsigned offset, std::uint8_t value) { lfn_io_out8(&io, 0x300 + offset, value); }
    void input_count(unsigned count) {
        out(ILCNT, static_cast<std::uint8_t>(count & 0xFF));
        out(IHCNT, static_cast<std::uint8_t>(count >> 8));
    }
    unsigned input_count() { return (in(ILCNT) | static_cast<unsigned>(in(IHCNT)) << 8) & 0x07FF; }
    void output_count_minus(std::size_t bytes) {
        const std::size_t count = (0x800 - bytes) & 0x7FF;
        out(OLCNT, static_cast<std::uint8_t>(count & 0xFF));
        out(OHCNT, static_cast<std::uint8_t>(count >> 8));
    }

    /// Reset and enable: in the ring, armed, input interrupt on.
    void enable() {
        out(ICSR, 0x26);
        out(OCSR, 0x20);
        input_count(0);
        out(ICSR, 0x47);
    }
    void load(const Bytes& message) {
        output_count_minus(message.size());
        for (const std::uint8_t byte : message) out(OBUF, byte);
        output_count_minus(message.size());
    }
    /// A message passes on the ring; true if the card has copied it.
    bool pass(const Bytes& bytes, bool parity_error = false, bool bad_format = false) {
        card.message_started(bytes[0]);
        loop.run_for(pronet::wire_time(bytes.size()));
        return card.message_ended({bytes, parity_error, bad_format});
    }
    Bytes read_input(std::size_t size) {
        input_count(0);
        Bytes bytes(size);
        for (std::uint8_t& byte : bytes) byte = in(IBUF);
        return bytes;
    }
    static Bytes message(std::uint8_t to, std::size_t size, std::uint8_t from = other_node) {
        Bytes bytes(size);
        for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i * 7 + size);
        bytes[0] = to;
        if (size > 1) bytes[1] = from;
        return bytes;
    }

    Loop loop;
    ScriptedRing ring;
    NicP1300 card;
    IsaIo bus;
    lfn_io io;
};

}  // namespace lfn::test
