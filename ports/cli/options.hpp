// SPDX-License-Identifier: BSD-3-Clause
// Command-line options that say in one line what is wrong with a value and what would be right.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lfn::cli {

/// What is wrong with the command line; a phrase that names the thing and the remedy.
[[noreturn]] void complain(const std::string& phrase);

struct OptionText {
    std::string name;          ///< with its dashes
    std::string type;          ///< of the value, in capitals
    std::string default_text;  ///< empty: none
    std::string description;
    std::string remedy;  ///< "give octets from 1 to 1G, as in 224K"
};

/// An option whose value is stored as text; for those that are judged together with others.
CLI::Option* add_text(CLI::App& app, const OptionText& text, const std::function<void(const std::string&)>& store);

/// An option whose text `parse` turns into a value, or refuses.
template <class Value, class Parse, class Store>
CLI::Option* add_parsed(CLI::App& app, const OptionText& text, Parse parse, Store store) {
    return add_text(app, text, [=](const std::string& given) {
        const std::optional<Value> value = parse(given);
        if (!value) complain(text.name + " " + given + ": " + text.remedy);
        store(*value);
    });
}

/// An option with a few named values, the first of which is the default. The remedy is their list.
template <class Value, class Store>
CLI::Option* add_choice(CLI::App& app, const std::string& name, const std::string& description,
                        std::initializer_list<std::pair<std::string_view, Value>> choices, Store store) {
    const std::vector<std::pair<std::string_view, Value>> list(choices);
    std::string names;
    for (const auto& choice : list) names += (names.empty() ? "" : "|") + std::string(choice.first);
    const OptionText text{name, names, std::string(list.front().first), description, "give one of " + names};
    const auto parse = [list](std::string_view given) -> std::optional<Value> {
        for (const auto& choice : list) {
            if (choice.first == given) return choice.second;
        }
        return std::nullopt;
    };
    return add_parsed<Value>(app, text, parse, store);
}

/// `parse`, held to [low, high].
template <class Value, class Parse>
auto within(Parse parse, Value low, Value high) {
    return [=](std::string_view text) -> std::optional<Value> {
        const auto value = parse(text);
        if (!value || !(*value >= low) || !(*value <= high)) return std::nullopt;
        return static_cast<Value>(*value);
    };
}

}  // namespace lfn::cli
