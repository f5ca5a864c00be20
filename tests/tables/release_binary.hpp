// SPDX-License-Identifier: BSD-3-Clause
// The `lfn` of a release build, which published tables are run with.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace lfn::test {

inline std::string release_binary() {
    const char* name = std::getenv("LFN_RELEASE_BINARY");
    return name != nullptr ? name : "";
}

/// Skips its tests, with the reason, if there is none.
class ReleaseTest : public testing::Test {
protected:
    void SetUp() override {
        if (release_binary().empty()) {
            GTEST_SKIP() << "SKIPPED: no release build was named (cmake -DLFN_RELEASE_BINARY=FILE; tests/run.sh does)";
        }
    }
};

}  // namespace lfn::test
