#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Checks the patch series: form of each patch, and that every tool takes it.
#
#   check.sh PRISTINE     PRISTINE: an unpacked, unpatched lwIP 2.2.1; it is not touched
#
# Form: the normalised output of export.sh; a subject of 72 characters at most; a message with the sections "Seen from
# outside:", "Why no hook:", "Cost:" and "Test:"; the trailer "Patch: GROUP/SLUG" as in `series`; lines of 80 characters.
# Tools: patch(1) without fuzz or offset, git am, and quilt if it is installed; all must give the same tree.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -ne 1 ] || [ ! -d "$1/src/core" ]; then
    sed -n '3,9s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
pristine=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

fail() {
    echo "$*" >&2
    bad=1
}

want() { grep -q -- "$2" "$work/head" || fail "$1: $3"; }

check_form() {
    name=$1 group=$2 file=$here/$1
    [ -f "$file" ] || { fail "$name: in series, but there is no such file"; return; }
    sed '/^diff --git /,$d' "$file" > "$work/head"
    want "$name" '^From 0\{40\} Mon Sep 17 00:00:00 2001$' 'no zero hash'
    want "$name" '^From: lfn authors <lfn@localhost>$' 'another author'
    want "$name" '^Date: Thu, 1 Jan 2026 00:00:00 +0000$' 'another date'
    want "$name" '^Subject: \[PATCH\] [a-z0-9]*: [a-z]' 'subject is not "module: what it does"'
    for section in 'Seen from outside:' 'Why no hook:' 'Cost:' 'Test:'; do
        want "$name" "^$section" "section \"$section\" is missing"
    done
    want "$name" "^Patch: $group/${name%.patch}\$" "trailer is not \"Patch: $group/${name%.patch}\""
    if grep -q '^ ' "$work/head"; then fail "$name: subject is too long"; fi
    if sed '/^Test: /d' "$work/head" | grep -q '.\{81\}'; then fail "$name: a line of the message is too long"; fi
    if grep -q '^index \|^-- $\|^GIT binary' "$file"; then fail "$name: not normalised (see export.sh)"; fi
    if grep -q '^+.*[[:space:]]$' "$file"; then fail "$name: adds blanks at the end of a line"; fi
    # One concern: what a patch of the group "backports" mends has no switch.
    if [ "$group" = backports ] && grep -q '^+.*LFN_' "$file"; then fail "$name: a repair with a switch"; fi
}

fresh() {
    rm -rf "${work:?}/$1"
    cp -r "$pristine" "$work/$1"
}

check_patch() {
    fresh patch
    for name in $all; do
        log=$(patch -d "$work/patch" -p1 --no-backup-if-mismatch --fuzz=0 < "$here/$name" 2>&1) ||
            fail "$name: patch(1) refuses it: $log"
        case $log in *offset* | *fuzz*) fail "$name: applies, but not where it says: $log" ;; esac
    done
}

check_git() {
    fresh git
    git -C "$work/git" init -q
    git -C "$work/git" -c core.autocrlf=false add -A -f .
    identity="-c user.name=check -c user.email=check@localhost -c commit.gpgSign=false"
    # shellcheck disable=SC2086
    git -C "$work/git" $identity commit -q -m pristine
    for name in $all; do
        # shellcheck disable=SC2086
        git -C "$work/git" $identity am -q --whitespace=error-all "$here/$name" || fail "$name: git am refuses it"
    done
    rm -rf "$work/git/.git"
    same git
}

check_quilt() {
    fresh quilt
    (cd "$work/quilt" && QUILT_PATCHES=$here QUILT_PC=.pc quilt --quiltrc - push -a --fuzz=0 -q > "$work/log" 2>&1) ||
        fail "quilt refuses the series: $(cat "$work/log")"
    rm -rf "$work/quilt/.pc"
    same quilt
}

same() { diff -r "$work/patch" "$work/$1" > /dev/null || fail "$1 gives another tree than patch(1)"; }

all=$("$here/list.sh" all)
for group in backports refactorings hooks features; do
    for name in $("$here/list.sh" "$group"); do check_form "$name" "$group"; done
done
for file in "$here"/*.patch; do
    echo "$all" | grep -qx "$(basename "$file")" || fail "$(basename "$file"): not in series"
done
check_patch
check_git
if command -v quilt > /dev/null; then check_quilt; fi
[ $bad -eq 0 ] && echo "$(echo "$all" | wc -l) patches are fine"
exit $bad
