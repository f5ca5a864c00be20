// SPDX-License-Identifier: BSD-3-Clause
// A card under a host and a wire that do anything at any time, as a script says. What holds at any time is checked
// after each step, and one script has one history.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "emulators/bus/isa_card.hpp"
#include "emulators/time/loop.hpp"
#include "tests/fuzz/nic/script.hpp"

namespace lfn::fuzz {

enum class Step : std::uint8_t { write, read, dma_read, dma_write, frame_begins, frame_passes, fill, wait };

/// What the high half of a script's byte means; the low half is a port, or flags.
using Steps = std::array<Step, 16>;

class Bench {
public:
    virtual ~Bench() = default;

    void run() {
        while (!script_.done()) {
            step();
            check();
        }
        loop_.run();
        check();
        check_at_rest();
    }
    Time now() const { return loop_.now(); }

protected:
    Bench(std::span<const std::uint8_t> input, const Steps& steps) : script_(input), steps_(steps) {}

    virtual IsaCard& any_card() = 0;
    virtual void frame_begins() = 0;
    virtual void frame_passes(unsigned flags) = 0;
    virtual void fill() {}
    virtual void check() const = 0;
    /// After all that was under way has come to its end.
    virtual void check_at_rest() const {}

    Loop loop_;
    Script script_;

private:
    void step() {
        const unsigned action = script_.byte();
        const unsigned low = action & 0x0F;
        const unsigned port = low % any_card().port_count();
        switch (steps_[action >> 4]) {
            case Step::write:
                return any_card().out8(port, script_.byte());
            case Step::read:
                any_card().in8(port);
                return;
            case Step::dma_read:
                any_card().dma_read(low == 0);
                return;
            case Step::dma_write:
                return any_card().dma_write(script_.byte(), low == 0);
            case Step::frame_begins:
                return frame_begins();
            case Step::frame_passes:
                return frame_passes(low);
            case Step::fill:
                return fill();
            case Step::wait:
                loop_.run_for(script_.delay());
        }
    }

    Steps steps_;
};

/// For LLVMFuzzerTestOneInput.
template <class SomeBench>
int run_twice(const std::uint8_t* data, std::size_t size) {
    SomeBench first({data, size});
    SomeBench second({data, size});
    first.run();
    second.run();
    INVARIANT(first.state() == second.state());
    INVARIANT(first.now() == second.now());
    return 0;
}

}  // namespace lfn::fuzz
