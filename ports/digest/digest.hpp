// SPDX-License-Identifier: BSD-3-Clause
// The digest over what passes a connection in one direction.
#pragma once

#include <xxhash.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace lfn {

/// XXH3, 128 bits: what `xxh128sum` prints.
class Digest {
public:
    Digest();
    void add(std::span<const std::uint8_t> octets);
    std::uint64_t octets() const { return octets_; }
    /// 32 hexadecimal digits.
    std::string text() const;
    friend bool operator==(const Digest& left, const Digest& right) {
        return left.octets_ == right.octets_ && left.text() == right.text();
    }

private:
    struct Free {
        void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
    };
    std::unique_ptr<XXH3_state_t, Free> state_;
    std::uint64_t octets_ = 0;
};

}  // namespace lfn
