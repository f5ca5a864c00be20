// SPDX-License-Identifier: BSD-3-Clause
// Where lwIP's assertions end.
#include <cstdio>
#include <cstdlib>

#include "arch/cc.h"

void lfn_assert_failed(const char* claim, const char* file, int line) {
    std::fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, claim);
    std::abort();
}
