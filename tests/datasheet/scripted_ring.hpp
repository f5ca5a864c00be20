// SPDX-License-Identifier: BSD-3-Clause
// A ring that does what the test says: when the token comes, and how messages come back.
#pragma once

#include <cassert>
#include <cstdint>
#include <vector>

#include "emulators/nic/ring_port.hpp"
#include "emulators/time/loop.hpp"

namespace lfn::test {

using Bytes = std::vector<std::uint8_t>;

class ScriptedRing final : public RingWire {
public:
    explicit ScriptedRing(Loop& loop)
        : token_(loop, Callback::bind<&ScriptedRing::token>(*this)),
          back_(loop, Callback::bind<&ScriptedRing::back>(*this)) {}

    void originate(RingStation& from, std::span<const std::uint8_t> bytes, bool may_create_token) override {
        assert(!token_.pending() && !back_.pending());
        from_ = &from;
        waiting_.assign(bytes.begin(), bytes.end());
        if (may_create_token && creates_token) ok = true;
        if (ok) token_.schedule_after(token_wait);
    }
    void withdraw(RingStation&) override {
        token_.cancel();
        back_.cancel();
        ++withdrawals;
    }
    void set_relay(RingStation&, bool in_ring) override {
        relay_closed = in_ring;
        token_.cancel();
        back_.cancel();
    }
    bool ring_ok() const override { return ok; }

    bool ok = true;             // a token goes round
    bool creates_token = true;  // INITRING brings it back
    Duration token_wait{5'000};
    RingReturn result;
    bool relay_closed = false;
    unsigned withdrawals = 0;
    std::vector<Bytes> messages;  // that have left
    bool waiting() const { return token_.pending(); }

private:
    void token() {
        messages.push_back(waiting_);
        from_->token_seized();
        back_.schedule_after(pronet::wire_time(waiting_.size()));
    }
    void back() { from_->message_returned(result); }

    Timer token_;
    Timer back_;
    RingStation* from_ = nullptr;
    Bytes waiting_;
};

}  // namespace lfn::test
