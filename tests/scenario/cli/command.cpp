// SPDX-License-Identifier: BSD-3-Clause
#include "tests/scenario/cli/command.hpp"

#include <stdlib.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace lfn::test {

namespace {

std::string quoted(const std::string& word) {
    std::string text = "'";
    for (const char letter : word) text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    return text + "'";
}

}  // namespace

ScratchFolder::ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "lfn-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch folder can be made");
    path_ = name;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

CommandOutcome run_command(const std::string& program, const std::string& arguments, const ScratchFolder& folder) {
    const ScratchFolder streams;
    const auto out = streams.path() / "out";
    const auto err = streams.path() / "err";
    const std::string line = "cd " + quoted(folder.path().string()) + " && " + quoted(program) + " " + arguments +
                             " >" + quoted(out.string()) + " 2>" + quoted(err.string()) + " </dev/null";
    const int status = std::system(line.c_str());
    CommandOutcome outcome;
    outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    outcome.out = contents_of(out);
    outcome.err = contents_of(err);
    return outcome;
}

CommandOutcome run_command(const std::string& program, const std::string& arguments) {
    const ScratchFolder folder;
    return run_command(program, arguments, folder);
}

CommandOutcome run_lfn(const std::string& arguments, const ScratchFolder& folder) {
    return run_command(LFN_COMMAND, arguments, folder);
}

CommandOutcome run_lfn(const std::string& arguments) {
    return run_command(LFN_COMMAND, arguments);
}

nlohmann::json json_of(const std::string& program, const std::string& arguments) {
    const CommandOutcome outcome = run_command(program, arguments + " --json");
    if (outcome.status != 0) return nullptr;
    return nlohmann::json::parse(outcome.out, nullptr, false);
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::string contents_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

}  // namespace lfn::test
