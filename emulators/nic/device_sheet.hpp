// SPDX-License-Identifier: BSD-3-Clause
// A device described as data: registers, bits, timings, behaviours, sources, and what is not modelled. The emulation
// and its sheet use the same constants, and the sheet's rows are what a device listing prints.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace lfn {

/// How well a statement is supported.
enum class Evidence : char {
    documented = 'D',  // a manual, a data sheet, an RFC, the vendor's own header
    inferred = 'I',    // from what real drivers do
    emulated = 'E',    // another emulation does so, usually because a diagnostic program asks for it
    computed = 'C',    // from other facts
    recalled = 'R',    // general knowledge, not verified
    guess = 'G',       // no source: our default
};

constexpr std::string_view name_of(Evidence evidence) {
    switch (evidence) {
        case Evidence::documented:
            return "documented";
        case Evidence::inferred:
            return "inferred";
        case Evidence::emulated:
            return "emulated";
        case Evidence::computed:
            return "computed";
        case Evidence::recalled:
            return "recalled";
        case Evidence::guess:
            return "guess";
    }
    return "";
}

enum class Access : char { read = 'R', write = 'W' };

/// Where a statement comes from: keys of SourceRow, separated by commas; empty for a guess or a computation.
struct Provenance {
    Evidence evidence;
    std::string_view sources;
};

struct SourceRow {
    std::string_view key;
    std::string_view title;
};

struct BitRow {
    std::uint8_t mask;
    std::string_view name;
    std::string_view meaning;
    Provenance provenance;
};

/// Offsets first..last from the card's base, for one direction of access.
struct RegisterRow {
    std::uint8_t first;
    std::uint8_t last;
    Access access;
    std::string_view name;
    std::string_view meaning;
    std::span<const BitRow> bits;
    Provenance provenance;
};

struct TimingRow {
    std::string_view name;
    std::string_view value;
    Provenance provenance;
};

struct BehaviourRow {
    std::string_view claim;
    Provenance provenance;
};

struct DeviceSheet {
    std::string_view part;
    std::string_view title;
    std::span<const SourceRow> sources;
    std::span<const RegisterRow> registers;
    std::span<const TimingRow> timings;
    std::span<const BehaviourRow> behaviours;
    std::span<const std::string_view> not_modelled;
};

}  // namespace lfn
