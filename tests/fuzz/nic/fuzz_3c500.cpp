// SPDX-License-Identifier: BSD-3-Clause
// 3C500 under a host and a cable that do anything at any time.
#include "emulators/nic/3c500.hpp"
#include "tests/fuzz/nic/script.hpp"

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

class Bench {
public:
    explicit Bench(std::span<const std::uint8_t> input)
        : script_(input), cable_(loop_, script_), card_(loop_, cable_, config(script_.byte())) {}

    void run() {
        while (!script_.done()) {
            step();
            check();
        }
        loop_.run();
        check();
    }

    const Nic3c500& card() const { return card_; }
    Time now() const { return loop_.now(); }

private:
    static Nic3c500::Config config(unsigned choice) {
        Nic3c500::Config config;
        config.discard_unreported = (choice & 1) == 0;
        config.dma_ends_at_buffer_end = (choice & 2) != 0;
        return config;
    }

    void step() {
        const unsigned action = script_.byte();
        const unsigned offset = action & 0x0F;
        switch (action >> 4) {
            case 0:
            case 1:
            case 2:
            case 3:
                card_.out8(offset, script_.byte());
                break;
            case 4:
            case 5:
                card_.in8(offset);
                break;
            case 6:
                card_.dma_read(script_.byte() % 4 == 0);
                break;
            case 7:
                card_.dma_write(script_.byte(), offset == 0);
                break;
            case 8:
                card_.frame_started();
                break;
            case 9:
            case 10:
                pass(offset);
                break;
            case 11:
                fill(script_.word());
                break;
            default:
                loop_.run_for(script_.delay());
        }
    }

    void pass(unsigned flags) {
        const auto bytes = script_.frame(2100);
        if ((flags & 1) == 0) card_.frame_started();
        card_.frame_ended({.bytes = bytes, .fcs_error = (flags & 2) != 0, .dribble = (flags & 4) != 0});
    }
    void fill(unsigned count) {
        for (unsigned i = 0; i < count % 4096; ++i) card_.out8(el3c500::buffer_window, static_cast<std::uint8_t>(i));
    }

    void check() const {
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

    Loop loop_;
    Script script_;
    Cable cable_;
    Nic3c500 card_;
};

}  // namespace
}  // namespace lfn::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using lfn::fuzz::Bench;
    Bench first({data, size});
    Bench second({data, size});
    first.run();
    second.run();
    INVARIANT(first.card().state() == second.card().state());  // one script, one history
    INVARIANT(first.now() == second.now());
    return 0;
}
