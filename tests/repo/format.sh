#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# C and C++ files are as clang-format leaves them. Its versions disagree with one another, so one is named here; without
# it the check is skipped (exit code 77).
. "$(dirname "$0")/lib.sh"

version=14
for candidate in "clang-format-$version" clang-format; do
    if "$candidate" --version 2>/dev/null | grep -q "version $version\\."; then
        formatter=$candidate
        break
    fi
done
if [ -z "${formatter:-}" ]; then
    echo "skipped: clang-format $version is not installed (Debian: clang-format-$version)"
    exit 77
fi

sources=$(list_sources)
[ -z "$sources" ] && exit 0
if complaints=$(printf '%s\n' "$sources" | tr '\n' '\0' |
    xargs -0 "$formatter" --style=file --dry-run -Werror --ferror-limit=0 2>&1); then
    exit 0
fi
printf '%s\n' "$complaints" | grep -E '^[^ ]+:[0-9]+:[0-9]+: ' || printf '%s\n' "$complaints"
exit 1
