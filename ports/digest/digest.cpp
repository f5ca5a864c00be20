// SPDX-License-Identifier: BSD-3-Clause
#include "ports/digest/digest.hpp"

#include <array>
#include <new>

namespace lfn {

Digest::Digest() : state_(XXH3_createState()) {
    if (state_ == nullptr) throw std::bad_alloc();
    XXH3_128bits_reset(state_.get());
}

void Digest::add(std::span<const std::uint8_t> octets) {
    XXH3_128bits_update(state_.get(), octets.data(), octets.size());
    octets_ += octets.size();
}

std::string Digest::text() const {
    static constexpr std::string_view digits = "0123456789abcdef";
    XXH128_canonical_t canonical;  // most significant octet first
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state_.get()));
    std::string text;
    for (const unsigned char octet : canonical.digest) {
        text += digits[octet >> 4];
        text += digits[octet & 15];
    }
    return text;
}

}  // namespace lfn
