// SPDX-License-Identifier: BSD-3-Clause
// `lfn sweep`: what was asked for, a cell's result as a row, and the file that the rows are kept in.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "ports/cli/command_line.hpp"
#include "ports/cli/progress.hpp"
#include "ports/lab/sweep.hpp"

namespace lfn::cli {

struct SweepRequest {
    lab::SweepGrid grid;
    lab::Shard shard;
    std::string out;  ///< file of JSON Lines; empty: the standard output, and nothing is resumed
    std::string csv;  ///< empty: none
    unsigned jobs = 1;
    ProgressMode progress = ProgressMode::automatic;
    bool count = false;  ///< only say how many cells there are
};

/// Declares the options; they are stored when the command line is parsed.
void add_sweep_options(Command& command, const std::shared_ptr<SweepRequest>& request);
/// Judges what only makes sense together. Complains like an option.
void settle(SweepRequest& request);

/// One flat object: first what the cell is, then what came of it. Nothing in it depends on the machine or the time.
using SweepRow = nlohmann::ordered_json;

/// Only the first part.
SweepRow describe_cell(const lab::TransferOptions& cell);
SweepRow sweep_row(const lab::TransferOptions& cell, const lab::TransferReport& report);
/// Names the cell of a row; empty if it is none.
std::string key_of(const SweepRow& row);
/// With a header in front, if `header`.
std::string sweep_csv(const std::vector<std::string>& rows, bool header);

/// A file of JSON Lines, one a cell, that grows as cells are done. Held by one process at a time.
class SweepFile {
public:
    SweepFile() = default;
    ~SweepFile();
    SweepFile(const SweepFile&) = delete;
    SweepFile& operator=(const SweepFile&) = delete;

    /// Opens or makes it, and reads what is there; a last line that was cut short is removed. On failure returns what
    /// is wrong and what to do, as a phrase; empty if all is well.
    std::string open(const std::string& name);
    /// What was there: rows by their keys.
    const std::map<std::string, std::string>& rows() const { return rows_; }
    /// Throws if it cannot be written.
    void append(const std::string& row);

private:
    std::string read();

    int file_ = -1;
    std::string name_;
    std::map<std::string, std::string> rows_;
};

}  // namespace lfn::cli
