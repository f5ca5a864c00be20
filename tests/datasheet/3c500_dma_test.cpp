// SPDX-License-Identifier: BSD-3-Clause
// 3C500: DMA. The test is the 8237: single transfers while DREQ is high, TC with the last.
#include "tests/datasheet/3c500_fixture.hpp"

namespace lfn::test {
namespace {

class Card3c500Dma : public Card3c500 {
protected:
    explicit Card3c500Dma(const Nic3c500::Config& config = default_config()) : Card3c500(config) {}

    /// Transfers until DREQ falls or `cycles` are done; returns the cycles that took place.
    std::size_t to_card(const Bytes& bytes, std::size_t cycles) {
        std::size_t done = 0;
        for (; done < cycles && card.dreq.level(); ++done) {
            card.dma_write(done < bytes.size() ? bytes[done] : std::uint8_t{0xEE}, done + 1 == cycles);
        }
        return done;
    }
    Bytes to_memory(std::size_t cycles) {
        Bytes bytes;
        while (bytes.size() < cycles && card.dreq.level()) bytes.push_back(card.dma_read(bytes.size() + 1 == cycles));
        return bytes;
    }
};

TEST_F(Card3c500Dma, runs_only_with_request_and_ride) {
    out(0xE, 0x20);
    EXPECT_FALSE(card.dreq.level());
    out(0xE, 0x40);
    EXPECT_FALSE(card.dreq.level());
    out(0xE, 0x60);
    EXPECT_TRUE(card.dreq.level());
    out(0xE, 0x40);
    EXPECT_FALSE(card.dreq.level());
}

TEST_F(Card3c500Dma, reads_the_buffer_at_the_gp_pointer) {
    listen();
    const Bytes frame = frame_to(own, 200);
    pass(frame);
    in(0x6);
    out(0xE, 0x40);
    out16(0x8, 0);
    out(0xE, 0x60);
    EXPECT_EQ(to_memory(200), frame);
    EXPECT_EQ(in16(0x8), 200);
}

TEST_F(Card3c500Dma, terminal_count_ends_it_with_done_and_an_interrupt) {
    set_up();
    out16(0x8, 0);
    out(0xE, 0x60);
    EXPECT_EQ(in(0xE) & 0x10, 0x00);
    EXPECT_EQ(to_card(Bytes(10, 0x77), 10), 10u);
    EXPECT_FALSE(card.dreq.level());
    EXPECT_EQ(in(0xE) & 0x30, 0x30);
    EXPECT_TRUE(card.irq.level());
}

TEST_F(Card3c500Dma, clearing_the_request_clears_done_and_the_interrupt) {
    set_up();
    out16(0x8, 0);
    out(0xE, 0x60);
    to_card(Bytes(10, 0x77), 10);
    out(0xE, 0x40);
    EXPECT_EQ(in(0xE) & 0x30, 0x00);
    EXPECT_FALSE(card.irq.level());
}

TEST_F(Card3c500Dma, surplus_cycle_of_a_right_justified_load_lands_at_address_0) {
    // PC/IP programs the 8237 with len, which makes len + 1 cycles.
    set_up();
    const Bytes frame = frame_to(other, 100);
    out16(0x8, 2048 - 100);
    out(0xE, 0x60);
    EXPECT_EQ(to_card(frame, 101), 101u);
    EXPECT_EQ(card.state().buffer[0], 0xEE);
    out(0xE, 0x40);
    out16(0x8, 2048 - 100);
    out(0xE, 0x44);
    loop.run();
    ASSERT_EQ(wire.frames.size(), 1u);
    EXPECT_EQ(wire.frames[0], frame);
}

TEST_F(Card3c500Dma, cycles_that_nobody_asked_for_do_nothing) {
    out16(0x8, 5);
    card.dma_write(0x77, true);
    EXPECT_EQ(card.dma_read(false), 0xFF);
    EXPECT_EQ(in16(0x8), 5);
    EXPECT_EQ(in(0xE) & 0x10, 0x00);
}

class Card3c500DmaToBufferEnd : public Card3c500Dma {
protected:
    Card3c500DmaToBufferEnd() : Card3c500Dma(config()) {}
    static Nic3c500::Config config() {
        Nic3c500::Config config = default_config();
        config.dma_ends_at_buffer_end = true;
        return config;
    }
};

TEST_F(Card3c500DmaToBufferEnd, done_when_the_gp_pointer_reaches_2048) {
    set_up();
    out16(0x8, 2048 - 100);
    out(0xE, 0x60);
    EXPECT_EQ(to_card(Bytes(100, 0x77), 101), 100u);
    EXPECT_EQ(in(0xE) & 0x10, 0x10);
    EXPECT_EQ(in16(0x8), 0x0800);
}

}  // namespace
}  // namespace lfn::test
