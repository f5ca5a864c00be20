// SPDX-License-Identifier: BSD-3-Clause
// What the ladder's runs came to, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "tests/bench/tap/ladder.hpp"

namespace lfn::bench {

/// One step under one set of conditions: medians over its rounds, and where the time of a metered run went.
struct Cell {
    const Step* step = nullptr;
    std::string failure;  ///< of the first run that failed; empty: all whole, by digest
    double bits_per_second = 0;
    double packet_seconds = 0;  ///< real time for each packet with data
    double processor_packet_seconds = 0;
    Result metered;
};

struct Table {
    Conditions conditions;
    std::size_t rounds = 0;
    std::vector<Cell> cells;  ///< the first one's step is what all are compared with
};

Cell summarize(const Step& step, const Conditions& conditions, const std::vector<Result>& rounds,
               const Result& metered);
std::string text_of(const Table& table);
/// An array of objects, one a table.
std::string json_of(const std::vector<Table>& tables);
/// "to the kernel, MTU 1500".
std::string title_of(const Conditions& conditions);

}  // namespace lfn::bench
