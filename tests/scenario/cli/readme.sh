#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The commands of README.md, in the blocks marked ```sh, work: those of `lfn` are run, of the scripts it is checked that
# they are there and explain themselves (what they do takes minutes).
#
#   readme.sh CHECKOUT LFN
set -eu
checkout=$1
PATH=$(dirname "$2"):$PATH
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside && NF' "$checkout/README.md" >commands
count=0
while IFS= read -r line; do
    command=$(printf '%s\n' "$line" | sed 's/  *#.*$//')
    case $command in
        lfn\ reproduce*) command="$command --seeds 1 --bytes 50K" ;;
        lfn\ *) ;;
        ./*) command="$checkout/${command%% *} --help" ;;
        *) continue ;;
    esac
    count=$((count + 1))
    if ! sh -c "$command" >out 2>&1; then
        echo "README.md: this fails: $line"
        cat out
        exit 1
    fi
done <commands
[ "$count" -ge 5 ] || { echo "README.md: only $count commands were found"; exit 1; }
echo "$count commands of README.md work"
