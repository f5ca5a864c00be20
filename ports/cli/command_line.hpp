// SPDX-License-Identifier: BSD-3-Clause
// The command line: a program of commands with options. A thin layer over CLI11, whose header costs more compiling than
// all that is done with it; only command_line.cpp pays for it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace lfn::cli {

inline constexpr int exit_ok = 0;
inline constexpr int exit_failed = 1;     ///< a transfer failed, or data arrived that differ from those sent
inline constexpr int exit_bad_input = 2;  ///< the command line cannot be carried out

/// What is wrong with the command line; a phrase that names the thing and the remedy. To be called in a store function
/// or a command's callback.
[[noreturn]] void complain(const std::string& phrase);

/// Of a command, which owns it.
class Option {
public:
    explicit Option(CLI::Option* option) : option_(option) {}
    Option& required();
    /// Not together with `other`.
    Option& excludes(const Option& other);
    Option& default_text(const std::string& text);

private:
    CLI::Option* option_;
};

struct OptionText {
    std::string name;          ///< with its dashes; without: an argument
    std::string type;          ///< of the value, in capitals
    std::string default_text;  ///< empty: none
    std::string description;
    std::string remedy;  ///< "give octets from 1 to 1G, as in 224K"
};

/// A handle: copies are the same command. What it stores into must outlive the parsing.
class Command {
public:
    explicit Command(CLI::App* app) : app_(app) {}

    Command add_subcommand(const std::string& name, const std::string& description);
    void footer(const std::string& text);
    /// What is done, once all options are stored, if this is the command that was given.
    void callback(std::function<void()> call);

    /// An option whose value is stored as text, which is never empty; the remedy is not used.
    Option add_text(const OptionText& text, const std::function<void(const std::string&)>& store);
    /// An option that takes several values, after a comma or given again; or only given again.
    enum class Between : unsigned char { comma, nothing };
    Option add_texts(const OptionText& text, const std::function<void(const std::vector<std::string>&)>& store,
                     Between between = Between::nothing);
    Option add_flag(const std::string& name, bool& value, const std::string& description);
    Option add_flag_callback(const std::string& name, std::function<void()> call, const std::string& description);
    /// One that is there already.
    Option get_option(const std::string& name) const;
    /// How often it was given.
    std::size_t count(const std::string& option) const;

private:
    CLI::App* app_;
};

/// `lfn` itself.
class Program {
public:
    Program(const std::string& name, const std::string& description, const std::string& version);
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    Command command();
    /// Runs the callback of the command that was given. Nothing: go on; otherwise the exit status, and what is to be
    /// said (help, version, one line of complaint) has been printed.
    std::optional<int> parse(int argc, char** argv);
    /// One line on standard error; returns the exit status.
    int complain_about(const std::string& what) const;
    /// All of them: "transfer, reproduce and links".
    std::string command_names() const;

private:
    std::string called() const;

    std::unique_ptr<CLI::App> app_;
};

}  // namespace lfn::cli
