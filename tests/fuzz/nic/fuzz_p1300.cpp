// SPDX-License-Identifier: BSD-3-Clause
// P1300 under a host and a ring that do anything at any time.
#include "emulators/nic/p1300.hpp"
#include "tests/fuzz/nic/bench.hpp"
#include "tests/fuzz/nic/script_ring.hpp"

namespace lfn::fuzz {
namespace {

constexpr std::uint8_t own_node = 0x2A;

constexpr Steps steps = {Step::write,     Step::write,        Step::write,        Step::write,
                         Step::write,     Step::read,         Step::read,         Step::dma_read,
                         Step::dma_write, Step::frame_begins, Step::frame_passes, Step::frame_passes,
                         Step::wait,      Step::wait,         Step::wait,         Step::wait};

class BenchP1300 final : public Bench {
public:
    explicit BenchP1300(std::span<const std::uint8_t> input)
        : Bench(input, steps), ring_(loop_, script_, own_node), card_(loop_, ring_, {.address = own_node}) {}

    const NicP1300::State& state() const { return card_.state(); }

private:
    IsaCard& any_card() override { return card_; }
    void frame_begins() override { card_.message_started(script_.byte()); }
    void frame_passes(unsigned flags) override {
        const auto bytes = script_.frame(2100);
        const std::uint64_t copied = card_.counters().copied;
        const bool armed = (card_.in8(pr1300::icsr) & 0x01) != 0;
        const auto before = card_.state().input_buffer;
        if ((flags & 1) == 0 && !bytes.empty()) card_.message_started(bytes[0]);
        const bool result =
            card_.message_ended({.bytes = bytes, .parity_error = (flags & 2) != 0, .bad_format = (flags & 4) != 0});
        INVARIANT(result == (card_.counters().copied == copied + 1));
        INVARIANT(!result || ring_.closed());
        // A card that is not armed keeps what its buffer holds.
        INVARIANT(armed || (!result && card_.state().input_buffer == before));
    }

    void check_at_rest() const override { INVARIANT(state().output == NicP1300::Output::idle); }

    void check() const override {
        const NicP1300::State& state = card_.state();
        const NicP1300::Counters& counters = card_.counters();
        using Input = NicP1300::Input;
        using Output = NicP1300::Output;
        INVARIANT(state.input_count < NicP1300::buffer_bytes && state.output_count < NicP1300::buffer_bytes);
        INVARIANT(state.input != Input::copying || state.message_is_ours);
        const bool in_ring = (state.input_command.raw() & 0x06) == 0x06;
        INVARIANT(ring_.closed() == in_ring);
        INVARIANT(!ring_.busy() || state.output == Output::waiting_for_token || state.output == Output::sending);
        INVARIANT(state.output != Output::sending || ring_.busy());

        const bool input_interrupt = (state.input_status.raw() & 0x80) != 0 && (state.input_command.raw() & 0x40) != 0;
        const bool output_interrupt =
            (state.output_status.raw() & 0x80) != 0 && (state.output_command.raw() & 0x40) != 0;
        INVARIANT(card_.irq.level() == (input_interrupt || output_interrupt));

        std::uint64_t refused = 0;
        for (const std::uint64_t count : counters.refused) refused += count;
        INVARIANT(counters.offered == counters.copied + refused);
        const std::uint64_t under_way = state.output == Output::idle ? 0 : 1;
        INVARIANT(counters.originated == counters.returned + counters.timed_out + counters.withdrawn + under_way);
        INVARIANT(counters.returned_refused <= counters.returned);
    }

    ScriptRing ring_;
    NicP1300 card_;
};

}  // namespace
}  // namespace lfn::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return lfn::fuzz::run_twice<lfn::fuzz::BenchP1300>(data, size);
}
