// SPDX-License-Identifier: BSD-3-Clause
#include "ports/cli/options.hpp"

namespace lfn::cli {

void complain(const std::string& phrase) {
    throw CLI::ValidationError(phrase);
}

CLI::Option* add_text(CLI::App& app, const OptionText& text, const std::function<void(const std::string&)>& store) {
    CLI::Option* option = app.add_option_function<std::string>(text.name, store, text.description);
    option->type_name(text.type);
    if (!text.default_text.empty()) option->default_str(text.default_text);
    return option;
}

}  // namespace lfn::cli
