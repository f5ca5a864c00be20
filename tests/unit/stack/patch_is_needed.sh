#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Checks that a test program fails in exactly the named cases.
#
#   patch_is_needed.sh PROGRAM SUITE.CASE [SUITE.CASE ...]
set -eu
if [ $# -lt 2 ]; then
    sed -n '3,5s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
program=$1
shift

# A named case fails by one of its assertions, or because a sanitizer ends it.
for case in "$@"; do
    if output=$("$program" --gtest_filter="$case" 2>&1); then
        echo "$case passes without the patch, or does not exist"
        exit 1
    fi
    case $output in
        *"[  FAILED  ] $case"*) echo "$case fails" ;;
        *"[ RUN      ] $case"*"ERROR: AddressSanitizer"*) echo "$case is ended by a sanitizer" ;;
        *)
            echo "$case does not fail but break off:"
            echo "$output"
            exit 1
            ;;
    esac
done

others=-$(IFS=: && echo "$*")
if ! "$program" --gtest_filter="$others" --gtest_brief=1; then
    echo "cases fail that the patch does not name"
    exit 1
fi
