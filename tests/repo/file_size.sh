#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A file of ours over 400 lines needs an entry in tests/repo/large_files.txt, "PATH REASON". Entries that are no longer
# needed have to go.
. "$(dirname "$0")/lib.sh"

limit=400
entries=tests/repo/large_files.txt
[ -f "$entries" ] || entries=/dev/null

list_files | grep -E '\.(c|h|cpp|hpp|S|ld|sh|awk|py|cmake)$|CMakeLists\.txt$' | tr '\n' '\0' |
    xargs -0 -r awk -v limit="$limit" -v entries="$entries" '
        BEGIN {
            while ((getline line < entries) > 0) {
                ++number
                if (line ~ /^(#|[[:space:]]*$)/) continue
                split(line, word, " ")
                reason = line
                sub(/^[^ ]+ */, "", reason)
                if (reason == "") printf "%s:%d: no reason given for %s\n", entries, number, word[1]
                listed[word[1]] = number
            }
        }
        { lines[FILENAME] = FNR }
        END {
            for (file in lines) {
                if (lines[file] > limit && !(file in listed))
                    printf "%s:%d: %d lines, over %d and without a reason in the list\n", file, limit + 1, lines[file], limit
            }
            for (file in listed) {
                if (!(file in lines) || lines[file] <= limit)
                    printf "%s:%d: %s needs no entry any more\n", entries, listed[file], file
            }
        }' | sort | finish
