// SPDX-License-Identifier: BSD-3-Clause
// RFC 1106's figures, published and measured, for people and for programs. No wall-clock time in any of them: the same
// seeds give the same text.
#pragma once

#include <string>

#include "ports/lab/rfc1106.hpp"

namespace lfn::cli {

/// The paper's layout, with our column and the ratio beside each of its own.
std::string reproduce_text(const lab::Rfc1106Options& options, const lab::Rfc1106Results& results);

std::string reproduce_json(const lab::Rfc1106Options& options, const lab::Rfc1106Results& results);

/// One row a cell, the third table's included.
std::string reproduce_csv(const lab::Rfc1106Results& results);

/// Octets per second in reports: one decimal, so that no machine's rounding shows.
double report_rate(double octets_per_second);

/// Ratios and shares in reports: four decimals.
double report_ratio(double ratio);

}  // namespace lfn::cli
