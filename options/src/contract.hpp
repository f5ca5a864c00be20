// SPDX-License-Identifier: BSD-3-Clause
// Misuse by our own code stops the program, in every build and without a library to link.
#ifndef LFN_OPTIONS_CONTRACT_HPP
#define LFN_OPTIONS_CONTRACT_HPP

namespace lfn {

constexpr void require(bool kept) {
    if (!kept) __builtin_trap();
}

}  // namespace lfn

#endif
