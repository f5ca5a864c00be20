#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Every source file names its licence: C and C++ in line 1, assembly, linker and shell scripts in the first three.
. "$(dirname "$0")/lib.sh"

list_files | grep -E '\.(c|h|cpp|hpp|S|ld|sh|awk|py)$' | tr '\n' '\0' | xargs -0 -r awk '
    function judge() {
        if (file != "" && !named) print file ":1: the SPDX licence line is missing from the head of the file"
    }
    BEGIN { for (i = 1; i < ARGC; ++i) {
        if ((getline line < ARGV[i]) <= 0) print ARGV[i] ":1: the file is empty"
        close(ARGV[i])
    } }
    FNR == 1 {
        judge()
        file = FILENAME
        named = 0
        limit = (file ~ /\.(c|h|cpp|hpp)$/) ? 1 : 3
    }
    FNR <= limit && /^(\/\/|\/\*|#|;) SPDX-License-Identifier: BSD-3-Clause( \*\/)?$/ { named = 1 }
    END { judge() }' | finish
