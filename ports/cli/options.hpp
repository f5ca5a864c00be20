// SPDX-License-Identifier: BSD-3-Clause
// Command-line options that say in one line what is wrong with a value and what would be right.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ports/cli/command_line.hpp"

namespace lfn::cli {

/// An option whose value is stored as text; for those that are judged together with others.
inline Option add_text(Command& command, const OptionText& text, const std::function<void(const std::string&)>& store) {
    return command.add_text(text, store);
}

/// An option whose text `parse` turns into a value, or refuses.
template <class Value, class Parse, class Store>
Option add_parsed(Command& command, const OptionText& text, Parse parse, Store store) {
    return command.add_text(text, [=](const std::string& given) {
        const std::optional<Value> value = parse(given);
        if (!value) complain(text.name + " " + given + ": " + text.remedy);
        store(*value);
    });
}

/// An option with a few named values, the first of which is the default. The remedy is their list.
template <class Value, class Store>
Option add_choice(Command& command, const std::string& name, const std::string& description,
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
    return add_parsed<Value>(command, text, parse, store);
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
