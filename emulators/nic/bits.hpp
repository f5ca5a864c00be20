// SPDX-License-Identifier: BSD-3-Clause
// Typed 8-bit registers. `Bits<TransmitCommand>` and `Bits<ReceiveCommand>` are different types: to mix, compare or
// assign them does not compile, and neither does a bare number. The data sheet's masks are static members of the tag,
// so a bit can only be named together with its register.
#pragma once

#include <cstdint>

namespace lfn {

template <class Register>
class Bits {
public:
    constexpr Bits() = default;
    /// From a port; the only way in from a number.
    constexpr explicit Bits(unsigned raw) : raw_(static_cast<std::uint8_t>(raw)) {}
    constexpr std::uint8_t raw() const { return raw_; }

    /// At least one bit of `mask` is set.
    constexpr bool has(Bits mask) const { return (raw_ & mask.raw_) != 0; }
    /// Every bit of `mask` is set.
    constexpr bool has_all(Bits mask) const { return (raw_ & mask.raw_) == mask.raw_; }

    constexpr void set(Bits mask) { raw_ = static_cast<std::uint8_t>(raw_ | mask.raw_); }
    constexpr void clear(Bits mask) { raw_ = static_cast<std::uint8_t>(raw_ & ~mask.raw_); }
    constexpr void assign(Bits mask, bool on) { on ? set(mask) : clear(mask); }

    friend constexpr Bits operator|(Bits left, Bits right) { return Bits(unsigned{left.raw_} | right.raw_); }
    friend constexpr Bits operator&(Bits left, Bits right) { return Bits(unsigned{left.raw_} & right.raw_); }
    friend constexpr bool operator==(Bits, Bits) = default;

private:
    std::uint8_t raw_ = 0;
};

// A counter of up to sixteen bits behind two 8-bit ports.
constexpr std::uint8_t low_byte(std::uint16_t count) {
    return static_cast<std::uint8_t>(count & 0xFFu);
}
constexpr std::uint8_t high_byte(std::uint16_t count) {
    return static_cast<std::uint8_t>(count >> 8);
}
constexpr void set_low_byte(std::uint16_t& count, unsigned value) {
    count = static_cast<std::uint16_t>((count & 0xFF00u) | (value & 0xFFu));
}
constexpr void set_high_byte(std::uint16_t& count, unsigned value) {
    count = static_cast<std::uint16_t>((count & 0xFFu) | (value & 0xFFu) << 8);
}
/// The next address, round a memory of `size` (a power of two).
constexpr void step(std::uint16_t& count, unsigned size) {
    count = static_cast<std::uint16_t>((count + 1u) & (size - 1));
}

}  // namespace lfn
