// SPDX-License-Identifier: BSD-3-Clause
// P1300 under a host and a ring that do anything at any time.
#include "emulators/nic/p1300.hpp"
#include "tests/fuzz/nic/script.hpp"

namespace lfn::fuzz {
namespace {

constexpr std::uint8_t own_node = 0x2A;

/// A token comes or does not, messages come back as the script says.
class Ring final : public RingWire {
public:
    Ring(Loop& loop, Script& script)
        : script_(script),
          token_(loop, Callback::bind<&Ring::token>(*this)),
          back_(loop, Callback::bind<&Ring::back>(*this)) {}

    void originate(RingStation& from, std::span<const std::uint8_t> bytes, bool may_create_token) override {
        INVARIANT(closed_ && !busy());
        INVARIANT(bytes.size() >= 2 && bytes.size() <= pronet::maximum_bytes);
        INVARIANT(bytes[1] == own_node);
        from_ = &from;
        wire_time_ = pronet::wire_time(bytes.size());
        waiting_ = true;
        if (may_create_token || script_.byte() % 4 != 0) token_.schedule_after(Duration(script_.word()));
    }
    void withdraw(RingStation&) override {
        INVARIANT(waiting_ || back_.pending());
        clear();
    }
    void set_relay(RingStation&, bool in_ring) override {
        INVARIANT(closed_ != in_ring);
        closed_ = in_ring;
        clear();
    }
    bool ring_ok() const override { return true; }
    bool busy() const { return waiting_ || back_.pending(); }
    bool closed() const { return closed_; }

private:
    void clear() {
        waiting_ = false;
        token_.cancel();
        back_.cancel();
    }
    void token() {
        waiting_ = false;
        back_.schedule_after(wire_time_);
        from_->token_seized();
    }
    void back() {
        const unsigned flags = script_.byte();
        from_->message_returned({.refused = (flags & 1) != 0, .bad_format = (flags & 2) != 0});
    }

    Script& script_;
    Timer token_;
    Timer back_;
    RingStation* from_ = nullptr;
    Duration wire_time_{};
    bool waiting_ = false;
    bool closed_ = false;
};

class Bench {
public:
    explicit Bench(std::span<const std::uint8_t> input)
        : script_(input), ring_(loop_, script_), card_(loop_, ring_, {.address = own_node}) {}

    void run() {
        while (!script_.done()) {
            step();
            check();
        }
        loop_.run();
        check();
        INVARIANT(card_.state().output == NicP1300::Output::idle);  // an originate always ends
    }

    const NicP1300& card() const { return card_; }
    Time now() const { return loop_.now(); }

private:
    void step() {
        const unsigned action = script_.byte();
        const unsigned offset = action & 7;
        switch (action >> 4) {
            case 0:
            case 1:
            case 2:
            case 3:
            case 4:
                card_.out8(offset, script_.byte());
                break;
            case 5:
            case 6:
                card_.in8(offset);
                break;
            case 7:
                card_.dma_read(offset == 0);
                break;
            case 8:
                card_.dma_write(script_.byte(), offset == 0);
                break;
            case 9:
                card_.message_started(script_.byte());
                break;
            case 10:
            case 11:
                pass(offset);
                break;
            default:
                loop_.run_for(script_.delay());
        }
    }

    void pass(unsigned flags) {
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

    void check() const {
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

    Loop loop_;
    Script script_;
    Ring ring_;
    NicP1300 card_;
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
