// SPDX-License-Identifier: BSD-3-Clause
// A cable that does what the test says. Transmissions take their time and then end as scripted; arrivals are offered in
// their two steps.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <vector>

#include "emulators/nic/ethernet_port.hpp"
#include "emulators/time/loop.hpp"

namespace lfn::test {

using Bytes = std::vector<std::uint8_t>;

class ScriptedEthernet final : public EthernetWire {
public:
    explicit ScriptedEthernet(Loop& loop) : end_(loop, Callback::bind<&ScriptedEthernet::end>(*this)) {}

    void transmit(EthernetStation& from, const EthernetFrame& frame) override {
        assert(!busy());
        from_ = &from;
        frames.emplace_back(frame.bytes.begin(), frame.bytes.end());
        last_had_bad_fcs = frame.fcs_error;
        begun_at.push_back(end_.loop().now());
        end_.schedule_after(ethernet::wire_time(frame.bytes.size()));
    }
    void abort(EthernetStation&) override {
        assert(busy());
        end_.cancel();
        ++aborts;
    }
    bool busy() const { return end_.pending(); }

    /// The next `count` transmissions collide.
    void collide(unsigned count) { collisions_left_ = count; }

    std::vector<Bytes> frames;
    std::vector<Time> begun_at;
    bool last_had_bad_fcs = false;
    unsigned aborts = 0;

private:
    void end() {
        const bool collides = collisions_left_ > 0;
        if (collides) --collisions_left_;
        from_->transmission_ended(collides ? EthernetOutcome::collision : EthernetOutcome::sent);
    }

    Timer end_;
    EthernetStation* from_ = nullptr;
    unsigned collisions_left_ = 0;
};

/// A frame to `destination`, its data counting up from `first`.
inline Bytes frame_to(const EthernetAddress& destination, std::size_t size, std::uint8_t first = 1) {
    Bytes bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(first + i);
    std::copy_n(destination.begin(), std::min(size, destination.size()), bytes.begin());
    return bytes;
}

}  // namespace lfn::test
