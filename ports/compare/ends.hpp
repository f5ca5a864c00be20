// SPDX-License-Identifier: BSD-3-Clause
// The two ends of one transfer: one sends the octets of a pattern and is answered with their digest (the protocol of
// services' sink), the other takes them and answers.
#pragma once

#include <cstdint>
#include <string>

#include "emulators/time/time.hpp"

namespace lfn::compare {

struct Sent {
    std::uint64_t retransmitted_segments = 0;
    std::uint32_t mss = 0;  ///< octets of data in a full segment
    std::string digest;     ///< of what was sent
};

class SendingEnd {
public:
    virtual ~SendingEnd() = default;
    /// False: failure() says why.
    virtual bool start(std::uint32_t address, std::uint16_t port) = 0;
    /// The answer has come, or it failed.
    virtual bool over() const = 0;
    /// A phrase; empty: none.
    virtual std::string failure() const = 0;
    /// The answer is digest and length of what was sent.
    virtual bool confirmed() const = 0;
    virtual Sent sent() = 0;
};

class ReceivingEnd {
public:
    virtual ~ReceivingEnd() = default;
    virtual bool start(std::uint16_t port) = 0;
    virtual std::uint64_t octets() const = 0;
    /// When the last of them came.
    virtual Time last_came() const = 0;
    virtual std::string failure() const = 0;
};

}  // namespace lfn::compare
