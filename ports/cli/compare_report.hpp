// SPDX-License-Identifier: BSD-3-Clause
// What `lfn compare` prints.
#pragma once

#include <string>
#include <vector>

#include "ports/compare/comparison.hpp"

namespace lfn::cli {

struct CompareReport {
    compare::Conditions conditions;
    std::vector<compare::RowResult> rows;
    std::size_t unfinished = 0;
    std::size_t at_once = 1;
};

std::string compare_text(const CompareReport& report);
std::string compare_json(const CompareReport& report);

}  // namespace lfn::cli
