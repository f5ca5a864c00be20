// SPDX-License-Identifier: BSD-3-Clause
// A ring on which a token comes or does not, and messages come back, as a script says. With no script left everything
// goes well.
#pragma once

#include <span>

#include "emulators/nic/ring_port.hpp"
#include "emulators/time/loop.hpp"
#include "tests/fuzz/nic/script.hpp"

namespace lfn::fuzz {

class ScriptRing final : public RingWire {
public:
    /// `station`: what the second byte of every message must be.
    ScriptRing(Loop& loop, Script& script, std::uint8_t station)
        : script_(script),
          station_(station),
          token_(loop, Callback::bind<&ScriptRing::token>(*this)),
          back_(loop, Callback::bind<&ScriptRing::back>(*this)) {}

    void originate(RingStation& from, std::span<const std::uint8_t> bytes, bool may_create_token) override {
        INVARIANT(closed_ && !busy());
        INVARIANT(bytes.size() >= 2 && bytes.size() <= pronet::maximum_bytes);
        INVARIANT(bytes[1] == station_);
        from_ = &from;
        last_.assign(bytes.begin(), bytes.end());
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
    /// The last message that was originated.
    const std::vector<std::uint8_t>& last() const { return last_; }

private:
    void clear() {
        waiting_ = false;
        token_.cancel();
        back_.cancel();
    }
    void token() {
        waiting_ = false;
        back_.schedule_after(pronet::wire_time(last_.size()));
        from_->token_seized();
    }
    void back() {
        const unsigned flags = script_.byte();
        from_->message_returned({.refused = (flags & 1) != 0, .bad_format = (flags & 2) != 0});
    }

    Script& script_;
    std::uint8_t station_;
    Timer token_;
    Timer back_;
    RingStation* from_ = nullptr;
    std::vector<std::uint8_t> last_;
    bool waiting_ = false;
    bool closed_ = false;
};

}  // namespace lfn::fuzz
