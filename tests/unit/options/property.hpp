// SPDX-License-Identifier: BSD-3-Clause
// RapidCheck with one seed for all runs: a failure is the same on every machine. RC_PARAMS in the environment overrides
// it.
#ifndef LFN_TESTS_UNIT_OPTIONS_PROPERTY_HPP
#define LFN_TESTS_UNIT_OPTIONS_PROPERTY_HPP

#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>

namespace lfn::test {

inline const int rapidcheck_seed_set = setenv("RC_PARAMS", "seed=1106 max_success=500", 0);

}  // namespace lfn::test

#endif
