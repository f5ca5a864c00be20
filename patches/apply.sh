#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Applies the patch series to an unpacked lwIP tree.
#
#   apply.sh TREE all                 the whole series
#   apply.sh TREE GROUP [GROUP ...]   these groups only (backports, refactorings, hooks, features)
#   apply.sh --without PATCH TREE ... the same, but for one patch (to see what it is good for)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
without=
if [ "${1:-}" = --without ]; then
    without=$2
    shift 2
fi
if [ $# -lt 2 ]; then
    sed -n '3,8s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
tree=$1
shift

"$here/list.sh" "$@" | while read -r name; do
    [ "$name" = "$without" ] && continue
    echo "applying $name"
    patch -d "$tree" -p1 --no-backup-if-mismatch --fuzz=0 -s < "$here/$name"
done
