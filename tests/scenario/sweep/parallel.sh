#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A sweep spread by GNU parallel gives the same lines as in one piece, as JSON Lines and as CSV.
#
#   parallel.sh LFN FOLDER
#
# 77: GNU parallel is not installed.
set -eu
lfn=$1
folder=$2
shards='1 2 3 4 5'
grid='--link geo-10m-bursts,shared-10m,asymmetric-12m-3m --window 64K,512K --loss-policy congestion,noise,auto --seeds 2
    --bytes 200K'

if ! parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
    echo "skipped: no GNU parallel (Debian: parallel)"
    exit 77
fi
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
export PARALLEL_HOME="$PWD" # or it makes a folder in the user's home

# shellcheck disable=SC2086 # lists of words
{
    "$lfn" sweep $grid --out whole.jsonl --csv whole.csv
    parallel --halt now,fail=1 "$lfn" sweep $grid --jobs 1 --shard {}/5 --out part{}.jsonl --csv part{}.csv ::: $shards
    parallel --halt now,fail=1 --keep-order "$lfn" sweep $grid --jobs 1 --shard {}/5 ::: $shards >printed.jsonl
}
sort whole.jsonl >whole.sorted
cat part?.jsonl | sort | cmp - whole.sorted
sort printed.jsonl | cmp - whole.sorted
head -n 1 part1.csv | cmp - "$(head -n 1 whole.csv >header.csv && echo header.csv)"
sort whole.csv >whole.csv.sorted
cat part?.csv | sort | cmp - whole.csv.sorted
echo "$(wc -l <whole.jsonl) cells by 5 shards under GNU parallel: the same lines as in one piece"
