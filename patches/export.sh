#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Writes the patch series from a git work tree of lwIP: one commit a patch, on top of the commit of the pristine release.
#
#   export.sh WORKTREE [BASE]     BASE: the commit of the pristine release (default: the work tree's first commit)
#
# The commit's trailer "Patch: GROUP/SLUG" names the group in `series` and the file. The form is normalised, so that a
# file changes only if its content does: no hashes, no signature, no numbers, one author, one date.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -lt 1 ]; then
    sed -n '3,8s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
tree=$1
base=${2:-$(git -C "$tree" rev-list --max-parents=0 HEAD)}
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT

export_one() {
    git -C "$tree" -c core.quotePath=false format-patch -1 --stdout --zero-commit --no-signature --no-numbered \
        --no-stat --no-renames --no-thread --no-attach --diff-algorithm=myers --unified=3 \
        --src-prefix=a/ --dst-prefix=b/ --subject-prefix=PATCH "$1" |
        sed -e '1,/^$/{/^From: /,/^Date: /{/^ /d}}' \
            -e '1,/^$/s/^From: .*/From: lfn authors <lfn@localhost>/' \
            -e '1,/^$/s/^Date: .*/Date: Thu, 1 Jan 2026 00:00:00 +0000/' \
            -e '/^index [0-9a-f]*\.\.[0-9a-f]*/d'
}

for commit in $(git -C "$tree" rev-list --reverse "$base..HEAD"); do
    name=$(git -C "$tree" log -1 --format='%(trailers:key=Patch,valueonly)' "$commit" | head -n 1)
    case $name in
        backports/?* | refactorings/?* | hooks/?* | features/?*) ;;
        *)
            echo "commit $commit has no trailer 'Patch: GROUP/SLUG'" >&2
            exit 1
            ;;
    esac
    file=${name#*/}.patch
    if [ -e "$new/$file" ]; then
        echo "two commits are called $file" >&2
        exit 1
    fi
    export_one "$commit" > "$new/$file"
    echo "$file" >> "$new/${name%%/*}.list"
done

sed '/^# group: /,$d' "$here/series" | sed '$!b;/^$/d' > "$new/series"
for group in backports refactorings hooks features; do
    printf '\n# group: %s\n' "$group" >> "$new/series"
    [ ! -e "$new/$group.list" ] || cat "$new/$group.list" >> "$new/series"
done

for old in "$here"/*.patch; do
    [ ! -e "$old" ] || [ -e "$new/$(basename "$old")" ] || rm "$old"
done
for file in "$new"/*.patch "$new/series"; do
    [ -e "$file" ] || continue
    cmp -s "$file" "$here/$(basename "$file")" || cp "$file" "$here/"
done
