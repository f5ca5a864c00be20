#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh BINARY ROOM TARGET RUNS CORPUS: the seed corpus, then this many inputs made of it, always the same ones; fewer if
# a slow machine does not get so far in a quarter of a minute. 77: build.sh was skipped.
set -eu

program=$1/tests/fuzz/$2/$3
found=$1/found/$3
if [ ! -x "$program" ]; then
    echo "skipped: $3 is not built"
    exit 77
fi
rm -rf "$found"
mkdir -p "$found/corpus"
"$program" -runs="$4" -max_total_time=15 -seed=1 -max_len=1024 -artifact_prefix="$found/" \
    "$found/corpus" "$5"
