// SPDX-License-Identifier: BSD-3-Clause
// A 3C500 at 0x300 on a scripted cable, driven through lfn_io with the sheet's numbers.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "emulators/nic/3c500.hpp"
#include "tests/datasheet/isa_io.hpp"
#include "tests/datasheet/scripted_ethernet.hpp"

namespace lfn::test {

constexpr EthernetAddress own{0x02, 0x60, 0x8C, 0x12, 0x34, 0x56};
constexpr EthernetAddress other{0x02, 0x60, 0x8C, 0x65, 0x43, 0x21};
constexpr EthernetAddress everybody{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
constexpr EthernetAddress group{0x01, 0x00, 0x5E, 0x00, 0x00, 0x01};

class Card3c500 : public testing::Test {
protected:
    static Nic3c500::Config default_config() {
        Nic3c500::Config config;
        config.prom_address = own;
        return config;
    }
    explicit Card3c500(const Nic3c500::Config& config = default_config())
        : wire(loop), card(loop, wire, config), bus(card, 0x300), io(bus.face()) {}

    std::uint8_t in(unsigned offset) { return lfn_io_in8(&io, 0x300 + offset); }
    void out(unsigned offset, std::uint8_t value) { lfn_io_out8(&io, 0x300 + offset, value); }
    std::uint16_t in16(unsigned offset) { return lfn_io_in16(&io, 0x300 + offset); }
    void out16(unsigned offset, std::uint16_t value) { lfn_io_out16(&io, 0x300 + offset, value); }

    /// The host owns the buffer; own address set; AD in the receive command as PC/IP has it, all transmit interrupts.
    void set_up(std::uint8_t receive_command = 0xAD) {
        for (unsigned i = 0; i < 6; ++i) out(i, own[i]);
        out(0x6, receive_command);
        out(0x7, 0x0F);
        out(0xE, 0x40);
    }
    /// Set up and listening, re-arm latency over.
    void listen(std::uint8_t receive_command = 0xAD) {
        set_up(receive_command);
        out(0xA, 0);
        out(0xE, 0x48);
        loop.run_for(std::chrono::microseconds(10));
    }
    /// Steps 3 to 6 of a transmission.
    void load(const Bytes& frame) {
        out(0xE, 0x40);
        const auto begin = static_cast<std::uint16_t>(2048 - frame.size());
        out16(0x8, begin);
        for (const std::uint8_t byte : frame) out(0xF, byte);
        out16(0x8, begin);
        out(0xA, 0);
    }
    void send(const Bytes& frame) {
        load(frame);
        out(0xE, 0x44);
    }
    /// A frame passes on the cable, whole.
    void pass(const Bytes& bytes, bool fcs_error = false, bool dribble = false) {
        card.frame_started();
        loop.run_for(ethernet::wire_time(bytes.size()));
        card.frame_ended({bytes, fcs_error, dribble});
    }
    Bytes read_buffer(std::uint16_t begin, std::size_t size) {
        out16(0x8, begin);
        Bytes bytes(size);
        for (std::uint8_t& byte : bytes) byte = in(0xF);
        return bytes;
    }

    Loop loop;
    ScriptedEthernet wire;
    Nic3c500 card;
    IsaIo bus;
    lfn_io io;
};

}  // namespace lfn::test
