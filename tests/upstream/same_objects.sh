#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compiles every core file of two lwIP trees alike, at -O2 and -Os, and compares the object files octet by octet.
#
#   same_objects.sh TREE TREE COMPILER [FLAG ...]
#
# Whole files are compared, with their symbols and relocations. They hold no line numbers: there is no debug information,
# and the configuration's assertions do not use __LINE__. Two files that are the same to the compiler, blanks aside, are
# not compiled.
set -eu

# What the compiler sees of a file, one word a line.
preprocessed() {
    tree=$1 source=$2
    shift 2
    (cd "$tree" && "$@" -w -E -P -I src/include "$source") | tr -s '[:space:]' '\n'
}

same_object() {
    source=$1 one=$2 other=$3
    shift 3
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    preprocessed "$one" "$source" "$@" > "$work/one"
    preprocessed "$other" "$source" "$@" > "$work/other"
    if cmp -s "$work/one" "$work/other"; then return; fi
    for level in -O2 -Os; do
        for tree in "$one" "$other"; do
            (cd "$tree" && "$@" "$level" -g0 -w -I src/include -c "$source" -o "$work/object")
            mv "$work/object" "$work/$([ "$tree" = "$one" ] && echo one || echo other)"
        done
        if ! cmp "$work/one" "$work/other"; then
            echo "$source differs at $level"
            return 1
        fi
    done
}

core_files() { (cd "$1" && ls src/core/*.c src/core/ipv4/*.c src/core/ipv6/*.c); }

if [ "${1:-}" = --file ]; then
    shift
    same_object "$@"
elif [ $# -ge 3 ]; then
    if [ "$(core_files "$1")" != "$(core_files "$2")" ]; then
        echo "the trees have different core files"
        exit 1
    fi
    core_files "$1" | xargs -P 2 -I {} "$0" --file {} "$@"
    echo "$(core_files "$1" | wc -l) files are the same"
else
    sed -n '3,9s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
