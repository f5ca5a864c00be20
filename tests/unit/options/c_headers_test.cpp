// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

extern "C" int lfn_test_c_headers(void);

namespace {

TEST(CHeaders, every_public_header_serves_a_c99_program) {
    EXPECT_EQ(lfn_test_c_headers(), 0);
}

}  // namespace
