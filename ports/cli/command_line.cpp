// SPDX-License-Identifier: BSD-3-Clause
#include "ports/cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

namespace lfn::cli {

void complain(const std::string& phrase) {
    throw CLI::ValidationError(phrase);
}

Option& Option::required() {
    option_->required();
    return *this;
}

Option& Option::excludes(const Option& other) {
    option_->excludes(other.option_);
    return *this;
}

Option& Option::default_text(const std::string& text) {
    option_->default_str(text);
    return *this;
}

Command Command::add_subcommand(const std::string& name, const std::string& description) {
    return Command(app_->add_subcommand(name, description));
}

void Command::footer(const std::string& text) {
    app_->footer(text);
}

void Command::callback(std::function<void()> call) {
    app_->callback(std::move(call));
}

Option Command::add_text(const OptionText& text, const std::function<void(const std::string&)>& store) {
    const auto store_some = [name = text.name, type = text.type, store](const std::string& given) {
        if (given.empty())
            complain(name + ": is given and empty; give " + (type.empty() ? "it" : type) + ", or leave it out");
        store(given);
    };
    CLI::Option* option = app_->add_option_function<std::string>(text.name, store_some, text.description);
    option->type_name(text.type);
    if (!text.default_text.empty()) option->default_str(text.default_text);
    return Option(option);
}

Option Command::add_texts(const OptionText& text, const std::function<void(const std::vector<std::string>&)>& store,
                          Between between) {
    CLI::Option* option = app_->add_option_function<std::vector<std::string>>(text.name, store, text.description);
    option->type_name(text.type);
    if (between == Between::comma) option->delimiter(',');
    return Option(option);
}

Option Command::add_flag(const std::string& name, bool& value, const std::string& description) {
    return Option(app_->add_flag(name, value, description));
}

Option Command::add_flag_callback(const std::string& name, std::function<void()> call, const std::string& description) {
    return Option(app_->add_flag_callback(name, std::move(call), description));
}

Option Command::get_option(const std::string& name) const {
    return Option(app_->get_option(name));
}

std::size_t Command::count(const std::string& option) const {
    return app_->count(option);
}

Program::Program(const std::string& name, const std::string& description, const std::string& version)
    : app_(std::make_unique<CLI::App>(description, name)) {
    app_->set_version_flag("--version", version, "Print the version");
}

Program::~Program() = default;

Command Program::command() {
    return Command(app_.get());
}

std::optional<int> Program::parse(int argc, char** argv) {
    try {
        app_->parse(argc, argv);
    } catch (const CLI::Success& success) {  // --help, --version
        return app_->exit(success);
    } catch (const CLI::ExtrasError& error) {
        if (!app_->get_subcommands().empty()) return complain_about(error.what());
        return complain_about("unknown command " + app_->remaining().front() + "; there are " + command_names());
    } catch (const CLI::ParseError& error) {
        return complain_about(error.what());
    }
    return std::nullopt;
}

int Program::complain_about(const std::string& what) const {
    const std::string where = called();
    std::string line = what;
    std::replace(line.begin(), line.end(), '\n', ' ');
    fmt::print(stderr, "{}: {} (see {} --help)\n", where, line, where);
    return exit_bad_input;
}

std::string Program::called() const {
    const auto commands = app_->get_subcommands();
    return commands.empty() ? app_->get_name() : app_->get_name() + " " + commands.front()->get_name();
}

std::string Program::command_names() const {
    const auto commands = std::as_const(*app_).get_subcommands([](const CLI::App*) { return true; });
    std::string names;
    for (std::size_t i = 0; i < commands.size(); ++i) {
        if (i > 0) names += i + 1 < commands.size() ? ", " : " and ";
        names += commands[i]->get_name();
    }
    return names;
}

}  // namespace lfn::cli
