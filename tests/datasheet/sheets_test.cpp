// SPDX-License-Identifier: BSD-3-Clause
// The sheets are complete and agree with themselves.
#include <gtest/gtest.h>

#include <ostream>
#include <set>
#include <string>

#include "emulators/nic/3c500.hpp"
#include "emulators/nic/device_sheet.hpp"
#include "emulators/nic/p1300.hpp"

namespace lfn::test {
namespace {

struct Case {
    const DeviceSheet* sheet;
    unsigned ports;
    friend void PrintTo(const Case& card, std::ostream* out) { *out << card.sheet->part; }
};

class Sheets : public testing::TestWithParam<Case> {
protected:
    const DeviceSheet& sheet = *GetParam().sheet;

    template <class Visit>
    void visit_provenance(Visit visit) const {
        for (const RegisterRow& row : sheet.registers) {
            visit(row.provenance, row.name);
            for (const BitRow& bit : row.bits) visit(bit.provenance, bit.name);
        }
        for (const TimingRow& row : sheet.timings) visit(row.provenance, row.name);
        for (const BehaviourRow& row : sheet.behaviours) visit(row.provenance, row.claim);
    }
};

TEST_P(Sheets, every_port_is_described_once_in_each_direction) {
    std::multiset<std::pair<unsigned, char>> described;
    for (const RegisterRow& row : sheet.registers) {
        for (unsigned offset = row.first; offset <= row.last; ++offset) {
            described.insert({offset, static_cast<char>(row.access)});
        }
    }
    EXPECT_EQ(described.size(), GetParam().ports * 2);
    for (unsigned offset = 0; offset < GetParam().ports; ++offset) {
        EXPECT_EQ(described.count({offset, 'R'}), 1u) << offset;
        EXPECT_EQ(described.count({offset, 'W'}), 1u) << offset;
    }
}

TEST_P(Sheets, bits_of_a_register_do_not_overlap) {
    for (const RegisterRow& row : sheet.registers) {
        unsigned seen = 0;
        for (const BitRow& bit : row.bits) {
            EXPECT_EQ(seen & bit.mask, 0u) << row.name << ' ' << bit.name;
            EXPECT_NE(bit.mask, 0u) << row.name << ' ' << bit.name;
            seen |= bit.mask;
        }
    }
}

TEST_P(Sheets, every_source_that_is_named_is_listed) {
    std::set<std::string_view> keys;
    for (const SourceRow& source : sheet.sources) keys.insert(source.key);
    visit_provenance([&](const Provenance& provenance, std::string_view name) {
        std::string_view rest = provenance.sources.substr(0, provenance.sources.find(" ("));
        while (!rest.empty()) {
            const std::size_t comma = rest.find(", ");
            EXPECT_TRUE(keys.contains(rest.substr(0, comma))) << name << ": " << rest;
            rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 2);
        }
    });
}

TEST_P(Sheets, what_is_documented_or_inferred_names_its_source) {
    visit_provenance([](const Provenance& provenance, std::string_view name) {
        const bool needs_one = provenance.evidence == Evidence::documented ||
                               provenance.evidence == Evidence::inferred || provenance.evidence == Evidence::emulated;
        const bool needs_none = provenance.evidence == Evidence::guess;
        EXPECT_FALSE(needs_one && provenance.sources.empty()) << name;
        EXPECT_FALSE(needs_none && !provenance.sources.empty()) << name;
    });
}

TEST_P(Sheets, say_what_is_not_modelled) {
    EXPECT_FALSE(sheet.not_modelled.empty());
}

INSTANTIATE_TEST_SUITE_P(Cards, Sheets,
                         testing::Values(Case{&Nic3c500::describe(), 16}, Case{&NicP1300::describe(), 8}),
                         [](const auto& card) { return "card_" + std::string(card.param.sheet->part); });

}  // namespace
}  // namespace lfn::test
