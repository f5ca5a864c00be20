// SPDX-License-Identifier: BSD-3-Clause
// 3C500 under a host and a cable that do anything at any time.
#include "emulators/nic/3c500.hpp"
#include "tests/fuzz/nic/bench.hpp"

namespace lfn::fuzz {
namespace {

/// Ends each transmission after its time, as the script says.
class Cable final : public EthernetWire {
public:
    Cable(Loop& loop, Script& script) : script_(script), end_(loop, Callback::bind<&Cable::end>(*this)) {}

    void transmit(EthernetStation& from, const EthernetFrame& frame) override {
        INVARIANT(!end_.pending());
        INVARIANT(!frame.bytes.empty() && frame.bytes.size() <= Nic3c500::longest_transmission);
        from_ = &from;
        end_.schedule_after(ethernet::wire_time(frame.bytes.size()));
    }
    void abort(EthernetStation&) override {
        INVARIANT(end_.pending());
        end_.cancel();
    }
    bool busy() const { return end_.pending(); }

private:
    void end() {
        from_->transmission_ended(script_.byte() % 2 == 0 ? EthernetOutcome::sent : EthernetOutcome::collision);
    }

    Script& script_;
    Timer end_;
    EthernetStation* from_ = nullptr;
};

constexpr Steps steps = {Step::write,        Step::write,        Step::write,        Step::write,
                         Step::read,         Step::read,         Step::dma_read,     Step::dma_write,
                         Step::frame_begins, Step::frame_passes, Step::frame_passes, Step::fill,
                         Step::wait,         Step::wait,         Step::wait,         Step::wait};

class Bench3c500 final : public Bench {
public:
    explicit Bench3c500(std::span<const std::uint8_t> input)
        : Bench(input, steps), cable_(loop_, script_), card_(loop_, cable_, config(script_.byte())) {}

    const Nic3c500::State& state() const { return card_.state(); }

private:
    static Nic3c500::Config config(unsigned choice) {
        Nic3c500::Config config;
        config.discard_unreported = (choice & 1) == 0;
        config.dma_ends_at_buffer_end = (choice & 2) != 0;
        return config;
    }

    IsaCard& any_card() override { return card_; }
    void frame_begins() override { card_.frame_started(); }
    void frame_passes(unsigned flags) override {
        const auto bytes = script_.frame(2100);
        if ((flags & 1) == 0) card_.frame_started();
        card_.frame_ended({.bytes = bytes, .fcs_error = (flags & 2) != 0, .dribble = (flags & 4) != 0});
    }
    void fill() override {
        const unsigned count = script_.word() % 4096;
        for (unsigned i = 0; i < count; ++i) card_.out8(el3c500::buffer_window, static_cast<std::uint8_t>(i));
    }

    void check() const override {
        const Nic3c500::State& state = card_.state();
        const Nic3c500::Counters& counters = card_.counters();
        const auto aux = state.auxiliary_command;
        INVARIANT(state.receive_pointer <= Nic3c500::buffer_bytes);
        INVARIANT(state.gp_pointer <= 0xFFF);
        INVARIANT(state.collisions < ethernet::attempt_limit);
        INVARIANT((state.transmitter == Nic3c500::Transmitter::on_wire) == cable_.busy());

        // The lines are what the latches and enables say.
        const bool latched = state.receive_interrupt || state.transmit_interrupt || state.dma_interrupt;
        INVARIANT(card_.irq.level() == (latched && (aux.raw() & 0x41) != 0));
        INVARIANT(card_.dreq.level() == ((aux.raw() & 0x60) == 0x60 && !state.dma_done));
        // A receive interrupt goes with an unread status; nobody owns the buffer twice.
        INVARIANT(!state.receive_interrupt || (state.receive_status.raw() & 0x80) == 0);
        INVARIANT(!state.capturing || state.transmitter == Nic3c500::Transmitter::idle);
        INVARIANT((aux.raw() & 0x0C) != 0 || (!state.capturing && state.transmitter == Nic3c500::Transmitter::idle));
        // At least one of good, error or plain end in a fresh status, and good excludes errors.
        const unsigned status = state.receive_status.raw();
        INVARIANT((status & 0x80) != 0 || (status & 0x11) == 0x01 || (status & 0x11) == 0x10);
        INVARIANT((status & 0x20) == 0 || (status & 0x0F) == 0);

        std::uint64_t lost = 0;
        for (const std::uint64_t count : counters.lost) lost += count;
        INVARIANT(counters.offered == counters.received + lost);
        INVARIANT(counters.received_with_error <= counters.received);
        INVARIANT(counters.sent + counters.collisions <= counters.transmissions);
    }

    Cable cable_;
    Nic3c500 card_;
};

}  // namespace
}  // namespace lfn::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return lfn::fuzz::run_twice<lfn::fuzz::Bench3c500>(data, size);
}
