// SPDX-License-Identifier: BSD-3-Clause
// A sequence number, or any counter modulo 2^32 (the stack's millisecond clock is one), whose `<` does not compile:
// which of two numbers is the larger is the wrong question on a circle.
#ifndef LFN_SEQ_HPP
#define LFN_SEQ_HPP

#include <cstdint>

#include "lfn/seq.h"

namespace lfn {

class Seq {
public:
    constexpr Seq() = default;
    constexpr explicit Seq(std::uint32_t value) : value_(value) {}

    constexpr std::uint32_t value() const { return value_; }

    // Meaningful while the two are less than 2^31 apart (see lfn_seq_lt).
    constexpr bool before(Seq other) const {
        return value_ != other.value_ && static_cast<std::uint32_t>(other.value_ - value_) < 0x80000000U;
    }
    constexpr bool after(Seq other) const { return other.before(*this); }

    // How far this lies beyond `base`, going upwards round the circle.
    constexpr std::uint32_t offset_from(Seq base) const { return value_ - base.value_; }

    friend constexpr Seq operator+(Seq a, std::uint32_t octets) { return Seq(a.value_ + octets); }
    friend constexpr Seq operator-(Seq a, std::uint32_t octets) { return Seq(a.value_ - octets); }
    friend constexpr bool operator==(Seq, Seq) = default;
    friend constexpr bool operator<(Seq, Seq) = delete;
    friend constexpr bool operator>(Seq, Seq) = delete;
    friend constexpr bool operator<=(Seq, Seq) = delete;
    friend constexpr bool operator>=(Seq, Seq) = delete;

private:
    std::uint32_t value_ = 0;
};

constexpr Seq earlier_of(Seq a, Seq b) {
    return b.before(a) ? b : a;
}
constexpr Seq later_of(Seq a, Seq b) {
    return b.after(a) ? b : a;
}

}  // namespace lfn

#endif
