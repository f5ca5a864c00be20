// SPDX-License-Identifier: BSD-3-Clause
// All rows of a comparison, several at once: each has a link and namespaces of its own, and one thread carries them all
// (a slow link leaves it idle nearly always; what delay each link kept is measured and reported).
#pragma once

#include <functional>
#include <list>
#include <string>
#include <vector>

#include "ports/compare/row.hpp"

namespace lfn::compare {

/// Kernel to kernel, lfn to kernel, kernel to lfn, lfn to lfn; the kernel's with each of `controls`, and all but lfn to
/// lfn with SACK on and off.
std::vector<RowSpec> all_rows(const std::vector<std::string>& controls);

/// The most that the link carries of segments with 1448 octets of data (what the kernel's timestamps leave of 1460), in
/// octets per second; 0: no limit. With another MTU accordingly.
double ceiling_bytes_s(const Conditions& conditions);

class Comparison {
public:
    Comparison(RealtimeLoop& loop, std::vector<RowSpec> rows, const Conditions& conditions, std::size_t at_once);

    /// Runs until all rows are over, or the loop is stopped. False: error() is a sentence.
    bool run();
    const std::string& error() const { return error_; }

    /// Called ten times a second: how far it is, from 0 to 1, and the seconds to go, as far as can be guessed.
    std::function<void(double share, double seconds_left)> on_progress;
    /// Of the rows that are over, in the order of the rows.
    std::vector<RowResult> results() const;
    /// Rows that have no result: the loop was stopped.
    std::size_t unfinished() const { return rows_.size() - results().size(); }

private:
    struct Running {
        std::size_t index;
        std::unique_ptr<Row> row;
    };

    void look();
    bool start_rows();
    void tell_progress();
    double seconds_left(const Row& row) const;

    RealtimeLoop& loop_;
    std::vector<RowSpec> rows_;
    Conditions conditions_;
    std::size_t at_once_;
    std::size_t next_ = 0;  // to be started
    std::list<Running> running_;
    std::vector<std::unique_ptr<RowResult>> results_;
    Timer look_;
    Time began_{};
    std::string error_;
};

}  // namespace lfn::compare
