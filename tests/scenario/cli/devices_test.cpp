// SPDX-License-Identifier: BSD-3-Clause
// `lfn devices`: the cards from their own tables, and what in them is guessed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "tests/scenario/cli/command.hpp"

namespace lfn::test {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::set<std::string> evidences = {"documented", "inferred", "emulated", "computed", "recalled", "guess"};

nlohmann::json devices() {
    return json_of(LFN_COMMAND, "devices")["devices"];
}

// Every statement of a device: register, bit, timing, behaviour.
template <class Visit>
void each_statement(const nlohmann::json& device, Visit visit) {
    for (const auto& row : device["registers"]) {
        visit(row, row["meaning"].get<std::string>());
        for (const auto& bit : row["bits"]) visit(bit, bit["meaning"].get<std::string>());
    }
    for (const auto& row : device["timings"]) visit(row, row["value"].get<std::string>());
    for (const auto& row : device["behaviours"]) visit(row, row["claim"].get<std::string>());
}

TEST(CliDevices, describes_both_cards_with_registers_timings_and_sources) {
    const nlohmann::json all = devices();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0]["part"], "3c500");
    EXPECT_EQ(all[1]["part"], "p1300");
    for (const auto& device : all) {
        for (const char* key : {"registers", "timings", "behaviours", "not_modelled", "sources"}) {
            EXPECT_GE(device[key].size(), 4U) << device["part"] << " " << key;
        }
    }
}

TEST(CliDevices, every_port_of_a_card_is_described_for_reading_and_writing) {
    const nlohmann::json all = devices();
    for (const auto& device : all) {
        std::set<std::string> described;
        for (const auto& row : device["registers"]) {
            for (int offset = row["first_offset"]; offset <= row["last_offset"].get<int>(); ++offset) {
                described.insert(std::to_string(offset) + row["access"].get<std::string>());
            }
        }
        const std::size_t ports = device["part"] == "3c500" ? 16 : 8;
        EXPECT_EQ(described.size(), 2 * ports) << device["part"];
    }
}

TEST(CliDevices, every_statement_has_its_evidence_and_what_is_no_guess_names_a_listed_source) {
    const nlohmann::json all = devices();
    for (const auto& device : all) {
        const auto& sources = device["sources"];
        each_statement(device, [&](const nlohmann::json& row, const std::string& what) {
            const std::string evidence = row["evidence"];
            EXPECT_EQ(evidences.count(evidence), 1U) << what;
            const std::string keys = row["sources"];
            if (evidence == "documented" || evidence == "inferred" || evidence == "emulated") {
                EXPECT_NE(keys, "") << what;
            }
            for (std::size_t at = 0; !keys.empty() && at != std::string::npos;) {
                const std::size_t comma = keys.find(", ", at);
                std::string key = keys.substr(at, comma == std::string::npos ? comma : comma - at);
                key = key.substr(0, key.find(" ("));  // "86Box (checked on a real card)"
                EXPECT_TRUE(sources.contains(key)) << device["part"] << ": " << what << ": " << key;
                at = comma == std::string::npos ? comma : comma + 2;
            }
        });
    }
}

TEST(CliDevices, text_has_every_statement_that_json_has) {
    const std::string text = run_lfn("devices").out;
    const nlohmann::json all = devices();
    for (const auto& device : all) {
        EXPECT_THAT(text, HasSubstr(device["part"].get<std::string>() + ": " + device["title"].get<std::string>()));
        each_statement(device, [&](const nlohmann::json& row, const std::string& what) {
            EXPECT_THAT(text, HasSubstr(what + " [" + row["evidence"].get<std::string>()));
        });
        for (const auto& what : device["not_modelled"]) EXPECT_THAT(text, HasSubstr(what.get<std::string>()));
        for (const auto& title : device["sources"]) EXPECT_THAT(text, HasSubstr(title.get<std::string>()));
    }
}

TEST(CliDevices, guesses_are_just_the_statements_that_are_guessed) {
    const auto lines = lines_of(run_lfn("devices --guesses").out);
    std::size_t guessed = 0;
    const nlohmann::json all = devices();
    for (const auto& device : all) {
        each_statement(device, [&](const nlohmann::json& row, const std::string& what) {
            const bool is_guess = row["evidence"] == "guess";
            guessed += is_guess ? 1 : 0;
            if (!is_guess) return;
            const auto names_it = [&](const std::string& line) { return line.ends_with(what); };
            EXPECT_TRUE(std::ranges::any_of(lines, names_it)) << what;
        });
    }
    EXPECT_EQ(lines.size(), guessed);
    EXPECT_GT(guessed, 20U);
}

TEST(CliDevices, a_name_picks_one) {
    const std::string text = run_lfn("devices p1300").out;
    EXPECT_THAT(text, HasSubstr("Proteon"));
    EXPECT_THAT(text, Not(HasSubstr("3Com")));
    EXPECT_EQ(json_of(LFN_COMMAND, "devices 3c500").at("devices").size(), 1U);
}

}  // namespace
}  // namespace lfn::test
