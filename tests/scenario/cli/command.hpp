// SPDX-License-Identifier: BSD-3-Clause
// Runs a program as a user would, through the shell, in a folder of its own.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace lfn::test {

struct CommandOutcome {
    int status = -1;  ///< exit status; 128 + signal as shells have it
    std::string out, err;
};

/// A new folder that goes away with the object.
class ScratchFolder {
public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

/// Runs `program arguments`; the arguments are shell words.
CommandOutcome run_command(const std::string& program, const std::string& arguments, const ScratchFolder& folder);
CommandOutcome run_command(const std::string& program, const std::string& arguments);

/// The same with the `lfn` of this build.
CommandOutcome run_lfn(const std::string& arguments, const ScratchFolder& folder);
CommandOutcome run_lfn(const std::string& arguments);

/// What `lfn ARGUMENTS --json` of the given program printed; null unless it went well.
nlohmann::json json_of(const std::string& program, const std::string& arguments);

std::vector<std::string> lines_of(const std::string& text);
std::string contents_of(const std::filesystem::path& file);

}  // namespace lfn::test
