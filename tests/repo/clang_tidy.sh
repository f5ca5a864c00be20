#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# clang-tidy over every file of ours that a build compiles, tests left out, by .clang-tidy. Prints nothing if all is well.
#
#   clang_tidy.sh ROOT BUILD     BUILD holds compile_commands.json
#
# A file that was found clean is not looked at again until it, a header of ours or .clang-tidy changes.
set -u
root=$(cd "${1:?usage: $0 ROOT BUILD}" && pwd)
build=$(cd "${2:?usage: $0 ROOT BUILD}" && pwd)
command -v clang-tidy >/dev/null || { echo "SKIPPED: clang-tidy is missing (Debian: clang-tidy)"; exit 77; }
[ -f "$build/compile_commands.json" ] || { echo "SKIPPED: $build has no compile_commands.json"; exit 77; }

clean=$build/clang-tidy
mkdir -p "$clean"
headers=$(find "$root"/{options,emulators,stack,ports} \( -name '*.h' -o -name '*.hpp' \) -exec cat {} + |
    cat - "$root/.clang-tidy" | sha256sum)

# tidy FILE: a stamp named for what was judged is left when it is clean.
tidy() {
    local stamp output
    stamp=$clean/$(printf '%s' "$headers $1" | cat - "$1" | sha256sum | cut -c1-32)
    [ -f "$stamp" ] && return 0
    if output=$(clang-tidy -p "$build" --quiet "$1" 2>/dev/null); then
        : >"$stamp"
    else
        printf '%s\n' "$output" | sed "s|$root/||g"
        return 1
    fi
}
export -f tidy
export build clean headers root

sed -n 's/^  "file": "\(.*\)",\{0,1\}$/\1/p' "$build/compile_commands.json" | sort -u |
    grep -E "^$root/(options|emulators|stack|ports)/" |
    xargs -P "$(getconf _NPROCESSORS_ONLN)" -I{} bash -c 'tidy {}'
[ "${PIPESTATUS[3]}" -eq 0 ]
